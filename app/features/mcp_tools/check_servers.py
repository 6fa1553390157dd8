"""Asks at the start, and once a day, for tools of connected servers that cannot be offered: the operator is told."""

from app.features.mcp_tools.tools import connected_servers
from app.operations.alerts import clear, raise_alert
from app.operations.triggers import AtStartAndDaily
from app.services import Services

SCHEDULE = AtStartAndDaily()
LEFT_OUT = "tools_left_out"


def run(services: Services) -> None:
    servers = services.once(connected_servers)
    if servers is None:
        return
    servers.server_tools()  # Asks them where that is due.
    left_out, now = servers.left_out(), services.clock.now()
    with services.transaction() as db:
        if left_out:
            says = "; ".join(left_out)
            raise_alert(
                db,
                LEFT_OUT,
                f"Tools of connected servers are not offered, because Claude would refuse them: {says}.",
                now,
            )
        else:
            clear(db, LEFT_OUT, now)

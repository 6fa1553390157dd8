"""At the start and once a day, tells the operator about tools of connected servers that cannot be offered."""

from app.features.mcp_tools.tools import connected_servers
from app.operations.alerts import raise_or_clear
from app.services import Services

EVERY_SECONDS = 86_400
AT_START = True  # A wrong setting shows before the first text.
LEFT_OUT = "tools_left_out"


def run(services: Services) -> None:
    servers = services.once(connected_servers)
    if servers is not None:
        servers.tools()  # Asks the servers if that is due.
    says = "; ".join(servers.left_out() if servers is not None else ())
    sentence = f"Tools of connected servers are not offered, because Claude would refuse them: {says}."
    with services.transaction() as db:
        raise_or_clear(db, LEFT_OUT, sentence if says else None, services.clock.now())

"""Whether the model that is set will be there tomorrow: what its vendor says becomes alerts."""

from app.operations.alerts import clear, raise_alert
from app.services import Services

TOOLS_LEFT_OUT = "tools_left_out"
KINDS = ("model_gone", "model_key", "model_retires", "web_search_off")


def look(services: Services) -> None:
    """Have the operator see what stands against the model; what has been mended is cleared."""
    troubles = services.model.troubles()
    servers = services.tool_servers
    if servers is not None:
        servers.server_tools()  # Asks them where that is due.
    left_out = [] if servers is None else servers.left_out()
    now = services.clock.now()
    with services.transaction() as db:
        if left_out:
            says = (
                f"Tools of connected servers are not offered, because Claude would refuse them: {'; '.join(left_out)}."
            )
            raise_alert(db, TOOLS_LEFT_OUT, says, now)
        else:
            clear(db, TOOLS_LEFT_OUT, now)
        if troubles is None:
            return
        for kind in KINDS:
            sentences = [trouble.sentence for trouble in troubles if trouble.kind == kind]
            if sentences:
                raise_alert(db, kind, " ".join(sentences), now)
            else:
                clear(db, kind, now)

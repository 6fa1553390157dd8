"""The standing of the model that is set: its vendor's word on its future becomes alerts."""

from app.operations.alerts import clear, raise_alert
from app.services import Services

KINDS = ("model_gone", "model_key", "model_retires", "web_search_off")


def look(services: Services) -> None:
    """Have the operator see what stands against the model; what has been mended is cleared."""
    troubles = services.model.troubles()
    now = services.clock.now()
    with services.transaction() as db:
        if troubles is None:
            return
        for kind in KINDS:
            sentences = [trouble.sentence for trouble in troubles if trouble.kind == kind]
            if sentences:
                raise_alert(db, kind, " ".join(sentences), now)
            else:
                clear(db, kind, now)

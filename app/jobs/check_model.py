"""Checks at the start, and once a day, that the configured model is still offered; alerts the operator if not."""

from app.operations.alerts import raise_or_clear
from app.services import Services

EVERY_SECONDS = 86_400
AT_START = True  # A wrong setting shows before the first text.
KINDS = ("model_gone", "model_key", "model_retires", "web_search_off")
"""Kinds of alerts, and of the troubles that `Model.troubles` reports."""


def run(services: Services) -> None:
    troubles = services.model.troubles()
    if troubles is None:
        return
    now = services.clock.now()
    with services.transaction() as db:
        for kind in KINDS:
            sentences = (trouble.sentence for trouble in troubles if trouble.kind == kind)
            raise_or_clear(db, kind, " ".join(sentences), now)

"""Whether the model that is set is offered, to this key, and for how long still."""

from collections.abc import Iterator

from app.checks.finding import Finding, bad, ok, warn
from app.services import Model
from app.settings import Settings


def check_model(settings: Settings, model: Model) -> Iterator[Finding]:
    if settings.anthropic_api_key is None:
        return
    troubles = model.troubles()
    if troubles is None:
        yield warn("model", f"not looked at: nobody could be asked whether {model.name} is offered.")
    elif not troubles:
        yield ok("model", f"{model.name} is offered to this key.")
    for trouble in troubles or ():
        level = warn if trouble.kind == "model_retires" else bad
        yield level("model", trouble.sentence)

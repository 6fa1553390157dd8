"""Asks at the start, and once a day, whether the model that is set is still offered."""

from app.operations.model_standing import look
from app.operations.triggers import AtStartAndDaily
from app.services import Services

SCHEDULE = AtStartAndDaily()


def run(services: Services) -> None:
    look(services)

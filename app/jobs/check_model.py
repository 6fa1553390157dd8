"""Asks at the start, and once a day, whether the model that is set is still offered."""

from app.operations.alerts import look_at_model
from app.operations.triggers import AtStartAndDaily
from app.services import Services

SCHEDULE = AtStartAndDaily()


def run(services: Services) -> None:
    look_at_model(services)

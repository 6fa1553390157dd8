"""Calendars that people connect by their iCal address: a tool that reads them, and the source behind it."""

from app.features.calendars.tool import calendar
from app.services import Calendars
from app.services.feature import Feature
from app.settings import Settings
from app.settings.validators import listed


def ics_calendars(settings: Settings) -> Calendars:
    from app.features.calendars.ics import IcsCalendars  # noqa: PLC0415  (its libraries take a while to load)

    own = settings.calendar_origins
    return IcsCalendars(tuple(listed(own)) if own else ())


CALENDARS = Feature("calendars", tools=(calendar,), calendars=ics_calendars)

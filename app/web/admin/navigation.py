"""The bar at the top of each page: which pages it leads to, and which of them a page belongs to."""

from dataclasses import dataclass

from flask import current_app, request

from app.web.roles import OWN_LOGIN


@dataclass(frozen=True)
class Place:
    """One entry of the bar: the page it leads to, and all pages below it."""

    label: str
    endpoint: str
    below: frozenset[str] = frozenset()
    """Other endpoints at which the entry is marked as where one is."""


PLACES = (
    Place("Today", "admin.home"),
    Place("People", "admin.people"),
    Place("Memory", "admin.memory", frozenset({"admin.review"})),
    Place("Routines", "admin.all_routines", frozenset({"admin.routine_history"})),
    Place("Numbers", "admin.numbers"),
    Place("Log", "admin.log"),
    Place(
        "Settings",
        "admin.settings",
        OWN_LOGIN
        | frozenset(
            {
                "admin.password",
                "admin.security",
                "admin.authenticator_app",
                "admin.operators",
                "admin.add_operator",
                "admin.one_operator",
                "admin.set_role",
                "admin.reset_operator",
                "admin.remove_operator",
                "admin.ask_outside",
                "admin.prompts",
                "admin.prompt",
            }
        ),
    ),
)


def places() -> list[Place]:
    """Those that this installation has."""
    return [place for place in PLACES if place.endpoint in current_app.view_functions]


def here() -> str:
    """The endpoint of the place that the page in hand belongs to."""
    for place in PLACES:
        if request.endpoint == place.endpoint or request.endpoint in place.below:
            return place.endpoint
    return "admin.people" if request.endpoint else ""  # Whatever is of one person; nothing, where there is no page.

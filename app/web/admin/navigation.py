"""The bar at the top of each page: the pages it leads to, and the one of them that a page belongs to.

A page that the bar leads to says so with a `PLACE` in its module; one that stands below such a page names that page's
endpoint as `BELOW`. All others are of one person.
"""

import sys
from dataclasses import dataclass
from types import ModuleType

from flask import current_app, request


@dataclass(frozen=True)
class Place:
    """One entry of the bar."""

    label: str
    endpoint: str
    """The page it leads to."""
    order: int
    """From left to right."""


def places() -> list[Place]:
    """Those that this installation has."""
    modules = {_module_of(endpoint) for endpoint in current_app.view_functions if endpoint.startswith("admin.")}
    found = (getattr(module, "PLACE", None) for module in modules)
    return sorted((place for place in found if place is not None), key=lambda place: place.order)


def here() -> str:
    """The endpoint of the place that the page in hand belongs to."""
    if not request.endpoint:
        return ""  # There is no page.
    module = _module_of(request.endpoint)
    place = getattr(module, "PLACE", None)
    return place.endpoint if place is not None else getattr(module, "BELOW", "admin.people")


def _module_of(endpoint: str) -> ModuleType | None:
    view = current_app.view_functions.get(endpoint)
    return sys.modules.get(view.__module__) if view is not None else None

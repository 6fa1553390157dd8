"""The tools of features as the contract has them, behind the core's."""

from typing import Any

import pytest

from app.features.calendars.tool import calendar
from app.features.weather.tool import get_weather
from app.services.tool import Tool
from app.tools.registry import TOOLS, definition
from tests.every_tool import EVERY_TOOL


def test_they_are_offered_behind_the_cores_always_in_the_same_order() -> None:
    assert list(EVERY_TOOL) == [*TOOLS, "get_weather", "calendar"]


@pytest.mark.parametrize(
    ("tool", "required", "optional"),
    [(get_weather, [], ["place", "span", "units"]), (calendar, ["action"], ["day", "until", "at", "name"])],
)
def test_what_they_need_and_what_they_may_have_is_as_in_the_contract(
    tool: Tool, required: list[str], optional: list[str]
) -> None:
    schema: dict[str, Any] = definition(tool)["input_schema"]

    assert schema.get("required", []) == required
    assert list(schema["properties"]) == required + optional

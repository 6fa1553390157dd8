"""Simple questions about what is outside: the weather, and what is in the calendar. Pure; the tools look it up."""

import re
from typing import Any

from app.calendar_addresses import SHOWN
from app.clients.offline.plan import Call
from app.clients.offline.scene import Scene, Step

_GREETS = r"(?:(?:hey|hi|hello|ok|okay|and|so|please|good morning)[ ,!.]+)*"
_WEATHER = re.compile(
    rf"{_GREETS}(?:(?:(?:what|how)(?:['’]?s| is| will| about)?|show me|tell me|check|get|give me)?(?: (?:the|it|my))? ?"
    r"(?:weather|forecast|temperature)(?: forecast| report)?|"
    r"(?:will it|is it (?:going to|gonna)|does it) (?:rain|snow|be (?:hot|cold|warm|sunny|windy))|"
    r"is it (?:raining|snowing|cold|hot|warm|sunny|windy)(?: outside)?|"
    r"do i need (?:an umbrella|a (?:coat|jacket)))\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_IN_ROUTINE = re.compile(r"\b(?:weather|forecast)\b", re.IGNORECASE)
_CALENDAR = re.compile(
    rf"{_GREETS}(?:what(?:['’]?s| is| have i got| do i have)(?: on)?(?: (?:on|in))?"
    r"(?: my (?:calendar|agenda|schedule|plate|day))?|(?:show me |check )?my (?:calendar|agenda|schedule|appointments)|"
    r"do i have (?:anything|something|any (?:appointments|meetings|plans))(?: on)?)(?: (?:for|on))?"
    r"(?: (?P<day>today|tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday))?[?!. ]*",
    re.IGNORECASE,
)
_DISCONNECTS = re.compile(
    r"(?:please )?(?:disconnect|unlink|remove) (?:my|the) (?:(?P<name>\w+) )?calendar(?: please)?[.! ]*", re.IGNORECASE
)
_MY_DAY = re.compile(r"\b(?:calendar|agenda|schedule|appointments|my day|your day|meetings)\b", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(?:(?P<tomorrow>tomorrow(?: (?:morning|afternoon|evening|night))?)|"
    r"(?P<week>(?:for |over )?(?:this|the|next|all)(?: (?:7|seven|few|coming))? (?:week|days)|all week)|"
    r"(?:for )?today|tonight|(?:right )?now|this (?:morning|afternoon|evening))\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|for|around) (?P<place>[^\W\d_][\w ,.'’-]{1,60})", re.IGNORECASE)
_FILLER = re.compile(r"\b(?:be|like|look|looking|going to|please|outside|here|there|then)\b|[?!., ]", re.IGNORECASE)


def calls(scene: Scene) -> list[Call]:
    """What the words ask to be looked up; nothing where they ask for something else as well."""
    if scene.is_routine:
        found = [Call("get_weather", {})] if _IN_ROUTINE.search(scene.words) else []
        found += [Call("get_calendar", {"day": "today"})] if _MY_DAY.search(scene.words) else []
    else:
        found = _weather(scene.words) or _calendar(scene.words)
    made = {step.tool for step in scene.steps}
    return [call for call in found if call.tool in scene.tools | made]


def not_made(wanted: list[Call], scene: Scene) -> list[Call]:
    """Those of the calls that are still to be made."""
    made = {step.tool for step in scene.steps}
    return [call for call in wanted if call.tool not in made]


def said(scene: Scene) -> str:
    """What came of the calls."""
    return " ".join(
        step.message if step.failed else _SAID[step.tool](step) for step in scene.steps if step.tool in _SAID
    )


def _weather(words: str) -> list[Call]:
    found = _WEATHER.fullmatch(words.strip())
    if found is None:
        return []
    rest, given = found["rest"], {}
    if span := _SPAN.search(rest):
        rest = f"{rest[: span.start()]} {rest[span.end() :]}"
        if span["tomorrow"] or span["week"]:
            given["span"] = "tomorrow" if span["tomorrow"] else "week"
    if place := _PLACE.search(rest):
        rest = rest[: place.start()]
        given["place"] = place["place"].strip(" ,.")
    return [Call("get_weather", given)] if not _FILLER.sub("", rest) else []


def _calendar(words: str) -> list[Call]:
    if SHOWN in words:
        return [Call("set_calendar", {})]
    if away := _DISCONNECTS.fullmatch(words.strip()):
        return [Call("set_calendar", {"disconnect": True} | ({"name": away["name"]} if away["name"] else {}))]
    found = _CALENDAR.fullmatch(words.strip())
    if found is None or not (found["day"] or _MY_DAY.search(words)):
        return []
    day = (found["day"] or "today").lower()
    return [Call("get_calendar", {"day": "today" if day == "tonight" else day})]


def _say_calendar(step: Step) -> str:
    events = [f"{one['when']}: {one['title']}." for one in step.result["events"]]
    missing = [f"Not read: {one}" for one in step.result.get("missing") or []]
    return " ".join([*(events or ["Nothing is in your calendar then."]), *missing])


def _say_connected(step: Step) -> str:
    if step.input.get("disconnect"):
        return "Okay, I don't look at that calendar any more. /undo connects it again."
    names = ", ".join(step.result["calendars"])
    named = f": {names}" if names != "calendar" else ""
    return f"Your calendar is connected{named}. Its address stays hidden."


def _say_weather(step: Step) -> str:
    result = step.result
    degrees = f" {result['units'][1]}"  # The sign of degrees is not in the alphabet of texts.
    days = [_say_day(day, degrees) for day in result["days"]]
    now = result.get("now") or {}
    parts = [f"{result['place']}:"]
    if "degrees" in now:
        parts.append(f"now {now['degrees']}{degrees}, {now['sky']}.")
    return " ".join([*parts, *days])


def _say_day(day: dict[str, Any], degrees: str) -> str:
    low, high = day.get("low"), day.get("high")
    warmth = f", {low} to {high}{degrees}" if low is not None and high is not None else ""
    rain = f", {day['rain_chance']}% chance of rain" if day.get("rain_chance") else ""
    return f"{day['day'][:1].upper()}{day['day'][1:]}: {day['sky']}{warmth}{rain}."


_SAID = {"get_weather": _say_weather, "get_calendar": _say_calendar, "set_calendar": _say_connected}

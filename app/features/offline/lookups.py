"""Simple questions that tools can look up: the weather, and the calendar and reminders of a day. Pure."""

import re
from collections import Counter
from datetime import date, datetime, timedelta

from app.clock import WEEKDAYS
from app.features.offline.english import capital, named_pattern, tidy, uncapital
from app.features.offline.pages import read_page
from app.features.offline.scene import Call, Scene, Step
from app.text.secrets import CALENDAR_SIGN

_IN_ROUTINE = re.compile(r"\b(?:weather|forecast)\b", re.IGNORECASE)
_MY_DAY = named_pattern("my_day")
_WEEK_DAYS = 7
ALL_PAUSED = "All is paused: nothing comes until you text /resume."


def calls(scene: Scene) -> list[Call]:
    """The lookups that the words ask for; none if they ask for anything else as well."""
    made = {step.tool for step in scene.steps}
    has_calendar = "calendar" in scene.tools | made
    if scene.is_routine:
        found = [Call("get_weather", {})] if _IN_ROUTINE.search(scene.words) else []
        found += _of_days("today", scene.today, scene.today) if _MY_DAY.search(scene.words) and has_calendar else []
    else:
        found = _calls_for(scene.words, scene.today)
    return [call for call in found if call.tool in scene.tools | made]


def contains_lookup(words: str) -> bool:
    """True if a routine with these words looks something up when it comes."""
    return any(asks.search(words) for asks in (_IN_ROUTINE, _MY_DAY))


def results_in_words(scene: Scene) -> str:
    """The results of the calls, in words."""
    told = [(step, _SAID.get((step.tool, step.input.get("action")))) for step in scene.steps]
    parts = [step.message if step.failed else say(step) for step, say in told if say is not None]
    listed = next(iter(scene.done("change_routine", "list")), None)
    calendar = next(iter(scene.steps_of("calendar", "look")), None)
    end = f"{_UNCONNECTED}." if calendar and calendar.failed and _UNCONNECTED in calendar.message else ""
    if calendar and not end:
        events = [f"{one['when']}: {one['title']}." for one in calendar.result.get("events") or []]
        missing = [f"Not read: {one}" for one in calendar.result.get("missing") or []]
        read = " ".join([*(events or ["Nothing is in your calendar then."]), *missing])
        parts.append(calendar.message if calendar.failed else read)
    coming = _say_coming(listed, scene.today) if listed else ""
    if listed and end and not coming:
        parts.append(
            f"Nothing comes by itself then, {uncapital(end)[:-1]}, and what you only told me I can't find by its day."
        )
    elif coming or end:
        parts.append(f"{coming} {end}".strip())
    elif listed and not parts:
        parts.append("Nothing comes by itself then.")
    return " ".join([*parts, ALL_PAUSED] if scene.all_paused else parts)


def _calls_for(words: str, today: date | None) -> list[Call]:
    """The calls if the whole text asks for a lookup."""
    if CALENDAR_SIGN in words:
        return [Call("calendar", {"action": "connect"})]
    [kind, *_], said = read_page("looked_up.txt").meant(tidy(words).strip("?!. \n"))
    match kind:
        case "weather":
            span = "tomorrow" if "tomorrow" in said else "week" if "days" in said else ""
            given = {"span": span, "place": said.get("place", "").strip(" ,.")}
            return [Call("get_weather", {name: words for name, words in given.items() if words})]
        case "disconnect":
            return [Call("calendar", {"action": "disconnect"} | ({"name": said["name"]} if "name" in said else {}))]
        case "days" | "coming":
            named = said.get("day", "today").lower().replace("tonight", "today")
            first = last = day_named(named, today)
            if "week" in said and today:
                first = today + timedelta(days=_WEEK_DAYS - today.weekday() if "next" in said else 0)
                named, last = first.isoformat(), first + timedelta(days=_WEEK_DAYS - 1)
            return _of_days(named, first, last)[kind == "coming" :]
    return []


def day_named(named: str, today: date | None) -> date | None:
    if today is None:
        return None
    if named in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(named) - today.weekday()) % _WEEK_DAYS)
    return today + timedelta(days=named == "tomorrow")


def _of_days(named: str, first: date | None, last: date | None) -> list[Call]:
    """Calls for the calendar and the reminders of these days; without a clock only for the calendar."""
    until = {"until": last.isoformat()} if first and last and last > first else {}
    listed = [Call("change_routine", {"action": "list", "day": first.isoformat(), **until})] if first else []
    return [Call("calendar", {"action": "look", "day": named, **until}), *listed]


def _say_coming(step: Step, today: date | None) -> str:
    """`Tomorrow: 08:00 Stretch; 19:00 Gym.` For several days it names each day, and for a repeated one the schedule."""
    coming = step.result.get("coming") or []
    if not coming:
        return ""
    if "until" not in step.input:
        told = "; ".join(f"{one['at'][-5:]} {one['words']}" for one in coming)
        return f"{_spoken_day(date.fromisoformat(step.input['day']), today)}: {told}."
    often = {one["id"]: one["when"] for one in step.result.get("routines") or []}
    times = Counter(one["id"] for one in coming)
    in_week = []
    for one in coming:
        at = datetime.fromisoformat(one["at"])
        by_day = f"{_spoken_day(at.date(), today)}, {at:%H:%M}: {one['words']}"
        in_week.append(f"{one['words']}, {often.get(one['id'], 'again and again')}" if times[one["id"]] > 1 else by_day)
    return "; ".join(dict.fromkeys(in_week)) + "."


def _spoken_day(day: date, today: date | None) -> str:
    ahead = (day - today).days if today else None
    return "Today" if ahead == 0 else "Tomorrow" if ahead == 1 else f"{day:%A} {day.day} {day:%B}"


def _say_connected(step: Step) -> str:
    if step.input.get("action") == "disconnect":
        return "Okay, I don't look at that calendar any more. /undo connects it again."
    names = ", ".join(step.result["calendars"])
    named = f": {names}" if names != "calendar" else ""
    return f"Your calendar is connected{named}. Its address stays hidden."


def _say_weather(step: Step) -> str:
    result = step.result
    degrees = f" {result['units'][1]}"  # The degree sign is not in the alphabet of texts.
    now = result.get("now") or {}
    parts = [f"{result['place']}:"] + ([f"now {now['degrees']}{degrees}, {now['sky']}."] if "degrees" in now else [])
    for day in result["days"]:
        low, high = day.get("low"), day.get("high")
        warmth = f", {low} to {high}{degrees}" if low is not None and high is not None else ""
        rain = f", {day['rain_chance']}% chance of rain" if day.get("rain_chance") else ""
        parts.append(f"{capital(day['day'])}: {day['sky']}{warmth}{rain}.")
    return " ".join(parts)


_SAID = {
    ("get_weather", None): _say_weather,
    ("calendar", "connect"): _say_connected,
    ("calendar", "disconnect"): _say_connected,
}
_UNCONNECTED = "No calendar is connected"  # Beginning of the tool's refusal; the rest is for the model.

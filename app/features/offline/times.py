"""Times as a friend texts them: `7:19 PM tonight`, `every weekday at 7 AM`. Pure; what the tools tell goes in."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from app.features.offline.scene import Scene
from app.text.zones import zone_of_home

_INSTANT = re.compile(
    r"(?P<near>today, |tomorrow, )?(?P<weekday>[A-Z][a-z]+day) (?P<day>\d{1,2} [A-Z][a-z]+) (?P<year>\d{4}), "
    r"(?P<clock>\d\d:\d\d) \((?P<zone>[^)]+)\)"
)
_DATE = re.compile(r"\b(?P<day>\d{1,2} (?:[JFMASOND][a-z]{2,8})) (?P<year>\d{4})\b")
_CLOCK = re.compile(r"\b(?P<hour>\d\d):(?P<minute>\d\d)\b(?! [AP]M)")
_TWELVE = re.compile(r"\d ?[ap]\.?m\b", re.IGNORECASE)
_TWENTY_FOUR = re.compile(r"\b(?:0\d|1[3-9]|2[0-3])[:.h]\d\d\b|\bat (?:1[3-9]|2[0-3])\b(?! ?[%$])", re.IGNORECASE)
_ZONES_OF_TWELVE = re.compile(
    r"US/|Canada/|Australia/|Pacific/(?:Auckland|Honolulu)|Asia/(?:Kolkata|Karachi|Dhaka|Manila|Riyadh|Singapore)|"
    r"America/(?:Indiana|Kentucky|North_Dakota|New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|"
    r"Juneau|Toronto|Vancouver|Edmonton|Winnipeg|Regina|Halifax|St_Johns|Mexico_City|Bogota)|Africa/Cairo"
)
"""Where most people write hours with AM and PM. Source: CLDR, timeData."""
_NOON, _EVENING = 12, 18
_A_WEEK = timedelta(days=7)
_OBVIOUS = timedelta(days=300)
"""So near, a date says its year by itself."""


def instant(said: str) -> datetime:
    """The instant that a tool has told by the clock of a zone."""
    found = _INSTANT.search(said)
    if found is None:
        return datetime.max.replace(tzinfo=UTC)
    wall = datetime.strptime(f"{found['day']} {found['year']} {found['clock']}", "%d %B %Y %H:%M")  # noqa: DTZ007 (the zone follows)
    return wall.replace(tzinfo=ZoneInfo(found["zone"]))


def in_words(said: str, scene: Scene) -> str:
    """What a tool tells of times, in the person's own style: their clock, no year and no zone that is plain."""
    said = _INSTANT.sub(lambda found: _instant_in_words(found, scene), said)
    said = _DATE.sub(lambda found: _dated(found["day"], found["year"], scene), said)
    return re.sub(r"^daily\b", "every day", _CLOCK.sub(lambda found: _on_clock(found[0], scene), said))


def zone_in_words(zone: str) -> str:
    """`America/Los_Angeles` → `Los Angeles time`."""
    return f"{zone.rpartition('/')[2].replace('_', ' ')} time"


def is_told(zone: str, scene: Scene) -> bool:
    """True where the person told that they live by the zone, or has read of it in this talk."""
    told = any(zone_of_home(fact) == zone for fact in scene.facts)
    return told or any(zone in reply or zone_in_words(zone) in reply for reply in scene.replies)


def _instant_in_words(found: re.Match[str], scene: Scene) -> str:
    clock, day, is_here = _on_clock(found["clock"], scene), instant(found[0]).date(), found["zone"] == scene.timezone
    if is_here and found["near"] == "today, ":
        return f"{clock} {'tonight' if int(found['clock'][:2]) >= _EVENING else 'today'}"
    if is_here and found["near"]:
        return f"{clock} tomorrow"
    date = f", {_dated(found['day'], found['year'], scene)}" if day - (scene.today or day) >= _A_WEEK else ""
    where = "" if is_here else f" ({zone_in_words(found['zone'])})"
    return f"{clock} on {found['weekday']}{date}{where}"


def _dated(day: str, year: str, scene: Scene) -> str:
    try:
        on = datetime.strptime(f"{day} {year}", "%d %B %Y").date()  # noqa: DTZ007 (a date)
    except ValueError:
        return f"{day} {year}"
    is_plain = scene.today is not None and timedelta() <= on - scene.today < _OBVIOUS
    return day if is_plain else f"{day} {year}"


def _on_clock(clock: str, scene: Scene) -> str:
    if not _writes_am_and_pm(scene):
        return clock
    hour, minute = int(clock[:2]), clock[3:]
    said = f"{hour % _NOON or _NOON}{f':{minute}' if minute != '00' else ''}"
    return f"{said} {'AM' if hour < _NOON else 'PM'}"


def _writes_am_and_pm(scene: Scene) -> bool:
    """As they wrote it last; else as where they are."""
    for words in (scene.words, *scene.earlier):
        if _TWELVE.search(words) or _TWENTY_FOUR.search(words):
            return _TWELVE.search(words) is not None
    return _ZONES_OF_TWELVE.match(scene.timezone or "") is not None

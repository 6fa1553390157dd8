"""The person's clocks: those of the home that they told, of a zone that they named, or of where they stay."""

import re
from datetime import date, timedelta

from app.features.offline.ends import read_end
from app.features.offline.reading import Reading
from app.features.offline.scene import Call, Scene
from app.text.zone_names import zone_named
from app.text.zone_places import zone_of_home, zone_of_place

AT_HOME = "home"
"""In the place of a zone, for the tool: a stay is over."""

_NAMED = re.compile(r"(?:my |set my |change my )?time ?zone(?: is| to)? (?P<zone>.+)", re.IGNORECASE)
_STAY = re.compile(
    r"(?:(?:i am|we are) )?in (?P<place>[^\W\d_][\w .'-]*?)(?: (?:right )?now)?"
    r"(?:,? (?P<end>until .+|for .+|this week))?",
    re.IGNORECASE,
)
_HOME = re.compile(r"(?:i am|we are) (?:back )?(?:at )?home(?: again| now)?", re.IGNORECASE)


def calls(reading: Reading, scene: Scene, today: date) -> list[Call]:
    """The call that sets their clocks, once what they told of their home is kept."""
    kept = {str(item["fact"]) for step in scene.steps_of("extract_memory") for item in step.result.get("stored") or []}
    kept |= {str(step.input["fact"]) for step in scene.steps_of("update_memory") if not step.failed}
    homes = [{"timezone": zone} for one in reading.told if one.fact in kept and (zone := zone_of_home(one.fact))]
    wanted = [*homes, *(given for one in reading.missed if (given := _wanted(one, today)))]
    if wanted and wanted[-1]["timezone"] == AT_HOME:
        wanted += [{"timezone": zone} for fact in scene.facts if (zone := zone_of_home(fact))]
    found = [Call("update_profile", given) for given in wanted[-1:] if "update_profile" in scene.tools]
    return [call for call in found if not any(step.input == call.input for step in scene.steps)]


def is_of_clocks(sentence: str, today: date) -> bool:
    """Whether the sentence says where they are, or which zone is theirs."""
    return _wanted(sentence, today) is not None


def said(scene: Scene) -> list[str]:
    """Which clocks are theirs now, and how long."""
    parts = []
    for step in scene.steps_of("update_profile"):
        if step.failed or "timezone" not in step.input:
            continue
        zone, then = step.result.get("timezone"), step.result.get("then")
        parts.append(f"Your time zone is {zone} now." if zone != scene.timezone else "")
        if then:
            parts.append(f"From {then['from']} on it is {then['timezone']} again; if you are back sooner, tell me.")
    return list(filter(None, parts))


def _wanted(sentence: str, today: date) -> dict[str, str] | None:
    if named := _NAMED.fullmatch(sentence):
        zone = zone_named(named["zone"])
        return {"timezone": zone} if zone else None
    if _HOME.fullmatch(sentence):
        return {"timezone": AT_HOME}
    stay = _STAY.fullmatch(sentence)
    zone = zone_of_place(stay["place"].lower()) if stay else None
    if stay is None or zone is None:
        return None
    end = read_end(stay["end"], today) if stay["end"] else None
    if end is None or end.day is None:
        return {"timezone": zone} if not stay["end"] else None
    last = end.day if stay["end"].lower() != "this week" else end.day - timedelta(days=1)
    return {"timezone": zone, "until": last.isoformat()}

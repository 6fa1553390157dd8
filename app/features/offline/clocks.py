"""The person's clocks: those of the home that they told, or of a zone that they named."""

import re

from app.features.offline.reading import Reading
from app.features.offline.scene import Call, Scene
from app.text.zones import zone_named, zone_of_home

_NAMED = re.compile(r"(?:my |set my |change my )?time ?zone(?: is| to)? (?P<zone>.+)", re.IGNORECASE)


def calls(reading: Reading, scene: Scene) -> list[Call]:
    """The call that sets their clocks, once what they told of their home is kept."""
    kept = {str(item["fact"]) for step in scene.steps_of("extract_memory") for item in step.result.get("stored") or []}
    kept |= {str(step.input["fact"]) for step in scene.steps_of("update_memory") if not step.failed}
    zones = [zone_of_home(one.fact) for one in reading.told if one.fact in kept]
    wanted = [Call("update_profile", {"timezone": zone}) for zone in (*zones, *map(zone_told, reading.missed)) if zone]
    done = [step.input for step in scene.steps]
    return [one for one in wanted[-1:] if one.tool in scene.tools and one.input not in done]


def zone_told(sentence: str) -> str | None:
    """The zone that the sentence says is theirs."""
    named = _NAMED.fullmatch(sentence)
    return zone_named(named["zone"]) if named else None


def said(scene: Scene) -> list[str]:
    """Which clocks are theirs now."""
    zones = [step.result.get("timezone") for step in scene.steps_of("update_profile") if "timezone" in step.input]
    return [f"Your time zone is {zone} now." for zone in zones if zone and zone != scene.timezone]

"""Confirmations of reminders and routines, in a line as a friend would text it, or the question. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from app.features.offline import lookups
from app.features.offline.english import uncapital
from app.features.offline.named import WHICH_ONE, near
from app.features.offline.scene import Scene, Step
from app.features.offline.times import in_words, instant, is_told, zone_in_words
from app.features.offline.wishes import Wish

MOST_NAMED = 6  # Of those that were paused: more are counted.
NOTHING = "Nothing is scheduled."
WORDS_ALONE = "Without a model only these words come then: I can't make anything of them."
_BY_COMMAND = {"stop": "/routines forget", "skip": "/routines skip", "pause": "/pause", "resume": "/resume"}
_FOR_THE_MODEL = re.compile(r"(?<=[.?!]) (?:Send|Give|Call|Leave|Ask)\b.*|^\w+: ")
"""In a refusal: the name of a field, and what the model may send instead."""
_TO_BE_MADE = re.compile(
    r"\b(?:plans?|summary|summari[sz]e|briefing|overview|news|headlines|jokes?|quotes?|recipes?|ideas?|tips?|poems?|"
    r"stor(?:y|ies)|trivia|horoscope|updates?|scores?|suggest\w*|recommend\w*|inspir\w*|motivat\w*|something|"
    r"what|how|whether|which|prices?|traffic|a (?:fact|question|word)|word of the day|to-?do list)\b",
    re.IGNORECASE,
)
"""What a routine may ask for that only a model could make."""

Routine = dict[str, Any]


def of_wishes(
    meant: Sequence[tuple[Wish, list[Routine]]],
    steps: Sequence[Step],
    scene: Scene,
    standing: Sequence[Routine] = (),
) -> list[str]:
    """What the steps did, and what is said of the wishes that had none."""
    parts = [_of_step(step, scene) for step in steps]
    for wish, routines in meant:
        match wish.kind:
            case _ if wish.question:
                parts.append(wish.question)
            case "list" | "next" | "when":
                parts += [_list(standing, scene) if wish.kind == "list" else _next(wish, routines, standing, scene)]
                parts += [_all_paused(scene)]
            case "pause all" | "resume all" | "waits":
                parts.append(_of_all(wish, steps, standing, scene))
            case "done" | "snooze" if not routines:
                parts.append("Well done!" if wish.kind == "done" else "Nothing has come lately that I could put off.")
            case "set" | "quiet":
                pass
            case _ if len(routines) != 1:
                parts.append(_which(wish, routines, standing, scene))
    return list(filter(None, parts))


def _of_step(step: Step, scene: Scene) -> str:
    if step.failed:
        refusal = _FOR_THE_MODEL.sub("", step.message).strip()
        return f"That did not work. {in_words(refusal[:1].upper() + refusal[1:], scene)}"
    if step.tool == "update_profile":
        first, _, last = step.result["quiet_hours"].partition("-")
        hours = f"{in_words(first, scene)} to {in_words(last, scene)}"
        return f"OK, I text nothing by myself from {hours}, but at an hour that you name."
    if "cancelled" in step.result:
        words = "; ".join(one["words"] for one in step.result["cancelled"])
        return f"OK, cancelled: {words}." if words else ""
    if "routines" in step.result:
        return _all_changed(step.result, scene)
    routine = step.result["routine"]
    return f"{_changed(step.input.get('action', 'set'), routine, step.result, scene)}{_noted(routine)}"


def _changed(action: str, routine: Routine, result: dict[str, Any], scene: Scene) -> str:
    words = _words(routine, scene)
    coming = f" Next: {' and '.join(in_words(one, scene) for one in routine['next'])}." if routine["next"] else ""
    match action:
        case "done":
            said = "Well done!"
        case "snooze":
            said = f"OK, again at {in_words(result['snoozed_to'], scene)}: {words}."
        case "skip" if result.get("had_come"):
            said = f"OK, not today: {words}.{coming or ' It does not come again.'}"
        case "skip":
            said = f"OK, left out {in_words(result['left_out'], scene)}: {words}.{coming}"
        case "pause":
            said = f"OK, paused: {words}.{coming} /resume {routine['id']} brings it back."
        case _ if routine["state"] != "active":
            said = f"Shall I text you this: {words}, {_often(routine, scene)}? Text /resume {routine['id']} if so."
        case _:
            said = f"OK, {_often(routine, scene)}{_zone(routine, scene)}: {words}."
    return said


def _often(routine: Routine, scene: Scene) -> str:
    """When it comes: of what comes once the time, of all else how often."""
    comes_once = routine["when"].startswith("on ") and len(routine["next"]) == 1 and " of each " not in routine["when"]
    return in_words(routine["next"][0] if comes_once else routine["when"], scene)


def _zone(routine: Routine, scene: Scene) -> str:
    """By whose clock it comes, where the person may not know."""
    zone, _, how = routine["zone"].partition(" ")
    is_said = zone_in_words(zone) in _often(routine, scene) or (how != "(stays there)" and is_told(zone, scene))
    return "" if is_said else f" ({zone_in_words(zone)})"


def _words(routine: Routine, scene: Scene) -> str:
    """Its words within a sentence; a name at their beginning keeps its capital."""
    small = uncapital(routine["words"])
    written = {"text", "your", *re.findall(r"[\w'-]+", " ".join((scene.words, *scene.earlier)))}
    return small if small.partition(" ")[0] in written else str(routine["words"])


def _noted(routine: Routine) -> str:
    """What is to be known before anybody relies on it."""
    makes = routine.get("does") == "run" and not lookups.are_in(routine["words"])
    notes = [routine.get("note") or "", WORDS_ALONE if makes and _TO_BE_MADE.search(routine["words"]) else ""]
    return "".join(f" {note[:1].upper()}{note[1:]}" for note in notes if note)


def _all_changed(result: dict[str, Any], scene: Scene) -> str:
    """What became of all: how many they are, by name where they are few, and until when."""
    words = [one["words"] for one in result["routines"]]
    named = f": {'; '.join(words)}" if words and len(words) <= MOST_NAMED else f" ({len(words)})" if words else ""
    if not result["paused"]:
        return f"OK, these come again{named}." if words else "OK, the pause is over."
    until = f" until {in_words(result['paused_until'], scene)}" if result.get("paused_until") else ""
    lost = "; ".join(f"{one['words']}, {in_words(one['when'], scene)}" for one in result["will_not_come"])
    not_coming = f" In that time falls what comes once, and will not come: {lost}." if lost else ""
    return f"OK, all is paused{until}{named}. /resume brings it back{' sooner' if until else ''}.{not_coming}"


def _of_all(wish: Wish, steps: Sequence[Step], standing: Sequence[Routine], scene: Scene) -> str:
    """How that comes again which waits for a yes: each by its number, so that no yes to something else starts it."""
    waits = [one for one in standing if one["state"] == "proposed"]
    if waits and wish.kind != "pause all":
        return f"This comes once you say so: {_list(waits, scene)} Text /resume and the number, or /resume for all."
    return "" if any("routines" in step.result for step in steps) else _list(standing, scene)


def _all_paused(scene: Scene) -> str:
    """That all is paused, if it is."""
    until = next((step.result.get("paused_until") for step in scene.steps_of("change_routine", "list")), None)
    ends = f"{in_words(until, scene)}, or until you text /resume" if until else "you text /resume"
    return f"All is paused: nothing comes until {ends}." if scene.all_paused else ""


def _next(wish: Wish, asked: Sequence[Routine], standing: Sequence[Routine], scene: Scene) -> str:
    """What comes next of all, or of what is named, and of one that is named the next two times."""
    is_one = bool(wish.words) and len(asked) == 1
    if is_one and asked[0]["state"] == "paused":
        return f"{asked[0]['words']}: that is paused. /resume {asked[0]['id']} brings it back."
    coming = [
        (instant(said), one["words"], said)
        for one in asked
        for said in (one.get("snoozed_to"), *one["next"])
        if said and one["state"] == "active"
    ]
    if not coming:
        return _which(wish, asked, standing, scene)
    times = [in_words(said, scene) for _, _, said in sorted(coming)[: len(coming) if is_one else 1]]
    return f"Next: {min(coming)[1]}, {' and '.join(times)}."


def _which(wish: Wish, meant: Sequence[Routine], standing: Sequence[Routine], scene: Scene) -> str:
    """That none is meant, or several, with those that there are."""
    if not standing:
        return NOTHING
    how = f"Text {_BY_COMMAND[wish.kind]} and the number." if wish.kind in _BY_COMMAND else ""
    likely = meant or (near(wish.words, standing) if wish.words else standing)
    first = WHICH_ONE if likely else "Nothing like that is scheduled. What is:"
    return f"{first} {_list(likely or standing, scene)} {how}".strip()


def _list(routines: Sequence[Routine], scene: Scene) -> str:
    told = [f"{one['id']}. {one['words']}, {_often(one, scene)}." for one in routines]
    return " ".join(told) or NOTHING

"""Reminders and routines: which tools their wishes call, which one is meant, and what is said of it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.features.offline import lookups
from app.features.offline.english import stems, to_you, uncapital
from app.features.offline.facts import CANNOT
from app.features.offline.scene import Call, Scene, Step
from app.features.offline.times import in_words, is_told, zone_in_words
from app.features.offline.wishes import TEXT_ME, Wish

NOT_NOW = "That did not work. Please try again a little later."
NOTHING = "Nothing is scheduled."
WORDS_ALONE = "Without a model only these words come then: I can't make anything of them."
_FOR_THE_MODEL = re.compile(r"(?<=[.?!]) (?:Send|Give|Call|Leave|Ask)\b.*|^\w+: ")
"""In a refusal: the name of a field, and what the model may send instead."""
_TO_BE_MADE = re.compile(
    r"\b(?:plans?|summary|summari[sz]e|briefing|overview|news|headlines|jokes?|quotes?|recipes?|ideas?|tips?|poems?|"
    r"stor(?:y|ies)|trivia|horoscope|updates?|scores?|suggest\w*|recommend\w*|inspir\w*|motivat\w*|something|"
    r"what|how|whether|which|prices?|traffic|a (?:fact|question|word)|word of the day|to-?do list)\b",
    re.IGNORECASE,
)
"""What a routine may ask for that only a model could make."""
_NAMES_NOTHING = frozenset(
    "each please anymore again text message reminder routine alarm brief just only mean meant number yes".split()
)

Routine = dict[str, Any]


def at_its_time(words: str) -> str:
    """What is said when a routine is due: nothing is looked up here, but nobody is left waiting either."""
    if not words.startswith(TEXT_ME):
        return f"It's time: {words}"
    return f"It's time: {uncapital(to_you(words.removeprefix(TEXT_ME)))}"


def calls(wishes: Sequence[Wish], scene: Scene) -> list[Call]:
    """The calls to make now for what the person wants to come, or to come no more."""
    listed = _listed(scene)
    found = [call for wish in wishes if not wish.question for call in _of(wish, listed)]
    done = [(step.tool, step.input) for step in scene.steps]
    return [call for call in found if call.tool in scene.tools and (call.tool, call.input) not in done]


def aside(scene: Scene, words: str) -> Scene:
    """The scene for what else a text says: what was done to routines is no step of it."""
    return replace(scene, words=words, steps=[step for step in scene.steps if not _is_of_routines(step)])


def said(wishes: Sequence[Wish], scene: Scene) -> list[str]:
    """What came of the wishes, or what has to be asked first, or that nothing can be done now."""
    questions = [wish.question for wish in wishes if wish.question]
    steps = [step for step in scene.steps if _is_of_routines(step) and step.input.get("action") != "list"]
    told = [_of_step(step, scene) for step in steps]
    if not questions and not scene.steps and "change_routine" not in scene.tools:
        return [CANNOT]
    listed = _listed(scene)
    if listed is None and scene.steps_of("change_routine", "list"):
        return [*told, *questions, NOT_NOW]
    for wish in wishes:
        if wish.kind == "list":
            told.append(_list(listed or [], scene))
        elif wish.kind == "stop" and len(meant := _meant(wish, listed or [])) != 1:
            told.append(_which(meant, listed or [], scene))
    return [one for one in (*told, *questions) if one]


def _is_of_routines(step: Step) -> bool:
    return step.tool in {"set_routine", "change_routine"} or "quiet_hours" in step.input


def _of(wish: Wish, listed: list[Routine] | None) -> list[Call]:
    """The calls of one wish; the list first, where it speaks of what is there."""
    if wish.kind == "quiet":
        return [Call("update_profile", {"quiet_hours": wish.words})]
    if wish.kind == "set" and not wish.of_last:
        return [_setting(wish)]
    if listed is None:
        return [Call("change_routine", {"action": "list"})]
    meant = _meant(wish, listed)
    if wish.kind == "set":
        return [_setting(wish, replaces=meant[0]["id"] if meant else 0)]
    is_plain = wish.kind == "stop" and len(meant) == 1
    return [Call("change_routine", {"action": "cancel", "routine_ids": [meant[0]["id"]]})] if is_plain else []


def _setting(wish: Wish, replaces: int = 0) -> Call:
    asked = {"does": wish.does, "words": wish.words, "schedule": {"repeat": "once", **wish.schedule}}
    stays = {"stays_in": wish.when.zone} if wish.when.zone else {}
    return Call("set_routine", asked | stays | ({"replaces": replaces} if replaces else {}))


def _meant(wish: Wish, listed: Sequence[Routine]) -> list[Routine]:
    """The routines that a wish is about: those that it names, by number or by words, or the one that spoke last."""
    if wish.of_last:
        return [one for one in listed if one["words"].casefold() == wish.words.casefold()][-1:]
    named = {stem for stem in stems(wish.words) if stem not in _NAMES_NOTHING}
    if not named:
        return [one for one in listed if one.get("spoke_last")]
    if all(word.isdigit() for word in named):
        return [one for one in listed if str(one["id"]) in named]
    by_words = [one for one in listed if named <= set(stems(one["words"]))]
    return by_words or [one for one in listed if named <= {*stems(one["words"]), *stems(one["when"])}]


def _listed(scene: Scene) -> list[Routine] | None:
    good = [step for step in scene.steps_of("change_routine", "list") if not step.failed]
    return [one for one in good[0].result.get("routines") or [] if one["state"] != "ended"] if good else None


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
    routine = step.result["routine"]
    words = _words(routine, scene)
    if routine["state"] != "active":
        return f"Shall I text you this: {words}, {_often(routine, scene)}? Text /resume {routine['id']} if so."
    return f"OK, {_often(routine, scene)}{_zone(routine, scene)}: {words}.{_noted(routine)}"


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


def _which(meant: Sequence[Routine], standing: Sequence[Routine], scene: Scene) -> str:
    """That none is meant, or several, with those that there are."""
    if not standing:
        return NOTHING
    first = "Which one do you mean?" if meant else "Nothing like that is scheduled. What is:"
    return f"{first} {_list(meant or standing, scene)} Text /routines forget and the number."


def _list(routines: Sequence[Routine], scene: Scene) -> str:
    told = [f"{one['id']}. {one['words']}, {_often(one, scene)}{_waits(one)}." for one in routines]
    paused = ["All is paused: nothing comes until you text /resume."] if scene.all_paused else []
    return " ".join([*(told or [NOTHING]), *paused])


def _waits(routine: Routine) -> str:
    return {"proposed": f", waits for your yes: /resume {routine['id']}", "paused": ", paused"}.get(
        routine["state"], ""
    )

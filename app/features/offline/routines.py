"""Reminders and routines: the tool calls for wishes, the routine that is meant, and the replies. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from app.features.offline import lookups
from app.features.offline.english import capital, stems, to_you, uncapital
from app.features.offline.memory import CANNOT
from app.features.offline.scene import Call, Scene, Step
from app.features.offline.wishes import ACTIONS, TEXT_ME, Wish
from app.text.zones import zone_of_home

EVERY_ONE = 0  # In place of an id: all of them.
NOT_NOW = "That did not work. Please try again a little later."
NOTHING = "Nothing is scheduled."
WORDS_ALONE = "Without a model only these words come then: I can't make anything of them."
OTHER_CLOCK = "Is your clock another one? Text me, such as: my time zone is London."
_COMMANDS = {"cancel": "/routines forget", "skip": "/routines skip", "pause": "/pause", "resume": "/resume"}
_FOR_THE_MODEL = re.compile(r"(?<=[.?!]) (?:Send|Give|Call|Leave|Ask)\b.*|^\w+: ")
"""In a refusal: the name of a field, and advice to the model."""
_NAMES_NOTHING = frozenset(
    "each please anymore again text message reminder routine alarm brief just only mean meant number yes thing"
    " one".split()
)

# Times as a friend texts them: `7:19 PM tonight`, `every weekday at 7 AM`.
_INSTANT = re.compile(
    r"(?P<near>today, |tomorrow, )?(?P<weekday>[A-Z][a-z]+day) (?P<day>\d{1,2} [A-Z][a-z]+) (?P<year>\d{4}), "
    r"(?P<clock>\d\d:\d\d) \((?P<zone>[^)]+)\)"
)
_CLOCK = re.compile(r"\b(?P<hour>\d\d):(?P<minute>\d\d)\b")
_NOON, _EVENING = 12, "18:00"
_A_WEEK = timedelta(days=7)

Routine = dict[str, Any]


def due_text(words: str) -> str:
    """The text of a routine that is due: nothing can be looked up here, but nobody is left waiting."""
    if not words.startswith(TEXT_ME):
        return f"It's time: {words}"
    return f"It's time: {uncapital(to_you(words.removeprefix(TEXT_ME)))}"


def calls(wishes: Sequence[Wish], scene: Scene) -> list[Call]:
    """The calls to make now for reminders and routines to set, change or stop."""
    listed = _listed(scene)
    found = [call for wish in wishes if not wish.question for call in _calls_of(wish, listed, scene)]
    return scene.to_make(found)


def without_routine_steps(scene: Scene, words: str) -> Scene:
    """The scene for the rest of a text, without the steps on routines."""
    return replace(scene, words=words, steps=[step for step in scene.steps if not _is_of_routines(step)])


def replies(wishes: Sequence[Wish], scene: Scene) -> list[str]:
    """Replies to the wishes: results, questions to ask first, or that nothing can be done now."""
    named = len(wishes) > 1  # Else nobody knows of which of them a question is asked.
    asked = [(f"{one.words}: " if named and one.words else "", one.question) for one in wishes if one.question]
    questions = ["".join(both) for both in asked]
    steps = [step for step in scene.steps if _is_of_routines(step) and step.input.get("action") != "list"]
    told = [_say_step(step, scene) for step in steps]
    if not questions and not scene.steps and "change_routine" not in scene.tools:
        return [CANNOT]
    listed = _listed(scene)
    if listed is None and scene.steps_of("change_routine", "list"):
        return [*told, *questions, NOT_NOW]
    for wish in wishes:
        if wish.kind == "list":
            told.append(_list(_standing(listed or []), scene))
        elif wish.kind in ACTIONS and not _is_plain(wish, meant := _meant(wish, listed or [], scene)):
            told.append(_unclear(wish, meant, _standing(listed or []), scene))
    return [one for one in (*told, *questions) if one]


def list_naming(question: str, scene: Scene) -> str:
    """A list of the scheduled routines that share a word with the question; empty if none does."""
    named = set(stems(question)) - _NAMES_NOTHING
    found = [one for one in _standing(_listed(scene) or []) if named.intersection(stems(one["words"]))]
    return f"I know only what is scheduled: {_list(found, scene)}" if found else ""


def _is_of_routines(step: Step) -> bool:
    return step.tool in {"set_routine", "change_routine"} or "quiet_hours" in step.input


def _calls_of(wish: Wish, listed: list[Routine] | None, scene: Scene) -> list[Call]:
    """The calls of one wish; first the list, if it is about an existing routine."""
    if wish.kind == "quiet":
        return [Call("update_profile", {"quiet_hours": wish.words})]
    if wish.kind == "set" and not wish.of_last:
        return [_setting(wish)]
    if listed is None:
        return [Call("change_routine", {"action": "list"})]
    meant = _meant(wish, listed, scene)
    if wish.kind == "set":
        return [_setting(wish, replaces=meant[0]["id"] if meant else 0)]
    if wish.kind not in ACTIONS or not _is_plain(wish, meant):
        return []
    asked: dict[str, Any] = {"action": wish.kind, "routine_ids": [EVERY_ONE if wish.of_all else meant[0]["id"]]}
    asked |= {"minutes": wish.minutes} if wish.minutes else {}
    day = lookups.day_named(wish.day, scene.today) if wish.day else None
    if day:  # Of what comes once a day is not left out: it ends.
        is_over = f"{day.day} {day:%B %Y}" in _once(meant[0])
        asked |= {"action": "cancel"} if is_over else {"day": day.isoformat()}
    return [Call("change_routine", asked)]


def _setting(wish: Wish, replaces: int = 0) -> Call:
    asked = {"does": wish.does, "words": wish.words, "schedule": {"repeat": "once", **wish.schedule}}
    return Call("set_routine", asked | ({"replaces": replaces} if replaces else {}))


def _meant(wish: Wish, listed: Sequence[Routine], scene: Scene) -> list[Routine]:
    """The routines that a wish is about: all, those it names by number or words, or the one that spoke last."""
    if wish.of_last:
        return [one for one in listed if one["words"].casefold() == wish.words.casefold()][-1:]
    if wish.kind not in {"done", "snooze", "skip"}:
        listed = _standing(listed)
    if wish.kind == "pause":
        listed = [one for one in listed if one["state"] == "active"]
    if wish.kind == "resume" and not (wish.of_all and scene.all_paused):
        listed = [one for one in listed if one["state"] == "paused" or not (wish.of_all or one["state"] == "active")]
    if wish.of_all:
        return list(listed)
    named = {stem for stem in stems(wish.words) if stem not in _NAMES_NOTHING}
    if not named:
        last = [one for one in listed if one.get("spoke_last")]
        return last if last or wish.kind in {"done", "snooze", "cancel"} else list(listed)
    if all(word.isdigit() for word in named):
        return [one for one in listed if str(one["id"]) in named]
    by_words = [one for one in listed if named <= set(stems(one["words"]))]
    return by_words or [one for one in listed if named <= set(stems(f"{one['words']} {one['when']} {_once(one)}"))]


def _once(routine: Routine) -> str:
    """The day of a one-time routine that comes; empty for a repeated one, as one occurrence may be meant."""
    is_once = routine["when"].startswith("on ") and " of each " not in routine["when"] and len(routine["next"]) == 1
    return str(routine["next"][0]) if is_once else ""


def _is_plain(wish: Wish, meant: Sequence[Routine]) -> bool:
    return bool(meant) if wish.of_all else len(meant) == 1


def _listed(scene: Scene) -> list[Routine] | None:
    good = scene.done("change_routine", "list")
    return good[0].result.get("routines") or [] if good else None


def _standing(listed: Sequence[Routine]) -> list[Routine]:
    return [one for one in listed if one["state"] != "ended"]


def _say_step(step: Step, scene: Scene) -> str:
    if step.failed:
        refusal = _FOR_THE_MODEL.sub("", step.message).strip()
        return f"That did not work. {_in_words(capital(refusal), scene)}"
    if step.tool == "update_profile":
        first, _, last = step.result["quiet_hours"].partition("-")
        hours = f"{_in_words(first, scene)} to {_in_words(last, scene)}"
        left_out = "; ".join(one["words"] for one in step.result.get("left_out", ()))
        but = f". That leaves out: {left_out}." if left_out else ", but at an hour that you name."
        return f"OK, I text nothing by myself from {hours}{but}"
    if "cancelled" in step.result:
        words = "; ".join(one["words"] for one in step.result["cancelled"])
        return f"OK, cancelled: {words}." if words else ""
    if "routines" in step.result:
        words = "; ".join(one["words"] for one in step.result["routines"])
        if step.result["paused"]:
            return f"OK, all is paused: {words}. /resume brings it back."
        return f"OK, these come again: {words}."
    return _say_one(step, scene)


def _say_one(step: Step, scene: Scene) -> str:
    action, result = step.input.get("action", ""), step.result
    routine = result["routine"]
    words = routine["words"]
    coming = f" Next: {' and '.join(_in_words(one, scene) for one in routine['next'])}." if routine["next"] else ""
    match action:
        case "done":
            came_last = scene.earlier[:1] == [""]
            said = "Well done!" if came_last else f"Well done! I took that for: {words}."
        case "snooze":
            said = f"OK, again at {_in_words(result['snoozed_to'], scene)}: {words}."
        case "skip" if "left_out" in result:
            said = f"OK, left out {_in_words(result['left_out'], scene)}: {words}.{coming}"
        case "skip":
            said = f"OK, not today: {words}.{coming or ' It does not come again.'}"
        case "pause":
            said = f"OK, paused: {words}. /resume {routine['id']} brings it back."
        case _ if routine["state"] != "active":
            said = f"Shall I text you this: {words}, {_often(routine, scene)}? Text /resume {routine['id']} if so."
        case _:
            said = f"OK, {_often(routine, scene)}{_zone(routine, scene)}: {words}.{_noted(step, scene)}"
    return said


def _often(routine: Routine, scene: Scene) -> str:
    """The time of a one-time routine, or the schedule of any other."""
    return _in_words(_once(routine) or routine["when"], scene)


def _zone(routine: Routine, scene: Scene) -> str:
    """Names the zone of its clock, unless they said that they live there, or were asked about it in this talk."""
    zone = routine["zone"].partition(" ")[0]
    spoken = f"{zone.rpartition('/')[2].replace('_', ' ')} time"  # `America/Los_Angeles` → `Los Angeles time`.
    is_told = any(zone_of_home(fact) == zone for fact in scene.facts)
    return "" if is_told or any(zone in reply or OTHER_CLOCK in reply for reply in scene.replies) else f" ({spoken})"


def _noted(step: Step, scene: Scene) -> str:
    """Notes that people need before they rely on it; what comes in some minutes needs no clock."""
    routine = step.result["routine"]
    needs_clock = _zone(routine, scene) and "in_minutes" not in step.input.get("schedule", {})
    is_made = routine.get("does") == "run" and not lookups.contains_lookup(routine["words"])
    notes = [routine.get("note"), WORDS_ALONE if is_made else "", OTHER_CLOCK if needs_clock else ""]
    return "".join(f" {capital(note)}" for note in notes if note)


def _unclear(wish: Wish, meant: Sequence[Routine], standing: Sequence[Routine], scene: Scene) -> str:
    """Says that none is meant, or several, and lists those that exist."""
    if wish.kind == "done" and not meant:
        return "OK. No reminder was waiting for that; /routines lists what still comes."
    if wish.kind == "snooze":
        return "Nothing has come lately that I could put off."
    if not standing:
        return f"I find no reminder like that. {NOTHING}" if wish.words else NOTHING
    if wish.kind == "resume" and wish.of_all:
        waits = [one for one in standing if one["state"] == "proposed"]
        return _list(waits, scene) if waits else "Nothing is paused."
    first = "Which one do you mean?" if meant else "I can't tell which one that is. These are scheduled:"
    return f"{first} {_list(meant or standing, scene)} Text {_COMMANDS[wish.kind]} and the number."


def _list(routines: Sequence[Routine], scene: Scene) -> str:
    state = {"proposed": ", waits for your yes: /resume {id}", "paused": ", but paused"}
    stands = ((one, state.get(one["state"], "").format(id=one["id"])) for one in routines)
    told = [f"{one['id']}. {one['words']}, {_often(one, scene)}{how}." for one, how in stands]
    paused = [lookups.ALL_PAUSED] if scene.all_paused else []
    return " ".join([*(told or [NOTHING]), *paused])


def _in_words(said: str, scene: Scene) -> str:
    """A tool's times as a friend texts them: `7:19 PM tonight`, `every weekday at 7 AM`."""
    said = _INSTANT.sub(lambda found: _instant_in_words(found, scene), said)
    return re.sub(r"^daily\b", "every day", _CLOCK.sub(_on_clock, said))


def _instant_in_words(found: re.Match[str], scene: Scene) -> str:
    if found["near"]:
        near = "tomorrow" if found["near"] == "tomorrow, " else "tonight" if found["clock"] >= _EVENING else "today"
        return f"{found['clock']} {near}"
    day = datetime.strptime(f"{found['day']} {found['year']}", "%d %B %Y").date()  # noqa: DTZ007 (a date)
    is_near = day - (scene.today or day) < _A_WEEK
    return f"{found['clock']} on {found['weekday']}" + ("" if is_near else f", {found['day']} {found['year']}")


def _on_clock(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), found["minute"]
    said = f"{hour % _NOON or _NOON}{f':{minute}' if minute != '00' else ''}"
    return f"{said} {'AM' if hour < _NOON else 'PM'}"

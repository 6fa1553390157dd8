"""Reminders and routines: which tools their wishes call, and what is said of it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from app.features.offline import needs_model
from app.features.offline.asking import answered
from app.features.offline.ends import End
from app.features.offline.facts import CANNOT
from app.features.offline.named import meant_by_words, naming, near, nearest
from app.features.offline.picking import WHICH_ONE
from app.features.offline.scene import Call, Scene, Step
from app.features.offline.wish import NEXT, Wish
from app.features.offline.wishes import TEXT_ME, to_person
from app.text.clock_words import WEEKDAYS

_OF_ONE = frozenset({"done", "skip", "snooze", "pause", "resume", "change", "retime"})
_IS_ROUTINE = re.compile(r"\b(?:reminders?|routines?|alarms?|remind|text me|wake me)\b", re.IGNORECASE)
_DATED = re.compile(r"\d|day\b|noon|midnight", re.IGNORECASE)
_LIGHT = frozenset("go do take have get start your time class session".split())
"""Words of a routine that nobody needs to say to name it."""
NOT_NOW = "That did not work. Please try again a little later."
MOST_NAMED = 6  # Of those that were paused: more are counted.
EVERY_ONE = 0  # In place of an id: all of them.
SNOOZE_MOST_DAYS = 7  # As `routines.answering` has it.
_BY_COMMAND = {"stop": "/routines forget", "skip": "/routines skip", "pause": "/pause", "resume": "/resume"}
_INSTANT = re.compile(r"\b(?P<wall>\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d) \((?P<zone>[^)]+)\)")
_FOR_THE_MODEL = re.compile(r"(?<=[.?!]) (?:Send|Give|Call|Leave|Ask)\b.*|^\w+: ")
"""In a refusal: the name of a field, and what the model may send instead."""


def at_its_time(words: str) -> str:
    """What is said when a routine is due: nothing is looked up here, but nobody is left waiting either."""
    if not words.startswith(TEXT_ME):
        return f"It's time: {words}"
    what = to_person(words.removeprefix(TEXT_ME))
    return f"It's time: {what[:1].lower()}{what[1:]}"


def calls(wishes: Sequence[Wish], scene: Scene) -> list[Call]:
    """The calls to make now for what the person wants to come, or to come no more."""
    found: list[Call] = []
    listed = _listed(scene)
    for wish in wishes:
        if _question(wish):
            continue
        if wish.kind == "quiet":
            found.append(Call("update_profile", {"quiet_hours": wish.words}))
        elif wish.kind == "set" and not wish.of_last:
            found.append(_setting(wish))
        elif listed is None:
            found.append(Call("change_routine", {"action": "list"}))
        elif wish.kind == "set":
            before = _meant_by(wish, listed)
            found.append(_setting(wish, replaces=before[0]["id"] if before else 0))
        elif wish.kind in _OF_ALL:
            found += _of_all(wish, listed, scene)
        elif len(meant := _meant_by(wish, listed)) == 1:
            found += _changing(wish, meant[0], scene.today)
    done = [(step.tool, step.input) for step in scene.steps]
    return [call for call in found if call.tool in scene.tools and (call.tool, call.input) not in done]


def aside(scene: Scene, words: str) -> Scene:
    """The scene for what else a text says: what was done to routines is no step of it."""
    return replace(scene, words=words, steps=[step for step in scene.steps if not _is_of_routines(step)])


def _is_of_routines(step: Step) -> bool:
    return step.tool in {"set_routine", "change_routine"} or "quiet_hours" in step.input


def named(wishes: Sequence[Wish], scene: Scene) -> tuple[list[Wish], list[str]]:
    """The wishes that are for what comes by itself, and the sentences of those that turn out to be questions else."""
    listed = _standing(_listed(scene) or [])
    others = [wish for wish in wishes if wish.kind == "when" and not _asked_for(wish, listed, scene)]
    return [wish for wish in wishes if wish not in others], [wish.sentence for wish in others]


def _asked_for(wish: Wish, listed: Sequence[dict[str, Any]], scene: Scene) -> list[dict[str, Any]]:
    """Those that a question of when something is names plainly: "Easter" is not asked for by who has eggs to buy."""
    meant = meant_by_words(wish.words, listed)
    if _IS_ROUTINE.search(wish.sentence):
        return meant
    if _DATED.search(answered(wish.sentence, scene) or ""):
        return []  # When it is is known; when it is to be thought of may be another time.
    said, is_own = naming(wish.words), re.search(r"\bmy\b", wish.sentence, re.IGNORECASE)
    names = [(one, naming(one["words"]) - _LIGHT) for one in meant]
    return [one for one, words in names if said >= words or (is_own and 2 * len(said) >= len(words))]


def _setting(wish: Wish, replaces: int = 0) -> Call:
    asked = {"does": wish.does, "words": wish.words, "schedule": {"repeat": "once", **wish.schedule}}
    stays = {"stays_in": wish.when.zone} if wish.when.zone else {}
    return Call("set_routine", asked | stays | ({"replaces": replaces} if replaces else {}))


_OF_ALL = {"pause all": ("pause", "active"), "resume all": ("resume", "paused")}


def _of_all(wish: Wish, listed: Sequence[dict[str, Any]], scene: Scene) -> list[Call]:
    action, state = _OF_ALL[wish.kind]
    is_any = any(one["state"] == state for one in listed) or (action == "resume" and _is_paused(scene))
    asked = {"action": action, "routine_ids": [EVERY_ONE], **_ends(wish.end, scene)}
    return [Call("change_routine", asked)] if is_any else []


def _ends(end: End, scene: Scene) -> dict[str, Any]:
    """The tool's fields for the end of a pause."""
    if end.minutes:
        return {"minutes": end.minutes}
    if end.at.hour is None or scene.now is None:
        return {"day": end.day.isoformat()} if end.day else {}
    at = time(end.at.hour_of_day(waking=False) or 0, end.at.minute)
    ends = datetime.combine(end.day or scene.now.date(), at)
    if ends <= scene.now:
        ends += timedelta(days=1)
    return {"minutes": (ends - scene.now) // timedelta(minutes=1)}


def _question(wish: Wish) -> str:
    """What has to be asked first."""
    if wish.kind == "snooze" and not 0 < wish.minutes <= SNOOZE_MOST_DAYS * 24 * 60:
        return f"For how long? Say it as: snooze 30 minutes. {SNOOZE_MOST_DAYS} days are the most."
    return wish.question if wish.kind == "unclear" else ""


def _changing(wish: Wish, routine: dict[str, Any], today: date | None) -> list[Call]:
    """The call that does to one routine what is wished."""
    number: int = routine["id"]
    asked: dict[str, Any] = {"action": wish.kind, "routine_ids": [number]}
    match wish.kind:
        case "stop":
            return [Call("change_routine", asked | {"action": "cancel"})]
        case "snooze":
            asked["minutes"] = wish.minutes
        case "skip" if wish.day == NEXT and routine["next"]:
            asked["day"] = _instant(routine["next"][0]).date().isoformat()
        case "skip" if wish.day and wish.day != NEXT and today is not None:
            asked["day"] = _named_day(wish.day, today).isoformat()
        case "pause" if wish.end.day:
            asked["day"] = wish.end.day.isoformat()
        case "change" if not wish.country:
            return []
        case "change":
            asked["not_on_holidays"] = wish.country
        case "retime":
            asked |= {"action": "change", "times": [nearest(wish.schedule["times"], routine)]}
    return [Call("change_routine", asked)] if wish.kind in _OF_ONE else []


def _named_day(day: str, today: date) -> date:
    if day in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(day) - today.weekday()) % 7)
    return today + timedelta(days=day == "tomorrow")


def said(wishes: Sequence[Wish], scene: Scene) -> list[str]:
    """What came of the wishes, or what has to be asked first, or that nothing can be done now."""
    questions = [question for wish in wishes if (question := _question(wish))]
    listed = _listed(scene)
    if not questions and not scene.steps and "change_routine" not in scene.tools:
        return [CANNOT]
    if listed is None and scene.steps_of("change_routine", "list"):
        return [*_of_steps(scene), *questions, NOT_NOW]
    return [*_of_steps(scene), *_of_wishes(wishes, listed or [], scene)]


def _of_wishes(wishes: Sequence[Wish], listed: Sequence[dict[str, Any]], scene: Scene) -> list[str]:
    parts: list[str] = []
    for wish in wishes:
        meant = _meant_by(wish, listed)
        match wish.kind:
            case _ if question := _question(wish):
                parts.append(question)
            case "list" | "next" | "when":
                asked = _asked_for(wish, _standing(listed), scene) if wish.kind == "when" else None
                told = _list(_standing(listed)) if wish.kind == "list" else _next_said(wish, listed, asked)
                parts.append(" ".join(filter(None, (told, _all_paused(scene)))))
            case "pause all" | "resume all" | "waits":
                parts += _of_all_said(wish, listed, scene)
            case "change" if not wish.country and meant:
                parts.append(wish.question)
            case "done" if not meant:
                parts.append("Well done!")
            case "snooze" if not meant:
                parts.append("Nothing has come lately that I could put off.")
            case "set" | "quiet":
                pass
            case _ if len(meant) != 1:
                parts.append(_which(wish, meant, listed))
    return parts


def _of_all_said(wish: Wish, listed: Sequence[dict[str, Any]], scene: Scene) -> list[str]:
    waits = "" if wish.kind == "pause all" else _waiting(listed)
    return [waits] if waits else [] if _changed_all(scene) else [_list(_standing(listed))]


def _waiting(listed: Sequence[dict[str, Any]]) -> str:
    """How that comes again which waits for a yes: each by its number, so that no yes to something else starts it."""
    waits = [one for one in listed if one["state"] == "proposed"]
    return f"This comes once you say so: {_list(waits)} Text /resume and the number, or /resume for all." * bool(waits)


def _all_paused(scene: Scene) -> str:
    """That all is paused, if it is."""
    until = next((step.result.get("paused_until") for step in scene.steps_of("change_routine", "list")), None)
    ends = f"{until}, or until you text /resume" if until else "you text /resume"
    return f"All is paused: nothing comes until {ends}." if _is_paused(scene) else ""


def _changed_all(scene: Scene) -> bool:
    return any(step.input.get("routine_ids") == [EVERY_ONE] for step in scene.steps_of("change_routine"))


def _of_steps(scene: Scene) -> list[str]:
    return [part for step in scene.steps if (part := _of_step(step))]


def _all_said(result: dict[str, Any]) -> str:
    """What became of all: how many they are, by name where they are few, and until when."""
    words = [one["words"] for one in result["routines"]]
    named = f": {'; '.join(words)}" if len(words) <= MOST_NAMED else ""
    if not result["paused"]:
        return f"Okay, these come again{named or f': all {len(words)}'}." if words else "Okay, the pause is over."
    lost = "; ".join(f"{one['words']}, {one['when']}" for one in result["will_not_come"])
    not_coming = f" In that time falls what comes once, and will not come: {lost}." if lost else ""
    if until := result.get("paused_until"):
        many = f"all {len(words)} that are" if len(words) > 1 else "the one that is"
        return f"Okay, I've paused {many} scheduled until {until}{named}. /resume ends that sooner.{not_coming}"
    counted = "" if named else f", {len(words)} in all"
    return f"Okay, I've paused all that is scheduled{counted}{named}. /resume brings it back.{not_coming}"


def _next_said(wish: Wish, listed: Sequence[dict[str, Any]], asked: Sequence[dict[str, Any]] | None) -> str:
    """What comes next of all, or of what is named, and of one that is named the next two times."""
    among = asked or (meant_by_words(wish.words, _standing(listed)) if wish.words else _standing(listed))
    if wish.words and len(among) == 1 and among[0]["state"] == "paused":
        return f"{among[0]['words']}: that is paused. /resume {among[0]['id']} brings it back."
    coming = [
        (_instant(said), one["words"], said)
        for one in among
        for said in (one.get("snoozed_to"), *one["next"])
        if said and one["state"] == "active"
    ]
    if not coming:
        return _which(wish, among, listed)
    times = [said for _, _, said in sorted(coming)[: len(coming) if wish.words and len(among) == 1 else 1]]
    return f"Next: {min(coming)[1]}, {' and '.join(times)}."


def _instant(said: str) -> datetime:
    """The instant that a tool has told by the clock of a zone."""
    found = _INSTANT.search(said)
    if found is None:
        return datetime.max.replace(tzinfo=UTC)
    return datetime.strptime(found["wall"], "%d %B %Y, %H:%M").replace(tzinfo=ZoneInfo(found["zone"]))


def _which(wish: Wish, meant: Sequence[dict[str, Any]], listed: Sequence[dict[str, Any]]) -> str:
    """That none is meant, or several, with those that there are."""
    standing = _standing(listed)
    if not standing:
        return _list([])
    how = f"Text {_BY_COMMAND[wish.kind]} and the number." if wish.kind in _BY_COMMAND else ""
    likely = meant or (near(wish.words, standing) if wish.words else standing)
    first = WHICH_ONE if likely else "Nothing like that is scheduled. What is:"
    return f"{first} {_list(likely or standing)} {how}".strip()


def _standing(listed: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in listed if one["state"] != "ended"]


def _is_paused(scene: Scene) -> bool:
    return any(step.result.get("paused") for step in scene.steps_of("change_routine", "list") if not step.failed)


def _meant_by(wish: Wish, listed: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The routines that a wish is about: those that it names, or the one that spoke last, or the only one."""
    if wish.kind == "skip":
        listed = [one for one in listed if one["state"] != "ended" or "due today" in (one.get("last") or "")]
    elif wish.kind not in {"done", "snooze"}:
        listed = _standing(listed)
    if wish.of_last:
        return [one for one in listed if one["words"].casefold() == wish.words.casefold()][-1:]
    if wish.words:
        return meant_by_words(wish.words, listed)
    last = [one for one in listed if one.get("spoke_last")]
    return last or ([] if wish.kind in {"done", "snooze", "stop"} else list(listed))


def _of_step(step: Step) -> str | None:
    if not _is_of_routines(step) or step.input.get("action") == "list":
        return None
    if step.failed:
        return f"That did not work. {_for_people(step.message)}"
    match step.tool, step.input.get("action"):
        case "set_routine", _:
            return f"{_confirmed(step.result['routine'])}{_noted(step.result['routine'])}"
        case "change_routine", "cancel":
            words = "; ".join(one["words"] for one in step.result["cancelled"])
            return f"Okay, I've cancelled that: {words}." if words else None
        case "update_profile", _:
            hours = step.result["quiet_hours"]
            return f"Okay, I text nothing by myself from {hours.replace('-', ' to ')}, but at an hour that you name."
        case _:
            is_all = step.input.get("routine_ids") == [EVERY_ONE]
            return _all_said(step.result) if is_all else _revised(step.input, step.result)


def _for_people(refusal: str) -> str:
    said = _FOR_THE_MODEL.sub("", refusal).strip()
    return f"{said[:1].upper()}{said[1:]}"


def _noted(routine: dict[str, Any]) -> str:
    """What is to be known before anybody relies on it."""
    note = f"{routine.get('note') or ''} {needs_model.note(routine)}".strip()
    return f" {note[:1].upper()}{note[1:]}" if note else ""


def _revised(asked: dict[str, Any], result: dict[str, Any]) -> str:
    routine = result["routine"]
    coming = f" Next: {' and '.join(routine['next'])}." if routine["next"] else ""
    match asked["action"]:
        case "snooze":
            return f"Okay, I'll remind you again: {result['snoozed_to']}."
        case "done":
            return "Well done!"
        case "skip":
            had_come = f"Okay, not today: {routine['words']}.{coming or ' It does not come again.'}"
            day = result.get("left_out") or ""
            how = f"out all of {day}" if day.endswith(")") else "that out once"
            left_out = f"Okay, I've left {how}: {routine['words']}.{coming}"
            return had_come if result.get("had_come") else left_out
        case "pause":
            until, back = (" until then", "/undo") if asked.get("day") else ("", f"/resume {routine['id']}")
            return f"Okay, I've paused that{until}: {routine['words']}.{coming} {back} brings it back."
        case "change":
            return f"Okay, it's scheduled {routine['when']}: {routine['words']}.{coming}"
        case _:
            return f"{_confirmed(routine)}{_noted(routine)}"


def _confirmed(routine: dict[str, Any]) -> str:
    if routine["state"] != "active":
        return f"Shall I text you this: {routine['words']}, {routine['when']}? Text /resume {routine['id']} if so."
    coming = routine["next"]
    if len(coming) == 1:
        return f"Okay, I'll remind you: {routine['words']}, {coming[0]}."
    return f"Okay, it's scheduled {routine['when']}: {routine['words']}. Next: {' and '.join(coming)}."


def _list(routines: Sequence[dict[str, Any]]) -> str:
    if not routines:
        return "Nothing is scheduled."
    return " ".join(f"{one['id']}. {one['words']}, {one['when']}." for one in routines)


def _listed(scene: Scene) -> list[dict[str, Any]] | None:
    good = [step for step in scene.steps_of("change_routine", "list") if not step.failed]
    return good[0].result.get("routines") or [] if good else None

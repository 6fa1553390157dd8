"""Reminders and routines: which tools their wishes call, and what is said of it."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from app.clients.offline.plan import Call
from app.clients.offline.reminders import TEXT_ME, WEEKDAYS, Wish, to_person
from app.clients.offline.scene import Scene, Step

_SCHEDULE: dict[str, Any] = {
    "repeat": "once",
    "times": [],
    "date": "",
    "in_days": 0,
    "in_minutes": 0,
    "every": 1,
    "weekdays": [],
    "nth": [],
    "days_of_month": [],
    "month": "",
    "from_time": "",
    "to_time": "",
    "until": "",
    "count": 0,
    "except_dates": [],
    "not_on_holidays": "",
}
_SAYS_NOTHING = frozenset(
    "the my your a an all of every text texts message messages reminder reminders routine".split()
)
_OF_ONE = frozenset({"done", "skip", "snooze", "pause", "resume", "change"})
_PARTS = {"morning": range(4, 12), "afternoon": range(12, 17), "evening": range(17, 22), "night": range(20, 24)}


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
        if wish.kind == "set":
            schedule = _SCHEDULE | wish.schedule
            found.append(Call("set_routine", {"does": wish.does, "words": wish.words, "schedule": schedule}))
        elif wish.kind != "unclear" and listed is None:
            found.append(Call("list_routines", {}))
        elif listed is not None and len(meant := _meant_by(wish, listed)) == 1:
            found += _changing(wish, meant[0]["id"], scene.today)
    done = [(step.tool, step.input) for step in scene.steps]
    return [call for call in found if call.tool in scene.tools and (call.tool, call.input) not in done]


def _changing(wish: Wish, number: int, today: date | None) -> list[Call]:
    """The call that does to one routine what is wished."""
    asked: dict[str, Any] = {"routine_id": number, "action": wish.kind}
    match wish.kind:
        case "stop":
            return [Call("cancel_routine", {"routine_ids": [number]})]
        case "snooze":
            asked["minutes"] = wish.minutes
        case "skip" if wish.day and today is not None:
            asked["day"] = _named_day(wish.day, today).isoformat()
        case "change" if not wish.country:
            return []
        case "change":
            asked["not_on_holidays"] = wish.country
    return [Call("revise_routine", asked)] if wish.kind in _OF_ONE else []


def _named_day(day: str, today: date) -> date:
    if day in WEEKDAYS:
        return today + timedelta(days=(WEEKDAYS.index(day) - today.weekday()) % 7)
    return today + timedelta(days=day == "tomorrow")


def said(wishes: Sequence[Wish], scene: Scene) -> list[str]:
    """What came of the wishes."""
    parts = [part for step in scene.steps if (part := _of_step(step))]
    listed = _listed(scene) or []
    for wish in wishes:
        meant = _meant_by(wish, listed)
        match wish.kind:
            case "unclear":
                parts.append(wish.question)
            case "list":
                parts.append(_list(listed))
            case "change" if not wish.country and meant:
                parts.append(wish.question)
            case "done" if not meant:
                parts.append("Well done!")
            case "snooze" if not meant:
                parts.append("Nothing has come lately that I could put off.")
            case "set":
                pass
            case _ if len(meant) != 1:
                parts.append(f"Which one do you mean? {_list(meant or listed)}" if listed else _list([]))
    return parts


def _meant_by(wish: Wish, listed: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The routines that a wish is about: those that it names, or the one that spoke last, or the only one."""
    if wish.words:
        return _meant(wish.words, listed)
    last = [one for one in listed if one.get("spoke_last")]
    return last or ([] if wish.kind in {"done", "snooze"} else list(listed))


def _of_step(step: Step) -> str | None:
    if step.failed and "routine" in step.tool:
        return f"That did not work: {step.message}"
    match step.tool:
        case "set_routine":
            return _confirmed(step.result["routine"])
        case "cancel_routine":
            words = "; ".join(one["words"] for one in step.result["cancelled"])
            return f"Okay, I've cancelled that: {words}." if words else None
        case "revise_routine":
            return _revised(step.input, step.result)
        case _:
            return None


def _revised(asked: dict[str, Any], result: dict[str, Any]) -> str:
    routine = result["routine"]
    coming = f" Next: {routine['next'][0]}." if routine["next"] else ""
    match asked["action"]:
        case "snooze":
            return f"Okay, I'll remind you again: {result['snoozed_to']}."
        case "done":
            return "Well done!"
        case "skip":
            return f"Okay, I've left that out once: {routine['words']}.{coming}"
        case "pause":
            return f"Okay, I've paused that: {routine['words']}. /resume {routine['id']} brings it back."
        case "change":
            return f"Okay, it's scheduled {routine['when']}: {routine['words']}.{coming}"
        case _:
            return _confirmed(routine)


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
    good = [step for step in scene.steps_of("list_routines") if not step.failed]
    return good[0].result.get("routines") or [] if good else None


def _meant(words: str, routines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The routines that the words speak of: by number, by what they say, or by the part of the day."""
    said = set(re.findall(r"\w+", words.lower())) - _SAYS_NOTHING
    if numbered := [one for one in routines if str(one["id"]) in said]:
        return numbered
    by_words = [one for one in routines if said & (set(re.findall(r"\w+", one["words"].lower())) - _SAYS_NOTHING)]
    if by_words:
        return by_words
    hours = [hour for part, within in _PARTS.items() if part in said for hour in within]
    by_hour = [one for one in routines if any(f" {hour:02}:" in f" {one['when']}" for hour in hours)]
    return by_hour if hours else list(routines) if not said else []

"""Reminders and routines: which tools their wishes call, and which one is meant. Pure; `confirmed.py` says the rest."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from app.clock import WEEKDAYS
from app.features.offline.asking import answered
from app.features.offline.confirmed import of_wishes
from app.features.offline.ends import End
from app.features.offline.english import to_you, uncapital
from app.features.offline.facts import CANNOT
from app.features.offline.named import meant_by_words, naming, nearest
from app.features.offline.scene import Call, Scene, Step
from app.features.offline.times import instant
from app.features.offline.wishes import NEXT, TEXT_ME, Wish

EVERY_ONE = 0  # In place of an id: all of them.
NOT_NOW = "That did not work. Please try again a little later."
_IS_ROUTINE = re.compile(r"\b(?:reminders?|routines?|alarms?|remind|text me|wake me)\b", re.IGNORECASE)
_DATED = re.compile(r"\d|day\b|noon|midnight", re.IGNORECASE)
_LIGHT = frozenset("go do take have get start your time class session".split())
"""Words of a routine that nobody needs to say to name it."""
_OF_ALL = {"pause all": ("pause", "active"), "resume all": ("resume", "paused")}
_OF_ROUTINES = frozenset({"set_routine", "change_routine"})


def at_its_time(words: str) -> str:
    """What is said when a routine is due: nothing is looked up here, but nobody is left waiting either."""
    if not words.startswith(TEXT_ME):
        return f"It's time: {words}"
    return f"It's time: {uncapital(to_you(words.removeprefix(TEXT_ME)))}"


def calls(wishes: Sequence[Wish], scene: Scene) -> list[Call]:
    """The calls to make now for what the person wants to come, or to come no more."""
    listed = _listed(scene)
    found = [call for wish in wishes if not wish.question for call in _of(wish, listed, scene)]
    done = [(step.tool, step.input) for step in scene.steps]
    return [call for call in found if call.tool in scene.tools and (call.tool, call.input) not in done]


def aside(scene: Scene, words: str) -> Scene:
    """The scene for what else a text says: what was done to routines is no step of it."""
    return replace(scene, words=words, steps=[step for step in scene.steps if not _is_of_routines(step)])


def named(wishes: Sequence[Wish], scene: Scene) -> tuple[list[Wish], list[str]]:
    """The wishes that are for what comes by itself, and the sentences of those that turn out to be questions else."""
    listed = _standing(_listed(scene) or [])
    others = [wish for wish in wishes if wish.kind == "when" and not _asked_for(wish, listed, scene)]
    return [wish for wish in wishes if wish not in others], [wish.sentence for wish in others]


def said(wishes: Sequence[Wish], scene: Scene) -> list[str]:
    """What came of the wishes, or what has to be asked first, or that nothing can be done now."""
    questions = [wish.question for wish in wishes if wish.question]
    listed = _listed(scene)
    steps = [step for step in scene.steps if _is_of_routines(step) and step.input.get("action") != "list"]
    if not questions and not scene.steps and "change_routine" not in scene.tools:
        return [CANNOT]
    if listed is None and scene.steps_of("change_routine", "list"):
        return [*of_wishes([], steps, scene), *questions, NOT_NOW]
    meant = [(wish, _meant(wish, listed or [], scene)) for wish in wishes]
    return of_wishes(meant, steps, scene, _standing(listed or []))


def _is_of_routines(step: Step) -> bool:
    return step.tool in _OF_ROUTINES or "quiet_hours" in step.input


def _of(wish: Wish, listed: list[dict[str, Any]] | None, scene: Scene) -> list[Call]:
    """The calls of one wish; the list first, where it speaks of what is there."""
    if wish.kind == "quiet":
        return [Call("update_profile", {"quiet_hours": wish.words})]
    if wish.kind == "set" and not wish.of_last:
        return [_setting(wish)]
    if listed is None:
        return [Call("change_routine", {"action": "list"})]
    meant = _meant(wish, listed, scene)
    if wish.kind == "set":
        return [_setting(wish, replaces=meant[0]["id"] if meant else 0)]
    if wish.kind in _OF_ALL:
        action, state = _OF_ALL[wish.kind]
        is_any = any(one["state"] == state for one in listed) or (action == "resume" and scene.all_paused)
        asked = {"action": action, "routine_ids": [EVERY_ONE], **_ends(wish.end, scene)}
        return [Call("change_routine", asked)] if is_any else []
    return _changing(wish, meant[0], scene.today) if len(meant) == 1 else []


def _setting(wish: Wish, replaces: int = 0) -> Call:
    asked = {"does": wish.does, "words": wish.words, "schedule": {"repeat": "once", **wish.schedule}}
    stays = {"stays_in": wish.when.zone} if wish.when.zone else {}
    return Call("set_routine", asked | stays | ({"replaces": replaces} if replaces else {}))


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


def _changing(wish: Wish, routine: dict[str, Any], today: date | None) -> list[Call]:
    """The call that does to one routine what is wished."""
    asked: dict[str, Any] = {"action": wish.kind, "routine_ids": [routine["id"]]}
    match wish.kind:
        case "stop":
            asked["action"] = "cancel"
        case "snooze":
            asked["minutes"] = wish.minutes
        case "skip":
            asked |= _skipped(wish.day, routine, today)
        case "pause":
            asked |= {"day": wish.end.day.isoformat()} if wish.end.day else {}
        case "change":
            asked["not_on_holidays"] = wish.country
        case "retime":
            asked |= {"action": "change", "times": [nearest(wish.schedule["times"], routine)]}
        case "done" | "resume":
            pass
        case _:
            return []
    return [Call("change_routine", asked)]


def _skipped(named: str, routine: dict[str, Any], today: date | None) -> dict[str, str]:
    """The tool's field for the day that is left out; none for what has come last."""
    if named == NEXT and routine["next"]:
        return {"day": instant(routine["next"][0]).date().isoformat()}
    if not named or named == NEXT or today is None:
        return {}
    ahead = (WEEKDAYS.index(named) - today.weekday()) % 7 if named in WEEKDAYS else int(named == "tomorrow")
    return {"day": (today + timedelta(days=ahead)).isoformat()}


def _meant(wish: Wish, listed: Sequence[dict[str, Any]], scene: Scene) -> list[dict[str, Any]]:
    """The routines that a wish is about: those that it names, or the one that spoke last, or the only one."""
    if wish.kind == "when":
        return _asked_for(wish, _standing(listed), scene)
    if wish.kind == "skip":
        listed = [one for one in listed if one["state"] != "ended" or "due today" in (one.get("last") or "")]
    elif wish.kind not in {"done", "snooze"}:
        listed = _standing(listed)
    if wish.of_last:
        return [one for one in listed if one["words"].casefold() == wish.words.casefold()][-1:]
    if wish.words or wish.kind == "next":
        return meant_by_words(wish.words, listed)
    last = [one for one in listed if one.get("spoke_last")]
    return last or ([] if wish.kind in {"done", "snooze", "stop"} else list(listed))


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


def _standing(listed: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in listed if one["state"] != "ended"]


def _listed(scene: Scene) -> list[dict[str, Any]] | None:
    good = [step for step in scene.steps_of("change_routine", "list") if not step.failed]
    return good[0].result.get("routines") or [] if good else None

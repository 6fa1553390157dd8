"""Facts: which tools to call for what was told or is to be forgotten, and what is said of what they did. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from app.features.offline import templates
from app.features.offline.english import joined, stems, to_you
from app.features.offline.owned import spoken
from app.features.offline.reading import Reading
from app.features.offline.scene import Call, Scene, Step
from app.features.offline.templates import Told

SUBJECTS_MAX = 5  # More cannot be forgotten in one call.
QUOTED_MAX_CHARS = 60
EVERYTHING = re.compile(
    r"(?:everything|all|it all|all of it|me)(?: (?:about me|(?:that )?(?:you know|i told you)).*)?", re.IGNORECASE
)
FORGET_ALL = "To have everything forgotten, text /forget everything."
MEMORY_OFF = "Memory is off for this conversation: I keep nothing of it. Text /memory on to turn it on again."
CANNOT = "I'm sorry, I can't change anything just now. Please tell me again a little later."
FAILED = "I'm sorry, that could not be kept just now. Please try again a little later."
NOT_THEIRS = "I kept nothing of that, as somebody else wrote it. If it is true of you, tell me so in your own words."
_OF_OTHERS = "is not what the person wrote"
_CHANGING = ("extract_memory", "update_memory", "remove_memory", "update_profile")


def calls(reading: Reading, scene: Scene) -> list[Call]:
    """The calls to make now; none when all is done."""
    if scene.memory_off:
        return []
    wanted = [*_profile(reading, scene), *_lists(reading, scene)]
    rivals = {one.fact: _rival(one, reading, scene.facts) for one in reading.told}
    new = [one for one in reading.told if rivals[one.fact] is None and not _is_known(one.fact, scene.facts)]
    if new:
        wanted.append(Call("extract_memory", {"facts": [{"fact": one.fact, "category": one.category} for one in new]}))
    if (found := listed(scene)) is not None:
        wanted += _updates(reading, rivals, found)
        wanted += _removal(reading, found)
    return [call for call in wanted if call.tool in scene.tools and not _is_done(call, scene)]


def listed(scene: Scene) -> dict[int, str] | None:
    """What `list_memories` brought in this turn: sentences by their ids; None where it was not asked."""
    good = [step for step in scene.steps_of("list_memories") if not step.failed]
    if not good:
        return None
    found = [item for step in good for item in step.result.get("facts") or [] if not item.get("archived")]
    return {item["id"]: str(item["fact"]) for item in found}


def said(reading: Reading, scene: Scene) -> list[str]:
    """What came of it, a sentence or two each."""
    parts = [*_named(scene), *_kept(reading, scene), *_updated(scene), *_forgotten(reading, scene)]
    failed = [step for step in scene.steps if step.failed and step.tool in (*_CHANGING, "list_memories")]
    if failed:
        parts.append(NOT_THEIRS if any(_OF_OTHERS in step.message for step in failed) else FAILED)
    elif reading.told or reading.name or reading.forget:
        may = "extract_memory" in scene.tools or scene.steps
        parts += [MEMORY_OFF] if scene.memory_off else [] if may else [CANNOT]
    return parts


def is_same(one: str, other: str) -> bool:
    return one.casefold().strip(". ") == other.casefold().strip(". ")


def _is_known(fact: str, facts: Iterable[str]) -> bool:
    return any(is_same(fact, one) for one in facts)


def _is_done(call: Call, scene: Scene) -> bool:
    return any((step.tool, step.input) == (call.tool, call.input) for step in scene.steps)


def _rival(told: Told, reading: Reading, facts: Iterable[str]) -> str | None:
    """The known fact that the new one takes the place of: of what there is one, or what was said to be wrong."""
    wrong = reading.corrected.get(told.fact)
    if wrong:
        return next((one for one in facts if one.casefold().startswith(wrong.casefold())), None)
    may_be_two = told.only_one.startswith("?")
    if not told.only_one or (may_be_two and told.fact not in reading.corrected):
        return None
    same = [one for one in facts if templates.only_one_of(one) == told.only_one and not is_same(one, told.fact)]
    return same[0] if len(same) == 1 else None


def _profile(reading: Reading, scene: Scene) -> list[Call]:
    if any(_is_name(what) for what in reading.forget) and scene.name:
        return [Call("update_profile", {"name": ""})]
    return [Call("update_profile", {"name": reading.name})] if reading.name and reading.name != scene.name else []


def _is_name(what: str) -> bool:
    return what.lower() in {"my name", "what i am called", "name"}


def _subjects(reading: Reading) -> list[str]:
    return [one for one in reading.forget if one and not EVERYTHING.fullmatch(one) and not _is_name(one)][:SUBJECTS_MAX]


def _lists(reading: Reading, scene: Scene) -> list[Call]:
    rivals = [_rival(one, reading, scene.facts) for one in reading.told]
    sought = [*(one for one in rivals if one), *_subjects(reading)]
    return [Call("list_memories", {"query": words}) for words in dict.fromkeys(sought)]


def _updates(reading: Reading, rivals: dict[str, str | None], found: dict[int, str]) -> list[Call]:
    numbers = {sentence: number for number, sentence in found.items()}
    return [
        Call("update_memory", {"fact_id": numbers[rival], "fact": one.fact})
        for one in reading.told
        if (rival := rivals[one.fact]) in numbers
    ]


def _removal(reading: Reading, found: dict[int, str]) -> list[Call]:
    subjects = _subjects(reading)
    numbers = [number for number, fact in found.items() if any(_speaks_of(fact, what) for what in subjects)]
    return [Call("remove_memory", {"fact_ids": numbers, "about": subjects})] if subjects else []


def _speaks_of(fact: str, what: str) -> bool:
    """Whether the fact holds all that the words name."""
    told = templates.told(what)
    named = set(stems(told.fact if told else what))
    return bool(named) and named <= set(stems(fact))


def _named(scene: Scene) -> list[str]:
    for step in scene.steps_of("update_profile"):
        if not step.failed and "name" in step.input:
            name = step.input["name"]
            return [f"Nice to meet you, {name}!" if name else "Done, I've forgotten your name."]
    return []


def _kept(reading: Reading, scene: Scene) -> list[str]:
    results = [step.result for step in scene.steps_of("extract_memory") if not step.failed]
    stored, known = _sentences(results, "stored"), _sentences(results, "duplicates")
    known += [one.fact for one in reading.told if _is_known(one.fact, scene.facts)]
    parts = [f"Got it. I'll remember that {joined(list(map(spoken, stored)))}."] if stored else []
    if known:
        parts.append(f"I already know that {joined(list(map(spoken, dict.fromkeys(known))))}.")
    return parts + _conflicts(results)


def _conflicts(results: Iterable[dict[str, Any]]) -> list[str]:
    """The known facts of which the new one may be the successor: only the person can tell."""
    both = [(one["fact"], known["fact"]) for result in results for one in result["conflicts"] for known in one["known"]]
    rivals = [old for new, old in both if templates.only_one_of(new) and _is_alike(new, old)]
    if not rivals:
        return []
    return [f"I also know that {joined(list(map(spoken, rivals)))}. If that is over, tell me to forget it."]


def _is_alike(one: str, other: str) -> bool:
    return templates.only_one_of(one) == templates.only_one_of(other)


def _updated(scene: Scene) -> list[str]:
    done = [step for step in scene.steps_of("update_memory") if not step.failed]
    facts = [str((step.result.get("fact") or {}).get("fact") or step.input["fact"]) for step in done]
    return [f"Thanks, I've updated that: {joined(list(map(spoken, facts)))}."] if facts else []


def _forgotten(reading: Reading, scene: Scene) -> list[str]:
    parts = [FORGET_ALL] if any(EVERYTHING.fullmatch(one) for one in reading.forget) else []
    if any(not one for one in reading.forget):
        parts.append('What shall I forget? Say it as: forget about my dog. "/undo" takes back the last change.')
    for step in _good(scene, "remove_memory"):
        gone, found = _sentences([step.result], "removed"), [str(one) for one in step.result.get("about") or []]
        if gone:
            parts.append(f"Done, I've forgotten that {joined(list(map(spoken, gone)))}.")
        elif found:
            parts.append(f"Done, I've forgotten what you said about {joined(list(map(to_you, found)))}.")
        else:
            parts.append(f"I don't know anything about {joined([to_you(_cut(one)) for one in _subjects(reading)])}.")
        parts += _still_there(step.result)
    return parts


def _still_there(result: dict[str, Any]) -> list[str]:
    coming = [
        f"Still to come: {one['words']}, {one['when']}. /routines forget {one['id']} stops it."
        for one in result.get("still_coming") or []
    ]
    ruling = [
        f"A rule still names it: {one['rule']}. /rules forget {one['id']} ends it."
        for one in result.get("still_ruling") or []
    ]
    return [*coming, *ruling]  # fmt: skip


def _good(scene: Scene, tool: str) -> Sequence[Step]:
    return [step for step in scene.steps_of(tool) if not step.failed]


def _cut(words: str) -> str:
    return words if len(words) <= QUOTED_MAX_CHARS else words[:QUOTED_MAX_CHARS].rsplit(" ", 1)[0] + "..."


def _sentences(results: Iterable[dict[str, Any]], key: str) -> list[str]:
    return [str(item["fact"]) for result in results for item in result.get(key) or []]

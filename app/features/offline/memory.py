"""Memory without a model: tool calls for things told and things to forget, and the replies about them. Pure."""

import re
from collections.abc import Iterable

from app.features.offline.answers import DONT_KNOW, MEMORY_OFF, answer, listed, lookup_calls
from app.features.offline.english import joined, named_pattern, shortened, stems, to_you
from app.features.offline.reading import Reading, Told, only_one_of, spoken, told_by
from app.features.offline.scene import Call, Scene
from app.memory.facts.categories import is_constraint
from app.routines import still_coming
from app.text.secrets import is_secret
from app.text.zones import zone_named, zone_of_home, zone_of_place

SUBJECTS_MAX = 5  # The most that one call can forget.
SUBJECT_MAX_CHARS = 60
EVERYTHING = named_pattern("everything")
FORGET_ALL = (
    "I can't forget all of it at once yet. /memory lists what I know, and /memory forget with its numbers takes that "
    "out; your texts themselves stay for now."
)
NEVER_KEPT = "Passwords, codes and card numbers are never kept. A text that held one stays itself for now."
CANNOT = "I'm sorry, I can't change anything just now. Please tell me again a little later."
FAILED = "I'm sorry, that could not be kept just now. Please try again a little later."
NOT_THEIRS = (
    "I remember nothing of that, as somebody else wrote it. If it is true of you, tell me so in your own words."
)
NO_WORD_OF = "I find no word of"
_STANDING = {"still_known": "{fact}", "still_coming": "{words}, {when}", "still_ruling": "{rule}"}
"""By the key in a tool's answer: the words on something that holds what was forgotten and stands all the same."""
_OF_OTHERS = "is not what the person wrote"
_NAME_IT = "a few words, such as"
_CHANGING = ("extract_memory", "update_memory", "remove_memory", "update_profile")
_ZONE_TOLD = re.compile(r"(?:my |set my |change my )?time ?zone(?: is| to)? (?P<zone>.+)", re.IGNORECASE)
_DWELLS = named_pattern("dwells")
_NOT_SO = re.compile(r"\?|\b(?:if|when|wish|used to|not|never|want|will|would|might|may)\b", re.IGNORECASE)


def calls(reading: Reading, scene: Scene) -> list[Call]:
    """The calls to make now for things told, things to forget, and questions; none when all is done."""
    if scene.memory_off:
        return []
    wanted = []
    if any(_is_name(what) for what in reading.forget) and scene.name:
        wanted.append(Call("update_profile", {"name": ""}))
    elif reading.name and reading.name != scene.name:
        wanted.append(Call("update_profile", {"name": reading.name}))
    rivals = {one.fact: _rival(one, scene.facts) for one in reading.told}
    subjects = _subjects(reading)
    meant = [fact for fact in scene.facts if any(_speaks_of(fact, what) for what in subjects)]
    sought = dict.fromkeys([*filter(None, rivals.values()), *subjects, *meant])
    wanted += [Call("list_memories", {"query": words}) for words in sought]
    new = [one for one in reading.told if rivals[one.fact] is None and not _is_known(one.fact, scene.facts)]
    if new:
        wanted.append(Call("extract_memory", {"facts": [{"fact": one.fact, "category": one.category} for one in new]}))
    if (found := listed(scene)) is not None:
        numbers = {sentence: number for number, sentence in found.items()}
        for fact, rival in rivals.items():
            if rival in numbers:
                wanted.append(Call("update_memory", {"fact_id": numbers[rival], "fact": fact}))
        if subjects:
            ids = [number for number, fact in found.items() if any(_speaks_of(fact, what) for what in subjects)]
            wanted.append(Call("remove_memory", {"fact_ids": ids, "about": subjects}))
    for question in reading.questions:
        wanted += lookup_calls(question, scene)
    return scene.to_make(wanted)


def zone_calls(reading: Reading, scene: Scene) -> list[Call]:
    """The call that sets their time zone: to one that they named, or to that of their home, once the home is kept."""
    kept = {str(item["fact"]) for step in scene.steps_of("extract_memory") for item in step.result.get("stored") or []}
    kept |= {str(step.input["fact"]) for step in scene.done("update_memory")}
    zones = [zone_of_home(one.fact) for one in reading.told if one.fact in kept]
    zones += [zone_told(one) or _zone_of_dwelling(one) for one in reading.missed]
    wanted = [Call("update_profile", {"timezone": zone}) for zone in zones if zone]
    return scene.to_make(wanted[-1:])


def zone_told(sentence: str) -> str | None:
    """The time zone that the sentence says is theirs."""
    named = _ZONE_TOLD.fullmatch(sentence)
    return zone_named(named["zone"]) if named else None


def _zone_of_dwelling(sentence: str) -> str | None:
    """The zone of the place where they say that they live, from a sentence that was otherwise not understood."""
    place = None if _NOT_SO.search(sentence) else _DWELLS.search(sentence)
    words = re.findall(r"[^\W\d_][\w'.-]*", place["place"]) if place else []
    return next((zone for most in (3, 2, 1) if (zone := zone_of_place(" ".join(words[:most])))), None)


def replies(reading: Reading, scene: Scene) -> list[str]:
    """Replies about the results, a sentence or two each, and the answers, each once."""
    parts = [*_greeted(reading, scene), *_kept(reading, scene)]
    updated = [str((step.result.get("fact") or step.input)["fact"]) for step in scene.done("update_memory")]
    parts += [f"Thanks, I've updated that: {_spoken(updated)}."] if updated else []
    parts += _forgotten(reading, scene)
    failed = [step for step in scene.steps if step.failed and step.tool in (*_CHANGING, "list_memories")]
    if failed:
        too_much = [step.message for step in failed if _NAME_IT in step.message]  # A sentence for people, too.
        parts += too_much or [NOT_THEIRS if any(_OF_OTHERS in step.message for step in failed) else FAILED]
    elif reading.told or reading.name or reading.forget:
        may = "extract_memory" in scene.tools or scene.steps
        parts += [MEMORY_OFF] if scene.memory_off else [] if may else [CANNOT]
    zones = [step.result.get("timezone") for step in scene.steps_of("update_profile") if "timezone" in step.input]
    parts += [f"Your time zone is {zone} now." for zone in zones if zone and zone != scene.timezone]
    answers = list(dict.fromkeys(answer(question, scene) for question in reading.questions))
    return [*parts, *(one for one in answers if one != DONT_KNOW or len(answers) == 1)]


def _is_same(one: str, other: str) -> bool:
    return one.casefold().strip(". ") == other.casefold().strip(". ")


def _is_known(fact: str, facts: Iterable[str]) -> bool:
    return any(_is_same(fact, one) for one in facts)


def _rival(told: Told, facts: Iterable[str]) -> str | None:
    """The known fact that the new one replaces: one that can only exist once, or one that was corrected."""
    if wrong := told.instead_of:
        return next((one for one in facts if one.casefold().startswith(wrong.casefold())), None)
    may_be_two = told.only_one.startswith("?")
    if not told.only_one or (may_be_two and told.instead_of is None):
        return None
    same = [one for one in facts if only_one_of(one) == told.only_one and not _is_same(one, told.fact)]
    return same[0] if len(same) == 1 else None


def _is_name(what: str) -> bool:
    return what.lower() in {"my name", "what i am called", "name"}


def _subjects(reading: Reading) -> list[str]:
    return [one for one in reading.forget if one and not EVERYTHING.fullmatch(one) and not _is_name(one)][:SUBJECTS_MAX]


def _speaks_of(fact: str, what: str) -> bool:
    """True if the fact has all the words in `what`, or is the only one of its kind. An allergy must be named as one."""
    if only_one_of(fact) == what.lower().removeprefix("my "):
        return True
    told = told_by(what)
    named = set(stems(told.fact if told else what))
    return bool(named) and named <= set(stems(fact)) and is_constraint(fact) <= is_constraint(what)


def _gone_besides(fact: str, subjects: Iterable[str]) -> list[str]:
    """The other things in the fact's list, if the subjects name one of them: from `Sam and Beatriz` the other one."""
    named = {stem for what in subjects for stem in stems(what)}
    first, *others = re.split(r",? and |, ", fact)
    listed = [first.rpartition(" ")[2], *others]
    left = [one for one in listed if not named.intersection(stems(one))]
    return left if len(left) < len(listed) else []


def _greeted(reading: Reading, scene: Scene) -> list[str]:
    """The greeting by a new name; without cheer if the rest, which was not understood, may be sad."""
    names = [step.input["name"] for step in scene.done("update_profile") if "name" in step.input]
    greeting = "Hello, {}." if reading.missed else "Nice to meet you, {}!"
    return [greeting.format(name) if name else "Done, I've forgotten your name." for name in names[:1]]


def _kept(reading: Reading, scene: Scene) -> list[str]:
    results = [step.result for step in scene.done("extract_memory")]
    stored, known = (
        [str(item["fact"]) for one in results for item in one.get(key) or []] for key in ("stored", "duplicates")
    )
    known += [one.fact for one in reading.told if _is_known(one.fact, scene.facts)]
    parts = [f"Got it. I'll remember that {_spoken(stored)}."] if stored else []
    parts += [f"I already know that {_spoken(dict.fromkeys(known))}."] if known else []
    # Known facts that the new one may replace: only the person can tell.
    both = [(one["fact"], known["fact"]) for result in results for one in result["conflicts"] for known in one["known"]]
    both += [(new, old) for new in stored for old in scene.facts if not _is_same(new, old)]
    rivals = dict.fromkeys(old for new, old in both if (only := only_one_of(new)) and only == only_one_of(old))
    if rivals:
        parts.append(f"I also know that {_spoken(rivals)}. If that is over, tell me to forget it.")
    return parts


def _spoken(facts: Iterable[str]) -> str:
    return joined([spoken(fact) for fact in facts])


def _forgotten(reading: Reading, scene: Scene) -> list[str]:
    parts = [FORGET_ALL] if any(EVERYTHING.fullmatch(one) for one in reading.forget) else []
    if reading.forget and not any(reading.forget):
        parts.append('What shall I forget? Say it as: forget about my dog. "/undo" takes back the last change.')
    for result in (step.result for step in scene.done("remove_memory")):
        gone, found = result.get("removed"), result.get("about")
        if gone:
            facts = [str(one["fact"]) for one in gone]
            parts.append(f"Done, I've forgotten that {_spoken(facts)}.")
            if left := [one for fact in facts for one in _gone_besides(fact, _subjects(reading))]:
                parts.append(f"That sentence held {joined(left)} as well: tell me again what is still so.")
        elif found:
            spoken_of = joined([to_you(str(one)) for one in found])
            said_of = "that" if re.search(r"^you |\b(?:is|are|was|has)\b", spoken_of) else "what you said about"
            parts.append(f"Done, I've forgotten {said_of} {spoken_of}.")
        else:
            subjects = [to_you(shortened(one, SUBJECT_MAX_CHARS)) for one in _subjects(reading)]
            none = f"{NO_WORD_OF} {joined(subjects)}, so nothing is forgotten. Name it as you wrote it."
            parts.append(NEVER_KEPT if any(is_secret(f"{one} is") for one in subjects) else none)
    for step in (*scene.done("remove_memory"), *scene.done("update_profile")):
        given = ((words, step.result.get(what) or []) for what, words in _STANDING.items())
        parts.append(
            still_coming.sentences(*[[(one["id"], words.format(**one)) for one in found] for words, found in given])
        )
    return list(filter(None, parts))

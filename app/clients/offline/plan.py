"""Which tools to call next: a pure function of what was read and of what the tools have said so far in the turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.clients.offline import days, questions, told
from app.clients.offline.changes import Change, changes, known_already
from app.clients.offline.concerned import concerned_parts, is_subject, named_by_number
from app.clients.offline.listing import parts, without
from app.clients.offline.matching import same
from app.clients.offline.rule_talk import rule_calls
from app.clients.offline.scene import Scene
from app.clients.offline.sentences import content
from app.clients.offline.statements import Said
from app.clients.offline.understood import Reading, Swap

# From here on the memory that is shown may not be all there is.
SHOWN_MAX_FACTS = 20
SUBJECTS_MAX = 5  # More cannot be forgotten in one call.
CALLS_MAX = 6  # A turn allows eight; two are left for reading.


@dataclass(frozen=True)
class Call:
    tool: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Listed:
    """One fact as `list_memories` gives it."""

    number: int
    sentence: str
    archived: bool
    """Whether it was put out of sight: it may not hold any more, and is news when it is told again."""


def next_calls(reading: Reading, scene: Scene) -> list[Call]:
    """The calls to make now; none when it is time to reply."""
    if reading.danger:
        return []
    calls = _later(reading, scene) if scene.steps else _first(reading, scene)
    calls += [Call(*call) for call in rule_calls(reading, scene)]
    done = [(step.tool, step.input) for step in scene.steps]
    return [call for call in calls if call.tool in scene.tools and (call.tool, call.input) not in done][:CALLS_MAX]


def listed(scene: Scene) -> list[Listed] | None:
    """What `list_memories` said in this turn; None where it was not asked or failed."""
    good = [step for step in scene.steps_of("list_memories") if not step.failed]
    if not good:
        return None
    found = [
        Listed(item["id"], str(item.get("fact") or ""), archived=item.get("archived") is True)
        for step in good
        for item in step.result.get("facts") or []
        if isinstance(item, dict) and isinstance(item.get("id"), int)
    ]
    return sorted(set(found), key=lambda one: one.number)


def facts_before(scene: Scene) -> list[str]:
    """What was known before this turn: what it has learned since must not change how its words are read."""
    facts = listed(scene)
    if facts is not None:
        return [fact.sentence for fact in facts]
    learned = [one for step in scene.steps_of("extract_memory") for one in step.input.get("facts") or []]
    learned += [one for step in scene.steps_of("extract_memory") for one in step.result.get("stored") or []]
    return [fact for fact in scene.facts if not any(same(fact, str(one.get("fact"))) for one in learned)]


def _first(reading: Reading, scene: Scene) -> list[Call]:
    calls: list[Call] = []
    if _needs_list(reading, scene):
        calls.append(Call("list_memories", {}))
    calls += _profile(reading, scene)
    new = [
        said
        for said in reading.said
        if not said.only_known and not _waits_for_list(said, scene) and not known_already(said.sentence, scene.facts)
    ]
    calls += _extract(new)
    return calls + [
        Call("recall_memory", questions.search(question, scene.today))
        for question in reading.questions
        if _needs_recall(question, scene)
    ]


def _profile(reading: Reading, scene: Scene) -> list[Call]:
    profile = {}
    if reading.name and reading.name != scene.name:
        profile["name"] = reading.name
    if reading.timezone:  # Also the one that is shown: it may only be a guess so far.
        profile["timezone"] = reading.timezone
    if reading.timezone and reading.zone_until:
        profile["until"] = reading.zone_until.isoformat()
    if _takes_name_back(reading, scene):
        # An empty name is to be sent alone.
        return [Call("update_profile", {"name": ""}), *([Call("update_profile", profile)] if profile else [])]
    return [Call("update_profile", profile)] if profile else []


def _takes_name_back(reading: Reading, scene: Scene) -> bool:
    if reading.name_gone is None or reading.name or not scene.name:
        return False
    return reading.name_gone.lower() in {"", scene.name.lower()}


def _extract(said: list[Said]) -> list[Call]:
    return (
        [Call("extract_memory", {"facts": [{"fact": s.sentence, "category": s.category} for s in said]})]
        if said
        else []
    )


def _needs_list(reading: Reading, scene: Scene) -> bool:
    return bool(
        reading.forget
        or reading.swaps
        or any(_waits_for_list(said, scene) for said in reading.said)
        or any(questions.wants_everything(question) for question in reading.questions)
        or (
            len(scene.facts) >= SHOWN_MAX_FACTS
            and any(
                questions.is_about_person(question) and not answered(question, scene) for question in reading.questions
            )
        )
    )


def _waits_for_list(said: Said, scene: Scene) -> bool:
    """Whether the fact may take the place of another, whose id only `list_memories` tells."""
    if (
        "list_memories" not in scene.tools
        or "update_memory" not in scene.tools
        or known_already(said.sentence, scene.facts)
    ):
        return False
    if said.only_known and len(scene.facts) < SHOWN_MAX_FACTS:
        return bool(changes(said, scene.facts))
    unseen = said.ends is not None and len(scene.facts) >= SHOWN_MAX_FACTS
    return said.corrects or unseen or bool(changes(said, scene.facts))


def answered(question: str, scene: Scene) -> str | None:
    """What the facts that are shown answer to a question; None where they do not."""
    answer = questions.answer(question, questions.Known(scene.name, scene.timezone, scene.facts))
    return None if answer is None or answer.startswith(questions.DONT_KNOW) else answer


def _needs_recall(question: str, scene: Scene) -> bool:
    if questions.wants_everything(question):
        return not scene.facts and not scene.name
    if questions.asks_own_name(question):
        return False
    if not questions.looks_back(question):
        return questions.may_have_been_told(question) and not answered(question, scene)
    # No fact says when it was told.
    more_than_facts = told.asks_when(question) or told.asks_what_was_said(question)
    return questions.wants_the_past(question) or more_than_facts or not answered(question, scene)


def _later(reading: Reading, scene: Scene) -> list[Call]:
    facts = listed(scene)
    if facts is None:
        return []
    lists = scene.steps_of("list_memories")
    if len(lists) == 1 and lists[0].result.get("of", 0) > lists[0].result.get("shown", 0):
        sought = [*reading.forget, *(said.sentence for said in reading.said), *(swap.wrong for swap in reading.swaps)]
        if sought:  # There are more facts than a list shows.
            return [Call("list_memories", {"query": words}) for words in sought[:SUBJECTS_MAX]]
    updates, claimed = _updates(reading, scene, facts)
    calls = [Call("update_memory", {"fact_id": number, "fact": sentence}) for number, sentence in updates]
    calls += _instead(reading, scene)
    wishes = [wish for wish in to_forget(reading, scene, facts) if wish.number not in claimed]
    calls += [
        Call("update_memory", {"fact_id": wish.number, "fact": wish.rest}) for wish in wishes if wish.rest is not None
    ]
    gone = [wish.number for wish in wishes if wish.rest is None]
    about = [query for query in reading.forget if is_subject(query)]
    if gone or about:
        calls.append(Call("remove_memory", {"fact_ids": gone} | ({"about": about[:SUBJECTS_MAX]} if about else {})))
    replacing = {sentence for _, sentence in updates}
    return calls + _extract(_still_new(reading, scene, facts, replacing))


def _instead(reading: Reading, scene: Scene) -> list[Call]:
    """Where an update was refused, as the two share no subject or the new is known: the old one goes, the new stays."""
    reasons = ("something else", "already")
    failed = [step for step in scene.steps_of("update_memory") if step.failed]
    refused = [step for step in failed if any(reason in step.message for reason in reasons)]
    if not refused:
        return []
    wanted = [str(step.input.get("fact")) for step in refused]
    said = [said for said in reading.said if said.sentence in wanted]
    others = [Said(fact, "other", fact) for fact in wanted if fact not in {one.sentence for one in said}]
    gone = Call("remove_memory", {"fact_ids": [step.input.get("fact_id") for step in refused]})
    return [gone, *_extract([*said, *others])]


@dataclass(frozen=True)
class Wish:
    """What is to be forgotten of one fact."""

    number: int
    gone: list[str]
    """The statements in the fact that are to go."""
    rest: str | None
    """What stays of the fact; None where all of it goes."""


def to_forget(reading: Reading, scene: Scene, facts: list[Listed]) -> list[Wish]:
    """What the person asked to forget, fact by fact."""
    sentences = [fact.sentence for fact in facts]
    found: dict[int, list[str]] = {}
    for query in reading.forget:
        numbers = named_by_number(query)
        for index, fact in enumerate(facts):
            if fact.number in numbers:
                found.setdefault(index, []).extend(parts(fact.sentence))
        for index, gone in () if numbers else concerned_parts(sentences, query, scene.today).items():
            found.setdefault(index, []).extend(gone)
    return [Wish(facts[index].number, gone, without(sentences[index], gone)) for index, gone in sorted(found.items())]


def _updates(reading: Reading, scene: Scene, facts: list[Listed]) -> tuple[list[tuple[int, str]], set[int]]:
    """The new sentence of each fact that changes. One fact changes once, and positive statements choose first."""
    updates: list[tuple[int, str]] = []
    claimed: set[int] = set()
    for said in sorted(_pending(reading, scene, facts), key=lambda said: said.ends is not None):
        free = [fact for fact in facts if fact.number not in claimed]
        for change in changes(said, [fact.sentence for fact in free]):
            claimed.add(free[change.index].number)
            updates.append((free[change.index].number, change.sentence))
    swapping: dict[int, str] = {}
    for swap in reading.swaps:
        for fact in facts:
            changed = swapped(swap, swapping.get(fact.number, fact.sentence))
            if changed and fact.number not in claimed and (not swap.about or _speaks_of(fact.sentence, swap)):
                swapping[fact.number] = changed
    return [*updates, *swapping.items()], claimed | swapping.keys()


def _speaks_of(fact: str, swap: Swap) -> bool:
    """Whether the fact says what the text does that is put right, for the most part: its day alone says nothing."""
    times = {stem for word in days.TIME_WORDS for stem in content(word)}
    said = {stem for stem in content(fact) if not stem.isdigit()} - times - set(content(swap.wrong))
    return 2 * len(said & set(content(swap.about))) > len(said)


def swapped(swap: Swap, fact: str) -> str | None:
    """The fact with the right word in the place of the wrong one, or None where it does not hold the wrong one."""
    place = fact.lower().find(swap.wrong.lower())
    if place < 0:
        return None
    return fact[:place] + swap.right + fact[place + len(swap.wrong) :]


def _pending(reading: Reading, scene: Scene, facts: list[Listed]) -> list[Said]:
    """What was said and neither kept in this turn nor known before it."""
    extracted = {
        str(item.get("fact"))
        for step in scene.steps_of("extract_memory")
        for item in step.input.get("facts") or []
        if isinstance(item, dict)
    }
    live = [fact.sentence for fact in facts if not fact.archived]
    return [said for said in reading.said if said.sentence not in extracted and not known_already(said.sentence, live)]


def _still_new(reading: Reading, scene: Scene, facts: list[Listed], replacing: set[str]) -> list[Said]:
    """Corrections that found nothing to correct: facts of their own, but for the end of what was not known."""
    sentences = [fact.sentence for fact in facts]
    return [
        said for said in _pending(reading, scene, facts) if _is_new(said, changes(said, sentences), replacing=replacing)
    ]


def _is_new(said: Said, changed: Sequence[Change], *, replacing: set[str]) -> bool:
    if changed:
        return any(change.beside for change in changed) and said.sentence not in replacing
    return said.sentence not in replacing and not said.only_known and not (said.ends and replacing)

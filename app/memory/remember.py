"""Remember: store facts, each only once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from app.clock import local
from app.errors import Refused
from app.memory import changes, facts
from app.memory.changes import Origin
from app.memory.facts.categories import answered_question, question
from app.models import ChangeItem, Fact, Message, Person
from app.services import Services
from app.text.days import dated
from app.text.secrets import is_despair, is_secret
from app.text.wording import ALIKE, clean, normalise, one_line, overlap, subjects

MAX_FACT_CHARS = 300  # One short sentence; a longer story belongs in an episode.
MAX_FACTS_AT_ONCE = 20  # More in one call is an error of the model, not a person talking about themselves.
CONFIDENCE_STEP = 0.1  # Added each time the fact is told again, up to 1.


@dataclass(frozen=True)
class NewFact:
    fact: str
    category: str | None = None
    origin: Origin | None = None  # Overrides the origin of the whole call for this sentence.


@dataclass(frozen=True)
class Conflicting:
    """A new fact, and the known facts that it resembles and may replace. Likeness alone drops nothing."""

    fact: Fact
    known: list[Fact]


@dataclass
class Remembered:
    """Result of `remember`, by what was done with each sentence."""

    stored: list[Fact] = field(default_factory=list)
    duplicates: list[Fact] = field(default_factory=list)
    """Known facts with the same sentence, apart from case, spacing and punctuation."""
    back: list[Fact] = field(default_factory=list)
    """Duplicates that were archived and are live again."""
    conflicts: list[Conflicting] = field(default_factory=list)


def remember(services: Services, person_id: int, new: Sequence[NewFact], origin: Origin) -> Remembered:
    """Store facts; the result lists those stored, those already known and those they may contradict.

    Raises:
        Refused: see `checked_sentence` and `dated_sentence`; or none, or more than `MAX_FACTS_AT_ONCE`, are given.
    """
    with services.transaction(person_id) as db:
        return learn(db, person_id, new, origin, services.clock.now())


def learn(
    db: Session, person_id: int, new: Sequence[NewFact], origin: Origin, now: datetime, *, verb: str = "remember"
) -> Remembered:
    """Same as `remember`, inside the caller's transaction; `verb` names the change in the record."""
    if len(new) > MAX_FACTS_AT_ONCE:
        raise Refused(f"{len(new)} facts at once; at most {MAX_FACTS_AT_ONCE} are kept. Send the most important ones.")
    if not new:
        raise Refused("No facts were given. Send at least one, or do not call this tool.")
    sentences = [dated_sentence(db, person_id, checked_sentence(one.fact), one.origin or origin, now) for one in new]
    remembered, items = Remembered(), list[ChangeItem]()
    known = [(fact, subjects(fact.sentence)) for fact in facts.live(db, person_id, now)]
    for one, sentence in zip(new, sentences, strict=True):
        by = one.origin or origin
        if same := facts.held_by_sentence(db, person_id, sentence):
            items += _hear_again(same, by, now, remembered)
            continue
        alike = [(fact, subjects(fact.sentence)) for fact in facts.archived_alike(db, person_id, sentence, now)]
        fact = facts.add(db, person_id, sentence, checked_category(one.category), by, now)
        items.append(ChangeItem(added_fact_id=fact.id))
        remembered.stored.append(fact)
        if rivals := _rivals(sentence, [*known, *alike]):
            remembered.conflicts.append(Conflicting(fact, rivals))
    if items:
        told = [fact.number for fact in (*remembered.stored, *remembered.duplicates)]
        facts.archive_beyond_limit(db, person_id, now, but=told)
        changes.record(db, person_id, verb, origin, now, items)
    return remembered


def checked_sentence(sentence: str) -> str:
    """The cleaned sentence, fit to be stored.

    Raises:
        Refused: it is empty, longer than `MAX_FACT_CHARS`, said in despair, or gives a secret away.
    """
    cleaned = clean(sentence)
    if not normalise(cleaned):
        raise Refused("A fact is one sentence; this one is empty. Say what is true of the person.")
    if len(cleaned) > MAX_FACT_CHARS:
        raise Refused(
            f"The fact has {len(cleaned):,} characters; at most {MAX_FACT_CHARS} are kept. "
            "Say it in one short sentence, or split it into several facts."
        )
    if is_despair(cleaned):
        raise Refused(
            "That is said in despair, and is no fact to be kept or read back to them. Leave it out: they need an "
            "answer with care and, where they may be in danger, the name of who helps at once."
        )
    if is_secret(cleaned):
        raise Refused(
            "That looks like a password, a code, a card number or a key; those are never kept as a fact. Leave it out. "
            "A text that said it stays in the conversation; its sender should know, and that it is not remembered."
        )
    return cleaned


def dated_sentence(db: Session, person_id: int, sentence: str, origin: Origin, now: datetime) -> str:
    """A checked sentence with a date behind each day word ("tomorrow"), since a fact is read on later days.

    Dates follow the person's own clock when the text that told it came in, or now if no text did.

    Raises:
        Refused: with its dates it is longer than `MAX_FACT_CHARS`.
    """
    text = db.get(Message, origin.message_id) if origin.message_id is not None else None
    at = local(text.created_at if text is not None else now, db.get_one(Person, person_id).timezone)
    return checked_sentence(dated(sentence, at))


def checked_category(category: str | None) -> str | None:
    return one_line(category or "").casefold()[:40].strip() or None


def _hear_again(fact: Fact, origin: Origin, now: datetime, remembered: Remembered) -> list[ChangeItem]:
    """Count that a known fact was told again; the items for the record, none if one call says it twice."""
    if fact in remembered.duplicates:
        return []
    remembered.duplicates.append(fact)
    if fact in remembered.stored:
        return []
    same_text = origin.message_id is not None and origin.message_id == fact.message_id
    if origin.source in {"explicit", "corrected"} and not same_text:  # One text tells a thing once.
        fact.times_told += 1
        fact.confidence = min(1.0, fact.confidence + CONFIDENCE_STEP)
        fact.fresh_at = now
    if same_text or not facts.is_archived(fact, now):
        return []
    remembered.back.append(fact)
    return changes.make_live(fact, now)


def _rivals(sentence: str, known: Sequence[tuple[Fact, frozenset[str]]]) -> list[Fact]:
    """Known facts that the sentence may replace: they are much alike, or answer the same question."""
    said, asked = subjects(sentence), question(sentence)
    return [
        fact
        for fact, about in known
        if overlap(about, said) >= ALIKE or (asked is not None and answered_question(fact.sentence) == asked)
    ]

"""Rules: their words, and their rows in and out. They stand in no index: nobody has many."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol, cast

from sqlalchemy import Select, Table, bindparam, func, select
from sqlalchemy.orm import Session

from app.errors import Conflict, Refused
from app.memory.facts import LARGEST_NUMBER
from app.memory.origin import Origin
from app.models import Person, Rule
from app.store.db import carried_on
from app.text.secrets import is_secret
from app.text.wording import clean, folded, normalise, one_line

MAX_PROCEDURE_CHARS = 300  # One short sentence, as a fact has.
MAX_TRIGGER_CHARS = 100  # A phrase that somebody remembers to say, or a situation in a few words.

TRIGGER_KINDS = ("phrase", "situation", "always")

_QUOTED = re.compile(r"""^["'“”„«»‘’]+|["'“”„«»‘’]+$""")
_WHEN = re.compile(r"^(?:when(?:ever)?|if|in case|as soon as)\s+", re.IGNORECASE)

_ROWS = cast("Table", Rule.__table__)
_IN_FORCE = (
    select(_ROWS.c.number, _ROWS.c.trigger_kind, _ROWS.c.trigger, _ROWS.c.procedure)
    .where(_ROWS.c.person_id == bindparam("person"), _ROWS.c.retired_at.is_(None), _ROWS.c.state == "active")
    .order_by(_ROWS.c.number)
)
"""On the table and not on the class: every turn asks twice."""


class Ruled(Protocol):
    """Whatever has a rule's words: a row, or as much of one as a turn needs."""

    @property
    def trigger_kind(self) -> str: ...
    @property
    def trigger(self) -> str | None: ...
    @property
    def procedure(self) -> str: ...


@dataclass(frozen=True)
class RuleWords:
    """When a rule holds, and what is to be done then."""

    trigger_kind: str
    """`phrase`, `situation` or `always`."""
    trigger: str | None
    procedure: str


def checked(trigger_kind: str, trigger: str | None, procedure: str) -> RuleWords:
    """The words as they are kept.

    Raises:
        Refused: they are empty, too long, or give a secret away.
    """
    does = clean(procedure)
    if not normalise(does):
        raise Refused("A rule says in one sentence what is to be done; this one is empty.")
    if len(does) > MAX_PROCEDURE_CHARS:
        raise Refused(
            f"The procedure has {len(does):,} characters; at most {MAX_PROCEDURE_CHARS} are kept. "
            "Say it in one short sentence, or make two rules of it."
        )
    words = RuleWords(trigger_kind, _checked_trigger(trigger_kind, trigger), does)
    if is_secret(does) or is_secret(words.trigger or ""):
        raise Refused("That looks like a password, a code, a card number or a key; those are never kept in a rule.")
    return words


def normalised(rule: Ruled) -> str:
    """The rule without case, spacing and punctuation: what makes two rules the same rule."""
    trigger = folded(rule.trigger or "") if rule.trigger_kind == "phrase" else normalise(rule.trigger or "")
    return f"{rule.trigger_kind}\n{trigger}\n{normalise(rule.procedure)}"


def spoken(rule: Ruled) -> str:
    """The rule in one line, for whoever reads it."""
    if rule.trigger_kind == "phrase":
        return f'On "{rule.trigger}": {rule.procedure}'
    return f"When {rule.trigger}: {rule.procedure}" if rule.trigger_kind == "situation" else rule.procedure


def _checked_trigger(kind: str, trigger: str | None) -> str | None:
    words = one_line(trigger or "")
    if kind == "always":
        if words:
            raise Refused(f"A rule that always holds has no trigger; '{words[:40]}' was given. Leave one of them out.")
        return None
    words = (_QUOTED if kind == "phrase" else _WHEN).sub("", words).strip(" .,;:!?")
    if not folded(words):
        asked = "the words that the person will say" if kind == "phrase" else "the situation in a few words"
        raise Refused(f"A rule for a {kind} needs its trigger: {asked}.")
    if len(words) > MAX_TRIGGER_CHARS:
        raise Refused(f"The trigger has {len(words):,} characters; at most {MAX_TRIGGER_CHARS} are kept. Shorten it.")
    return words


class InForce(NamedTuple):
    """As much of a rule that holds as a turn needs."""

    number: int
    trigger_kind: str
    trigger: str | None
    procedure: str


def in_force(db: Session, person_id: int) -> list[InForce]:
    """The rules that hold now, by number: neither paused ones nor those that wait for a yes."""
    return [InForce(*row) for row in db.connection().execute(_IN_FORCE, {"person": person_id})]


def live(db: Session, person_id: int) -> list[Rule]:
    """All rules that are not forgotten, by number."""
    return list(db.scalars(_live(person_id).order_by(Rule.number)))


def live_by_number(db: Session, person_id: int, number: int) -> Rule | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    return db.scalars(_live(person_id).where(Rule.number == number)).one_or_none()


def live_by_words(db: Session, person_id: int, words: RuleWords) -> Rule | None:
    """The live rule that says the same, whatever its case, spacing or punctuation."""
    return db.scalars(_live(person_id).where(Rule.normalised == normalised(words))).one_or_none()


def versions(db: Session, person_id: int, number: int) -> list[Rule]:
    """All versions of one rule, oldest first; none for an unknown number."""
    if not 0 < number <= LARGEST_NUMBER:
        return []
    rows = select(Rule).where(Rule.person_id == person_id, Rule.number == number)
    return list(db.scalars(rows.order_by(Rule.version)))


def forgotten(db: Session, person_id: int) -> list[Rule]:
    """The last version of each rule that was forgotten and may be restored, the last one forgotten first."""
    newest = select(func.max(Rule.id)).where(Rule.person_id == person_id).group_by(Rule.number)
    rows = select(Rule).where(Rule.id.in_(newest), Rule.retired_at.is_not(None))
    return list(db.scalars(rows.order_by(Rule.retired_at.desc(), Rule.number)))


def add(db: Session, person_id: int, words: RuleWords, state: str, origin: Origin, now: datetime) -> Rule:
    """A new rule under the person's next number."""
    person = db.get_one(Person, person_id)
    person.last_rule_number += 1
    rule = Rule(
        person_id=person_id,
        number=person.last_rule_number,
        version=1,
        state=state,
        created_at=now,
        recorded_at=now,
        **_told(words, origin),
    )
    return _kept(db, rule)


def add_version(
    db: Session,
    before: Rule,
    now: datetime,
    *,
    state: str,
    words: RuleWords | None = None,
    origin: Origin | None = None,
) -> Rule:
    """The next version of a rule; the one before stays as history.

    Without new `words` and their `origin`, it says what it said, and comes from where it came from.
    """
    retire(db, before, now)
    rule = _next_version(db, before, now)
    rule.state = state
    if words is not None and origin is not None:
        for name, value in _told(words, origin).items():
            setattr(rule, name, value)
    return _kept(db, rule)


def bring_back(db: Session, retired: Rule, now: datetime) -> Rule:
    """A retired version as the newest one, word for word and in the state that it had.

    Raises:
        Conflict: another live rule says the same, or the rule's number is live already.
    """
    same = live_by_number(db, retired.person_id, retired.number) or live_by_words(
        db, retired.person_id, words_of(retired)
    )
    if same is not None:
        raise Conflict(f"'{spoken(retired)}' cannot come back: rule {same.number} says '{spoken(same)}'.")
    return _kept(db, _next_version(db, retired, now))


def retire(db: Session, rule: Rule, now: datetime) -> None:
    """The rule is no longer live: it holds for nothing, is not listed, and is not counted as a duplicate."""
    rule.retired_at = now
    db.flush()


def words_of(rule: Rule) -> RuleWords:
    return RuleWords(rule.trigger_kind, rule.trigger, rule.procedure)


def _live(person_id: int) -> Select[Rule]:
    return select(Rule).where(Rule.person_id == person_id, Rule.retired_at.is_(None))


def _next_version(db: Session, before: Rule, now: datetime) -> Rule:
    theirs = (Rule.person_id == before.person_id, Rule.number == before.number)
    newest = db.scalars(select(func.max(Rule.version)).where(*theirs)).one()
    return Rule(version=newest + 1, recorded_at=now, **carried_on(before))


def _kept(db: Session, rule: Rule) -> Rule:
    db.add(rule)
    db.flush()
    return rule


def _told(words: RuleWords, origin: Origin) -> dict[str, object]:
    return {
        "trigger_kind": words.trigger_kind,
        "trigger": words.trigger,
        "procedure": words.procedure,
        "normalised": normalised(words),
        "source": origin.source,
        "message_id": origin.message_id,
        "quote": origin.quote,
    }

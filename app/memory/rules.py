"""Rules for how a person wants things done: set, revise, forget, restore. They are not indexed, as there are few."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.errors import Conflict, NotFound, Refused
from app.memory import changes
from app.memory.changes import Origin, Removed, held, last_retired, next_version, versions_of
from app.memory.changes import held_by_number as of_held
from app.models import Change, ChangeItem, Message, Person, Rule
from app.services import Services
from app.text.secrets import is_secret
from app.text.wording import ALIKE, clean, folded, normalise, one_line, overlap, subjects

MAX_RULES = 50  # Nobody remembers more, and every text is compared with their phrases.
MAX_PROPOSED = 10  # Nobody confirms more, and proposals from others' words must not fill the person's limit.
MAX_PROCEDURE_CHARS = 300  # One short sentence, as for a fact.
MAX_TRIGGER_CHARS = 100  # A phrase that is easy to remember, or a situation in a few words.

TRIGGER_KINDS = ("phrase", "situation", "always")

_QUOTED = re.compile(r"""^["'“”„«»‘’]+|["'“”„«»‘’]+$""")
_WHEN = re.compile(r"^(?:when(?:ever)?|if|in case|as soon as)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class RuleWords:
    trigger_kind: str  # `phrase`, `situation` or `always`.
    trigger: str | None
    procedure: str


Ruled = Rule | RuleWords  # Anything with the words of a rule.


def checked(trigger_kind: str, trigger: str | None, procedure: str) -> RuleWords:
    """The cleaned words, fit to be stored.

    Raises:
        Refused: they are empty, too long, or hold a secret.
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
    """The rule without case, spacing and punctuation; two rules with the same result are the same rule."""
    trigger = folded(rule.trigger or "") if rule.trigger_kind == "phrase" else normalise(rule.trigger or "")
    return f"{rule.trigger_kind}\n{trigger}\n{normalise(rule.procedure)}"


def spoken(rule: Ruled) -> str:
    """The rule in one readable line."""
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


held_by_number = partial(of_held, Rule)
versions = partial(versions_of, Rule)  # All versions of one rule, oldest first; none for an unknown number.


def live(db: Session, person_id: int) -> list[Rule]:
    return list(db.scalars(held(Rule, person_id).order_by(Rule.number)))


def live_by_words(db: Session, person_id: int, words: RuleWords) -> Rule | None:
    """The live rule with the same words, apart from case, spacing and punctuation."""
    return db.scalars(held(Rule, person_id).where(Rule.normalised == normalised(words))).one_or_none()


def forgotten(db: Session, person_id: int) -> list[Rule]:
    """Forgotten rules that may be restored, each in its last version, the latest forgotten first."""
    rows = last_retired(Rule, person_id)
    return list(db.scalars(rows.order_by(Rule.retired_at.desc(), Rule.number)))


def add(db: Session, person_id: int, words: RuleWords, state: str, origin: Origin, now: datetime) -> Rule:
    """Add a rule under the person's next number."""
    person = db.get_one(Person, person_id)
    person.last_rule_number += 1
    rule = Rule(
        person_id=person_id,
        number=person.last_rule_number,
        version=1,
        state=state,
        created_at=now,
        recorded_at=now,
        **_columns(words, origin),
    )
    return _keep(db, rule)


def _revise(db: Session, before: Rule, origin: Origin, now: datetime, *, state: str, words: RuleWords | None) -> Rule:
    """Add and record the next version. Without new words it keeps its words and its source."""
    retire(db, before, now)
    told = _columns(words, origin) if words is not None else {}
    rule = _keep(db, next_version(db, before, now, origin.seen, state=state, **told))
    item = ChangeItem(retired_rule_id=before.id, added_rule_id=rule.id)
    changes.record(db, before.person_id, "revise", origin, now, [item])
    return rule


def bring_back(db: Session, retired: Rule, now: datetime) -> Rule:
    """Add a retired version again as the newest one, with the same words and state.

    Raises:
        Conflict: another live rule says the same, or the rule's number is live already.
    """
    same = held_by_number(db, retired.person_id, retired.number) or live_by_words(
        db, retired.person_id, words_of(retired)
    )
    if same is not None:
        raise Conflict(f"'{spoken(retired)}' cannot come back: rule {same.number} says '{spoken(same)}'.")
    return _keep(db, next_version(db, retired, now))


def retire(db: Session, rule: Rule, now: datetime) -> None:
    rule.retired_at = now
    db.flush()


def words_of(rule: Rule) -> RuleWords:
    return RuleWords(rule.trigger_kind, rule.trigger, rule.procedure)


def _keep(db: Session, rule: Rule) -> Rule:
    db.add(rule)
    db.flush()
    return rule


def _columns(words: RuleWords, origin: Origin) -> dict[str, object]:
    return {**vars(words), "normalised": normalised(words), **origin.columns}


@dataclass(frozen=True)
class SetRule:
    rule: Rule
    is_new: bool  # False if the rule was there already, so that nothing changed.
    conflicts: list[Rule] = field(default_factory=list)
    """Rules it may replace: the same phrase, or much alike. Likeness alone never merges."""


def set_rule(
    services: Services, person_id: int, words: RuleWords, origin: Origin, *, proposed: bool = False
) -> SetRule:
    """Set a rule: active, even if it was paused; or `proposed`, waiting for the person's yes.

    Raises:
        Refused: it is empty, too long or a secret, or there are already `MAX_RULES` or `MAX_PROPOSED`.
    """
    words = checked(words.trigger_kind, words.trigger, words.procedure)
    now = services.clock.now()
    with services.transaction(person_id) as db:
        same = live_by_words(db, person_id, words)
        if same is not None and (proposed or same.state == "active"):
            return SetRule(same, is_new=False)
        if same is not None:
            return SetRule(_revise(db, same, origin, now, state="active", words=words), is_new=True)
        known = live(db, person_id)
        _check_room(known, proposed=proposed)
        rule = add(db, person_id, words, "proposed" if proposed else "active", origin, now)
        changes.record(db, person_id, "remember", origin, now, [ChangeItem(added_rule_id=rule.id)])
        return SetRule(rule, is_new=True, conflicts=_rivals(rule, known))


def revise_rule(
    services: Services,
    person_id: int,
    number: int,
    origin: Origin,
    *,
    words: RuleWords | None = None,
    paused: bool | None = None,
    confirmed: bool = False,
) -> Rule:
    """Revise a rule and return it; `confirmed` is the person's yes to a proposed rule.

    Raises:
        NotFound: the person has no such rule.
        Conflict: another rule already says that.
        Refused: nothing to change, unfit words, or a yes before the person was asked.
    """
    if words is None and paused is None and not confirmed:
        raise Refused("Nothing to change was given. Give the new words, whether it is paused, or the person's yes.")
    new = checked(words.trigger_kind, words.trigger, words.procedure) if words is not None else None
    now = services.clock.now()
    with services.transaction(person_id) as db:
        current = changes.expect_held(Rule, db, person_id, number, origin)
        if new is not None:
            same = live_by_words(db, person_id, new)
            if same is not None and same.number != number:
                raise Conflict(f"Rule {same.number} says '{spoken(same)}' already. Remove rule {number} instead.")
        if confirmed and current.state == "proposed":
            _check_was_asked(db, current, origin)
        state = _state_after(current, paused=paused, confirmed=confirmed)
        if state == current.state and (new is None or new == words_of(current)):
            return current
        return _revise(db, current, origin, now, state=state, words=new)


def forget_rules(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> Removed[Rule]:
    """Forget rules in one change, so that one undo brings all of them back."""
    now = services.clock.now()
    with services.transaction(person_id) as db:
        found, items = changes.forget_each(db, Rule, person_id, numbers, origin, lambda rule: retire(db, rule, now))
        changes.record(db, person_id, "forget", origin, now, items)
    return found


def restore_rule(services: Services, person_id: int, number: int, origin: Origin) -> Rule:
    """Restore a forgotten rule in its last version.

    Raises:
        NotFound: the person never had a rule with that number.
        Conflict: it is not forgotten, or another rule says the same.
        Refused: there are already `MAX_RULES`.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        known = versions(db, person_id, number)
        if not known:
            raise NotFound(f"There never was a rule with id {number}.")
        _check_room(live(db, person_id), proposed=False)
        back = bring_back(db, known[-1], now)
        changes.record(db, person_id, "restore", origin, now, [ChangeItem(added_rule_id=back.id)])
        return back


def _check_room(known: Sequence[Rule], *, proposed: bool) -> None:
    if len(known) >= MAX_RULES:
        raise Refused(
            f"There are {len(known)} rules already, and {MAX_RULES} are the most. "
            "One has to be forgotten first: the person says which."
        )
    waiting = sum(rule.state == "proposed" for rule in known)
    if proposed and waiting >= MAX_PROPOSED:
        raise Refused(
            f"{waiting} rules wait for the person's yes already. Ask about those first; this one was not kept."
        )


def _rivals(rule: Rule, known: Sequence[Rule]) -> list[Rule]:
    def trigger(one: Rule) -> str:
        return normalised(one).rpartition("\n")[0]

    return [
        one
        for one in known
        if (one.trigger_kind == "phrase" and trigger(one) == trigger(rule))
        or overlap(subjects(spoken(one)), subjects(spoken(rule))) >= ALIKE
    ]


def _state_after(current: Rule, *, paused: bool | None, confirmed: bool) -> str:
    if current.state == "proposed" and not confirmed:
        if paused is not None:
            raise Refused(
                f"Rule {current.number} waits for the person's yes and does not hold yet: there is nothing to pause or "
                "resume. They say yes to it, or it is forgotten."
            )
        return "proposed"
    if paused is None:
        return "active" if current.state == "proposed" else current.state
    return "paused" if paused else "active"


def _check_was_asked(db: Session, rule: Rule, origin: Origin) -> None:
    """Refuse a yes before the question: the text with the yes must come after our answer that proposed the rule."""
    proposed_in = db.scalar(select(Change.turn_id).join(ChangeItem).where(ChangeItem.added_rule_id == rule.id).limit(1))
    if proposed_in is None or origin.actor != "assistant":
        return  # With a command, the person names the rule themselves.
    answered = select(func.min(Message.id)).where(Message.turn_id == proposed_in, Message.direction == "out")
    asked_in = db.scalar(answered)
    if asked_in is None or origin.message_id is None or origin.message_id < asked_in:
        raise Refused(
            f"Nothing was changed: the person has not been asked about rule {rule.number} yet. "
            "Ask them in your answer; their next text may say yes."
        )

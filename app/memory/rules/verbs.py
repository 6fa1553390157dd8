"""Rules set, revised, forgotten and restored: the verbs of how a person wants things done."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.errors import Conflict, NotFound, Refused
from app.memory import changes, rules
from app.memory.origin import Origin
from app.memory.rules import RuleWords, checked, normalised, spoken
from app.models import ChangeItem, Message, Rule
from app.services import Services
from app.text.wording import likeness

MAX_RULES = 50  # More nobody keeps in mind, and every text is compared with their phrases.
MAX_PROPOSED = 10  # Nobody says yes to more, and what others wrote must not use up the person's own room.
ALIKE = 0.5  # From this likeness on, two rules are shown to the model as perhaps the same wish.


@dataclass(frozen=True)
class SetRule:
    """What became of a rule that was set."""

    rule: Rule
    is_new: bool
    """Whether it holds, or waits, from now on; a rule that said so already changes nothing."""
    conflicts: list[Rule] = field(default_factory=list)
    """Rules that it may replace: for the same phrase, or much alike. Likeness alone never merges."""


@dataclass(frozen=True)
class ForgottenRules:
    """The rules that went, and the numbers that named nothing."""

    removed: list[Rule]
    unknown: list[int]


def set_rule(
    services: Services, person_id: int, words: RuleWords, origin: Origin, *, proposed: bool = False
) -> SetRule:
    """The rule as it was set, or `proposed`: then it holds for nothing until the person says yes.

    Set again in the person's own words, a rule that was paused or waited for their yes holds from now on.

    Raises:
        Refused: it is empty, too long or a secret, or there are `MAX_RULES` or `MAX_PROPOSED` already.
    """
    words = checked(words.trigger_kind, words.trigger, words.procedure)
    now = services.clock.now()
    with services.transaction() as db:
        same = rules.live_by_words(db, person_id, words)
        if same is not None and (proposed or same.state == "active"):
            return SetRule(same, is_new=False)
        if same is not None:
            rule = rules.add_version(db, same, now, state="active", words=words, origin=origin)
            item = ChangeItem(retired_rule_id=same.id, added_rule_id=rule.id)
            changes.record(db, person_id, "revise", origin, now, [item])
            return SetRule(rule, is_new=True)
        known = rules.live(db, person_id)
        _check_room(known, proposed=proposed)
        rule = rules.add(db, person_id, words, "proposed" if proposed else "active", origin, now)
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
    """The rule as it now is, under its number, in a new version where anything changed.

    `confirmed` is the person's yes to a rule that was proposed to them.

    Raises:
        NotFound: the person has no such rule.
        Conflict: another rule says that already.
        Refused: nothing to change, unfit words, or a yes that nobody has asked for.
    """
    if words is None and paused is None and not confirmed:
        raise Refused("Nothing to change was given. Give the new words, whether it is paused, or the person's yes.")
    new = checked(words.trigger_kind, words.trigger, words.procedure) if words is not None else None
    now = services.clock.now()
    with services.transaction() as db:
        current = rules.live_by_number(db, person_id, number)
        if current is None:
            raise NotFound(f"No rule with id {number}. List the rules to see the ids.")
        if new is not None:
            same = rules.live_by_words(db, person_id, new)
            if same is not None and same.number != number:
                raise Conflict(f"Rule {same.number} says '{spoken(same)}' already. Remove rule {number} instead.")
        if confirmed and current.state == "proposed":
            _check_was_asked(db, current, origin)
        state = _state_after(current, paused=paused, confirmed=confirmed)
        if state == current.state and (new is None or new == rules.words_of(current)):
            return current
        rule = rules.add_version(db, current, now, state=state, words=new, origin=origin)
        item = ChangeItem(retired_rule_id=current.id, added_rule_id=rule.id)
        changes.record(db, person_id, "revise", origin, now, [item])
        return rule


def forget_rules(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> ForgottenRules:
    """The rules that hold no longer; one change, so that one undo brings all of them back."""
    now = services.clock.now()
    removed: list[Rule] = []
    unknown: list[int] = []
    items: list[ChangeItem] = []
    with services.transaction() as db:
        for number in dict.fromkeys(numbers):
            rule = rules.live_by_number(db, person_id, number)
            if rule is not None:
                rules.retire(db, rule, now)
                items.append(ChangeItem(retired_rule_id=rule.id))
            elif origin.turn_id is not None:  # This turn may have forgotten it, before it was cut off or asked again.
                rule = changes.retired_in(db, origin.turn_id, Rule, number)
            if rule is not None:
                removed.append(rule)
            else:
                unknown.append(number)
        if items:
            changes.record(db, person_id, "forget", origin, now, items)
    return ForgottenRules(removed, unknown)


def restore_rule(services: Services, person_id: int, number: int, origin: Origin) -> Rule:
    """A forgotten rule as it last was.

    Raises:
        NotFound: the person never had a rule with that number.
        Conflict: it is not forgotten, or another rule says the same.
        Refused: there are `MAX_RULES` already.
    """
    now = services.clock.now()
    with services.transaction() as db:
        versions = rules.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"There never was a rule with id {number}.")
        _check_room(rules.live(db, person_id), proposed=False)
        back = rules.bring_back(db, versions[-1], now)
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
        or likeness(spoken(one), spoken(rule)) >= ALIKE
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
    """Let nobody say yes before they were asked: the text that says it came after the answer that proposed the rule."""
    proposing = changes.adding(db, rule)
    if proposing is None or proposing.turn_id is None or origin.actor != "assistant":
        return  # By a command the person names the rule themselves.
    answered = select(func.min(Message.id)).where(Message.turn_id == proposing.turn_id, Message.direction == "out")
    asked_in = db.scalar(answered)
    if asked_in is None or origin.message_id is None or origin.message_id < asked_in:
        raise Refused(
            f"Nothing was changed: the person has not been asked about rule {rule.number} yet. "
            "Ask them in your answer; their next text may say yes."
        )

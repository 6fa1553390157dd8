"""`/rules`: lists and changes a person's rules without the model."""

from itertools import pairwise

from sqlalchemy import select

from app import people
from app.clock import spoken_date
from app.conversation.commands.command import NUMBER, NUMBERS, Command, command, ended_sentence, learned_sentence
from app.errors import Refused
from app.memory import changes, forget_rules, revise_rule, rules
from app.memory.rules import spoken
from app.models import Change, ChangeItem, Conversation, Rule

NONE_YET = 'You have set no rules yet. Say one, such as "when I say quick update, bullets only".'
STATES = {"active": "", "paused": " (paused)", "proposed": " (waits for your yes)"}


@command(r"/rules?( list)?", help="/rules - how you want things done")
def _list(asked: Command) -> str:
    with asked.services.reading() as db:
        known = rules.live(db, asked.person_id)
        memory_on = db.get_one(Conversation, asked.turn.conversation_id).memory_on
    off = "" if memory_on else "Memory is off for this conversation, so none of them holds now (/memory on). "
    if not known:
        return NONE_YET
    lines = [f"{rule.number}. {spoken(rule)}{STATES[rule.state]}" for rule in known]
    proposed = [rule.number for rule in known if rule.state == "proposed"]
    keep = f" Shall it hold? /rules keep {proposed[0]}." if proposed else ""
    return "\n".join([f"{off}Your rules:", *lines, f"Wrong? /rules forget or /rules pause and the number.{keep}"])


@command(rf"/rules? pause {NUMBER}")
def _pause(asked: Command) -> str:
    rule = _revised(asked, paused=True)
    return f"Paused: {spoken(rule)}. /rules resume {rule.number} and it holds again."


@command(rf"/rules? resume {NUMBER}")
def _resume(asked: Command) -> str:
    return f"It holds again: {spoken(_revised(asked, paused=False))}."


@command(rf"/rules? keep {NUMBER}")
def _keep(asked: Command) -> str:
    rule = _revised(asked, confirmed=True)
    if rule.state == "paused":
        return f"It is paused: {spoken(rule)}. /rules resume {rule.number} and it holds again."
    return f"Kept, and it holds from now on: {spoken(rule)}."


def _revised(asked: Command, *, paused: bool | None = None, confirmed: bool = False) -> Rule:
    number = asked.numbers[0]
    try:
        return revise_rule(asked.services, asked.person_id, number, asked.origin, paused=paused, confirmed=confirmed)
    except Refused:  # The verb's sentence speaks about the person, not to them.
        raise Refused(
            f"Rule {number} waits for your yes: /rules keep {number} and it holds, /rules forget {number} and it goes."
        ) from None


@command(rf"/rules? forget {NUMBERS}")
def _forget(asked: Command) -> str:
    gone = forget_rules(asked.services, asked.person_id, asked.numbers, asked.origin)
    said = f"Forgotten: {'; '.join(map(spoken, gone.removed))}. /undo brings it back." if gone.removed else ""
    return ended_sentence(said, asked, gone.unknown)


@command(rf"/rules? why {NUMBER}")
def _why(asked: Command) -> str:
    with asked.services.reading() as db:
        zone = people.by_id(db, asked.person_id).timezone
        rule = changes.expect_held(Rule, db, asked.person_id, asked.numbers[0], asked.origin)
        undone = select(ChangeItem.added_rule_id).join(Change).where(Change.undone_at.is_not(None))
        taken_back = set(db.scalars(undone.where(Change.person_id == asked.person_id)))
        versions = [one for one in rules.versions(db, asked.person_id, rule.number) if one.id not in taken_back]
        said = f"{spoken(rule)}{STATES[rule.state]}: {learned_sentence(db, rule)}"
    before = dict.fromkeys(spoken(one) for one in versions[:-1] if one.normalised != rule.normalised)
    said += f" Before that: {'; '.join(before)}." if before else ""
    for asked_for, answer in pairwise(versions):
        if asked_for.state == "proposed" and answer.state != "proposed":
            said += f" You said yes to it on {spoken_date(answer.recorded_at, zone)}."
    return said

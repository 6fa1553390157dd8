import click

from app import memory
from app.cli.call import BY_OPERATOR, Call, about_one, of_anybody, with_call
from app.cli.printing import Noun, values
from app.memory import RuleWords
from app.memory import rules as rows
from app.memory.rules import checked, spoken
from app.models import Person, Rule

phrase = click.option("--phrase", help="Words of the person that trigger the rule.")
situation = click.option("--situation", help="The situation in which it holds, such as `planning a trip`.")

rules = click.Group("rules", help="Rules for how people want things done.")


@rules.command("list")
@of_anybody
@with_call
def list_rules(call: Call) -> None:
    """List the rules, each with the id that the other commands take; paused and proposed ones are marked."""
    RULE.print_each(call, rows.live, f"There are no rules {f'of {call.number}' if call.number else 'of anybody'} yet.")


@rules.command("add")
@click.argument("procedure")
@phrase
@situation
@about_one
def add_rule(call: Call, procedure: str, phrase: str | None, situation: str | None) -> None:
    """Set a rule: follow PROCEDURE always, or when the phrase or the situation applies.

    An unknown NUMBER becomes a new person, as with `keepsake facts add`.
    """
    words = _words(procedure, phrase, situation)
    checked(words.trigger_kind, words.trigger, words.procedure)  # Before a new person is added for it.
    person = call.person_or_new
    done = memory.set_rule(call.services, person.id, words, BY_OPERATOR)
    line = _line(done.rule, person)
    record = {"rule": _record(done.rule, person), "is_new": done.is_new}
    call.answer(record, line if done.is_new else f"Known already:\n{line}")


@rules.command("revise")
@click.argument("rule_id", type=int)
@click.argument("procedure", required=False)
@phrase
@situation
@click.option("--always", is_flag=True, help="The rule always applies, without a trigger.")
@click.option("--pause/--resume", "paused", default=None, help="Pause the rule, or resume it.")
@about_one
def revise_rule(
    call: Call,
    rule_id: int,
    *,
    procedure: str | None,
    phrase: str | None,
    situation: str | None,
    always: bool,
    paused: bool | None,
) -> None:
    """Change the rule RULE_ID, and keep the old version as history."""
    given = procedure or phrase or situation or always
    if not given and paused is None:
        raise click.UsageError(
            "Nothing to change was given. Give PROCEDURE, --phrase, --situation, --always, --pause or --resume."
        )
    if always and (phrase or situation):
        raise click.UsageError("A rule that always holds has no trigger: leave out --phrase and --situation.")
    with call.services.reading() as db:
        current = rows.held_by_number(db, call.person.id, rule_id)
    if current is None:
        raise RULE.none_such(call.person, [rule_id])
    words = _words(procedure or current.procedure, phrase, situation)
    if not (words.trigger or always):
        words = RuleWords(current.trigger_kind, current.trigger, words.procedure)
    changed = words if given else None
    RULE.print_changed(
        call,
        rule_id,
        lambda who: memory.revise_rule(call.services, who, rule_id, BY_OPERATOR, words=changed, paused=paused),
    )


def _words(procedure: str, phrase: str | None, situation: str | None) -> RuleWords:
    if phrase and situation:
        raise click.UsageError("A rule has one trigger: --phrase or --situation, not both.")
    kind = "phrase" if phrase else "situation" if situation else "always"
    return RuleWords(kind, phrase or situation, procedure)


def _line(rule: Rule, _: Person) -> str:
    return f"{rule.number:5}  {spoken(rule)}{'' if rule.state == 'active' else f'  ({rule.state})'}"


def _record(rule: Rule, person: Person) -> dict[str, object]:
    told = values(rule, "trigger_kind", "trigger", "procedure", "state", "source", "quote")
    times = {"created_at": rule.created_at, "updated_at": rule.recorded_at}
    return {"id": rule.number, **told, **times, "person": person.address}


RULE = Noun("rule", _line, _record)
RULE.add_removal(rules, "forget", memory.forget_rules, "Forget the rules RULE_IDS.")

import click

from app import memory
from app.cli.parameters import as_json, of_whom, whose
from app.cli.persons import BY_OPERATOR, known, known_or_new, ready_services
from app.cli.printing import Noun, iso, print_json
from app.memory import RuleWords
from app.memory import rules as rows
from app.memory.rules import checked, spoken
from app.models import Person, Rule

phrase = click.option("--phrase", help="The words that the person says to have it so.")
situation = click.option("--situation", help="When it holds, such as `planning a trip`.")


@click.group()
def rules() -> None:
    """How people want things done."""


@rules.command("list")
@of_whom
@as_json
def list_rules(number: str | None, *, as_json: bool) -> None:
    """The rules, each with the id that the other commands take; paused and proposed ones are marked."""
    nothing = f"There are no rules {f'of {number}' if number else 'of anybody'} yet."
    RULE.print_each(ready_services(), number, rows.live, nothing, as_json=as_json)


@rules.command("add")
@click.argument("procedure")
@phrase
@situation
@whose
@as_json
def add_rule(procedure: str, phrase: str | None, situation: str | None, number: str | None, *, as_json: bool) -> None:
    """Set a rule: PROCEDURE is to be done always, or where the phrase or the situation holds.

    A NUMBER that is not known becomes a person, as with `keepsake facts add`.
    """
    words = _words(procedure, phrase, situation)
    checked(words.trigger_kind, words.trigger, words.procedure)  # Before anybody becomes known for the sake of it.
    services = ready_services()
    person = known_or_new(services, number)
    done = memory.set_rule(services, person.id, words, BY_OPERATOR)
    if as_json:
        print_json({"rule": _record(done.rule, person), "is_new": done.is_new})
        return
    click.echo(("" if done.is_new else "Known already:\n") + _line(done.rule, person))


@rules.command("revise")
@click.argument("rule_id", type=int)
@click.argument("procedure", required=False)
@phrase
@situation
@click.option("--always", is_flag=True, help="It holds always, without a trigger.")
@click.option("--pause/--resume", "paused", default=None, help="Set it aside, or have it hold again.")
@whose
@as_json
def revise_rule(
    rule_id: int,
    procedure: str | None,
    phrase: str | None,
    situation: str | None,
    number: str | None,
    *,
    always: bool,
    paused: bool | None,
    as_json: bool,
) -> None:
    """Change the rule RULE_ID; what it said before is kept as history."""
    given = procedure or phrase or situation or always
    if not given and paused is None:
        raise click.UsageError(
            "Nothing to change was given. Give PROCEDURE, --phrase, --situation, --always, --pause or --resume."
        )
    if always and (phrase or situation):
        raise click.UsageError("A rule that always holds has no trigger: leave out --phrase and --situation.")
    services = ready_services()
    person = known(services, number)
    with services.reading() as db:
        current = rows.live_by_number(db, person.id, rule_id)
    if current is None:
        raise RULE.none_such(person, [rule_id])
    words = _words(procedure or current.procedure, phrase, situation)
    if not (words.trigger or always):
        words = RuleWords(current.trigger_kind, current.trigger, words.procedure)
    revised = memory.revise_rule(
        services, person.id, rule_id, BY_OPERATOR, words=words if given else None, paused=paused
    )
    RULE.print(revised, person, as_json=as_json)


@rules.command("forget")
@click.argument("rule_ids", type=int, nargs=-1, required=True)
@whose
@as_json
def forget_rules(rule_ids: tuple[int, ...], number: str | None, *, as_json: bool) -> None:
    """Forget the rules RULE_IDS."""
    services = ready_services()
    person = known(services, number)
    RULE.print_removed(memory.forget_rules(services, person.id, rule_ids, BY_OPERATOR), person, as_json=as_json)


def _words(procedure: str, phrase: str | None, situation: str | None) -> RuleWords:
    if phrase and situation:
        raise click.UsageError("A rule has one trigger: --phrase or --situation, not both.")
    kind = "phrase" if phrase else "situation" if situation else "always"
    return RuleWords(kind, phrase or situation, procedure)


def _line(rule: Rule, _: Person) -> str:
    return f"{rule.number:5}  {spoken(rule)}{'' if rule.state == 'active' else f'  ({rule.state})'}"


def _record(rule: Rule, person: Person) -> dict[str, object]:
    values = {
        name: getattr(rule, name) for name in ("trigger_kind", "trigger", "procedure", "state", "source", "quote")
    }
    return {
        "id": rule.number,
        **values,
        "created_at": iso(rule.created_at),
        "updated_at": iso(rule.recorded_at),
        "person": person.address,
    }


RULE = Noun("rule", _line, _record)

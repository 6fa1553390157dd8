import click

from app import memory
from app.cli.facts import BY_OPERATOR
from app.cli.json_output import as_json, iso, print_json
from app.cli.noted import done_in_part
from app.cli.numbers import PhoneNumber
from app.cli.of_each import of_each, print_of_each
from app.cli.ready import ready_services
from app.cli.whose import known, known_or_new, whose
from app.errors import NotFound
from app.memory import RuleWords
from app.memory import rules as rows
from app.memory.rules.words import checked, spoken
from app.models import Person, Rule
from app.services import Services

PHRASE = "The words that the person says to have it so."
SITUATION = "When it holds, such as `planning a trip`."


@click.group()
def rules() -> None:
    """How people want things done."""


@rules.command("list")
@click.option("--person", "number", metavar="NUMBER", type=PhoneNumber(), help="Only this person's; else everyone's.")
@as_json
def list_rules(number: str | None, *, as_json: bool) -> None:
    """The rules, each with the id that the other commands take; paused and proposed ones are marked."""
    found = of_each(ready_services(), number, rows.live)
    if as_json:
        print_json([_record(rule, person) for person, held in found for rule in held])
        return
    nothing = f"There are no rules {f'of {number}' if number else 'of anybody'} yet."
    print_of_each(found, lambda rule, _: _line(rule), nothing)


@rules.command("add")
@click.argument("procedure")
@click.option("--phrase", help=PHRASE)
@click.option("--situation", help=SITUATION)
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
    click.echo(_line(done.rule) if done.is_new else f"Known already:\n{_line(done.rule)}")


@rules.command("revise")
@click.argument("rule_id", type=int)
@click.argument("procedure", required=False)
@click.option("--phrase", help=PHRASE)
@click.option("--situation", help=SITUATION)
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
    services = ready_services()
    person = known(services, number)
    words = _changed(_current(services, person, rule_id), procedure, phrase, situation, always=always)
    revised = memory.revise_rule(
        services, person.id, rule_id, BY_OPERATOR, words=words if given else None, paused=paused
    )
    if as_json:
        print_json(_record(revised, person))
    else:
        click.echo(_line(revised))


@rules.command("forget")
@click.argument("rule_ids", type=int, nargs=-1, required=True)
@whose
@as_json
def forget_rules(rule_ids: tuple[int, ...], number: str | None, *, as_json: bool) -> None:
    """Forget the rules RULE_IDS."""
    services = ready_services()
    person = known(services, number)
    gone = memory.forget_rules(services, person.id, rule_ids, BY_OPERATOR)
    if as_json:
        print_json({"removed": [_record(one, person) for one in gone.removed], "unknown": gone.unknown})
    else:
        for one in gone.removed:
            click.echo(f"Forgotten:\n{_line(one)}")
    if gone.unknown:
        done_in_part(gone.removed)
        raise _no_rule(person, gone.unknown)


def _words(procedure: str, phrase: str | None, situation: str | None) -> RuleWords:
    if phrase and situation:
        raise click.UsageError("A rule has one trigger: --phrase or --situation, not both.")
    kind = "phrase" if phrase else "situation" if situation else "always"
    return RuleWords(kind, phrase or situation, procedure)


def _changed(
    current: Rule, procedure: str | None, phrase: str | None, situation: str | None, *, always: bool
) -> RuleWords:
    if always and (phrase or situation):
        raise click.UsageError("A rule that always holds has no trigger: leave out --phrase and --situation.")
    words = _words(procedure or current.procedure, phrase, situation)
    return words if words.trigger or always else RuleWords(current.trigger_kind, current.trigger, words.procedure)


def _current(services: Services, person: Person, rule_id: int) -> Rule:
    with services.reading() as db:
        rule = rows.live_by_number(db, person.id, rule_id)
    if rule is None:
        raise _no_rule(person, [rule_id])
    return rule


def _no_rule(person: Person, rule_ids: list[int]) -> NotFound:
    ids = ", ".join(map(str, rule_ids))
    return NotFound(f"{person.address} has no rule {ids}. `keepsake rules list --person {person.address}` shows all.")


def _line(rule: Rule) -> str:
    return f"{rule.number:5}  {spoken(rule)}{'' if rule.state == 'active' else f'  ({rule.state})'}"


def _record(rule: Rule, person: Person) -> dict[str, object]:
    return {
        "id": rule.number,
        "trigger_kind": rule.trigger_kind,
        "trigger": rule.trigger,
        "procedure": rule.procedure,
        "state": rule.state,
        "source": rule.source,
        "quote": rule.quote,
        "created_at": iso(rule.created_at),
        "updated_at": iso(rule.recorded_at),
        "person": person.address,
    }

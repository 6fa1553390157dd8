"""`keepsake doctor`: the checks, and with `--live` a comparison of the real Claude with the rules of its stand-in.

The tests' stand-in refuses by those rules, and no request made here breaks them: so Claude has to accept every request,
except those that try one rule, which it has to refuse in the rule's words. Each difference is printed.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import chdir, closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Protocol

import click
from sqlalchemy import select

from app.cli.call import as_json, print_json
from app.conversation.due_routines import run_now
from app.conversation.turn import answer, run_turn
from app.errors import KeepsakeError, SettingsError
from app.features import FEATURES
from app.models import Message, Person, Routine
from app.operations.checks import Finding, bad
from app.operations.checks.database import check_database, check_machine
from app.operations.checks.settings import check_embeddings, check_from_outside, check_model, check_settings
from app.operations.checks.twilio import check_twilio
from app.people import by_address
from app.services import Services
from app.services.feature import first_result
from app.services.model import Model, SaidText, ServerTool, ToSummarise
from app.settings import Settings, load_settings
from app.wiring import build_services, carrier_account, embedder_alone, live_claude, model_alone, summariser_by, visit

COLOURS = {"ok": "green", "warn": "yellow", "bad": "red"}
SOMEBODY = "+12065550100"
FIRST = (
    "Hello!",
    "I'm Alex, I live in Portland, I'm allergic to peanuts and my dog is called Max.",
    "Actually I moved to Seattle last week.",
    "Remind me tomorrow at 9 to call my mother.",
    "When I say quick update, bullets only.",
    "Quick update: what do you know?",
    "Forget about my dog.",
    "What's my dog called?",
)
THEN = (
    "What do you know about me?",
    "Every weekday at 7, tell me what I planned.",
    "What is scheduled?",
    "Make that call at 10, please.",
    "Don't text me between 11 in the evening and 8 in the morning.",
    "Tengo una hermana que se llama Ana y vive en Lima.",
    "Am I free on Friday at 3?",
    "I read a lovely book about whales today, it made me think of my grandfather and the sea.",
    "Cancel that call.",
    "Thank you, good night.",
)
MOST_CENTS = 7.5  # For the model that replies, which gets the later texts.
MOST_CENTS_SMALL = 2.0  # For the small model, at a twentieth of the price: the first texts and the background work.
SUMMARY_SECONDS = 60.0
ANTHROPICS = "claude-"  # Beginning of the model names whose prices are known.
KEPT = frozenset({"anthropic_api_key", "anthropic_base_url", "claude_model", "claude_effort"})


class WatchedModel(Model, Protocol):
    """A model that is compared with the rules of its stand-in, and stops at a limit of cost."""

    cents: float  # Cost so far.
    answers: int
    tokens_share: float
    """Tokens counted for a prompt as a share of our highest estimate; 0 until something was counted."""
    ended: str  # Why no more is asked; empty if all was asked.
    is_away: bool  # True if it ended because nobody answers.

    def differences(self) -> list[str]: ...
    def of_single_rules(self, tool: ServerTool | None) -> Iterator[str]: ...
    def close(self) -> None: ...


@click.command()
@as_json
@click.option("--live", is_flag=True, help="Hold some twenty turns with the real Claude, for less than 10 cents.")
@click.option("--yes", is_flag=True, help="With --live: do not ask whether it may cost that.")
def doctor(*, as_json: bool, live: bool, yes: bool) -> None:
    """Check the set-up, and say what to do about each fault. Changes nothing."""
    if live:
        held = _hold_live_turns(is_agreed=yes)
        click.get_current_context().exit(0 if held else 1)
    findings = list(_findings())
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            level = click.style(f"{finding.level:4}", fg=COLOURS[finding.level])
            click.echo(f"{level}  {finding.check}: {finding.says}")
    if any(finding.level == "bad" for finding in findings):
        click.get_current_context().exit(1)


def _findings() -> Iterator[Finding]:
    try:
        settings = load_settings()
    except SettingsError as error:
        yield bad("settings", str(error))
        return
    yield from check_settings(settings)
    account = carrier_account(settings)
    if account is not None:
        yield from check_twilio(settings, account)
    yield from check_from_outside(settings, visit)
    model = model_alone(settings)
    yield from check_model(settings, model, tries=True)
    getattr(model, "close", lambda: None)()
    yield from check_embeddings(settings, embedder_alone(settings))
    yield from check_database(settings)
    yield from check_machine(settings)


def _hold_live_turns(*, is_agreed: bool) -> bool:
    """Hold the turns and print each difference; True if there was none."""
    given = load_settings()
    if given.anthropic_api_key is None:
        click.echo(
            "No ANTHROPIC_API_KEY is set, so nothing was asked. Set it to compare the real Claude with its rules."
        )
        return True
    names = (given.claude_model, given.small_model)
    is_priced = all(name.startswith(ANTHROPICS) for name in names)
    cost = f"at most {MOST_CENTS + MOST_CENTS_SMALL:.1f} cents" if is_priced else "what your server asks for it"
    turns = f"{len(FIRST) + len(THEN) + 2} turns with {' and '.join(names)}"
    click.echo(f"This holds {turns}, in a database of its own, and costs {cost}.")
    if not (is_agreed and is_priced) and not click.confirm("Go on?"):
        click.echo("Nothing was asked.")
        return True
    with tempfile.TemporaryDirectory(prefix="keepsake-live-") as folder, chdir(folder):
        usual = {name: one.get_default() for name, one in Settings.model_fields.items() if name not in KEPT}
        own = {"database_url": f"sqlite:///{Path(folder, 'live.db')}", "embeddings": "none"}
        settings = given.model_copy(update=usual | own)
        large = live_claude(settings, given.claude_model, MOST_CENTS)
        small = live_claude(settings, given.small_model, MOST_CENTS_SMALL)
        tool = first_result(FEATURES, lambda feature: feature.server_tool(given))
        differences = _print_each(_compared(settings, large, small, tool))
    models = (large, small)
    for model in models:
        if model.ended:
            click.echo(f"{model.name} was not asked everything. {model.ended}")
        model.close()
    click.echo(f"It cost {sum(model.cents for model in models):.1f} cents.")
    if differences or any(model.is_away for model in models) or not any(model.answers for model in models):
        return False
    as_far = "As far as it was asked, the" if any(model.ended for model in models) else "The"
    click.echo(f"{as_far} real Claude took and refused what the rules say.")
    return True


def _print_each(differences: Iterable[str]) -> int:
    """Print each difference as it is found, equal ones once, and return the number of different ones."""
    told: set[str] = set()
    for difference in differences:
        kind = re.sub(r"request \w+", "", difference)
        if kind not in told:
            click.echo(f"DIFFERENT  {difference}")
        told.add(kind)
    return len(told)


def _compared(settings: Settings, first: WatchedModel, small: WatchedModel, tool: ServerTool | None) -> Iterator[str]:
    with closing(build_services(settings)) as services:
        yield from _hold_texts(replace(services, model=small), small, FIRST)
        first.tokens_share = small.tokens_share  # So that the dearer model's prompts are not estimated twice as long.
        yield from _hold_texts(replace(services, model=first), first, THEN)
        if not small.ended:
            yield from _unasked(replace(services, model=small), small)
        for model in (first, small):
            yield from model.of_single_rules(tool)


def _hold_texts(services: Services, model: WatchedModel, texts: tuple[str, ...]) -> Iterator[str]:
    """Differences while the texts are answered, until the money or the model ends."""
    for words in texts:
        if model.ended:
            return
        try:
            said = run_turn(services, SOMEBODY, words).text
        except KeepsakeError as error:
            said = f"({error})"
        click.echo(f"> {words}\n{said}")
        yield from model.differences()


def _unasked(services: Services, model: WatchedModel) -> Iterator[str]:
    """Differences in unasked work: the newest routine, and a summary of the conversation."""
    with services.reading() as db:
        person = by_address(db, SOMEBODY)
    assert person is not None  # noqa: S101  (they have texted)
    for what in (_run, _summarise):
        try:
            click.echo(f"({what(services, model, person)})")
        except KeepsakeError as error:
            click.echo(f"({error})")
        yield from model.differences()


def _run(services: Services, _: WatchedModel, person: Person) -> str:
    active = select(Routine.number).where(Routine.person_id == person.id, Routine.state == "active")
    with services.reading() as db:
        number = db.scalar(active.order_by(Routine.id.desc()).limit(1)) or 0
    run_now(services, person.id, number, seen=0, at_night=True)
    answer(services, person.id)
    return f"Routine {number}: {_texts_of(services, person)[-1].words}"


def _summarise(services: Services, model: WatchedModel, person: Person) -> str:
    deadline = services.clock.monotonic() + SUMMARY_SECONDS
    draft = summariser_by(model).summarise(ToSummarise(_texts_of(services, person), person.key, None, 0.5, deadline))
    return f"Summary: {draft.fields.get('summary') or draft.problem}"


def _texts_of(services: Services, person: Person) -> tuple[SaidText, ...]:
    with services.reading() as db:
        said = db.scalars(select(Message).where(Message.person_id == person.id).order_by(Message.id)).all()
    return tuple(SaidText(one.created_at, by_person=one.direction == "in", words=one.body) for one in said)

"""The real Claude against the rules by which it is stood in for: turns of every kind, and each difference told.

It is the same code the other way round. The stand-in of the tests refuses what `clients.claude_rules` refuses; here a
request that they allow has to be taken, and one that they refuse has to be refused, in their words.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import chdir

import click

from app.assistant.turn import hold
from app.errors import KeepsakeError
from app.settings import Settings, load_settings
from app.wiring import build_services, live_comparison

MOST_CENTS = 9.0
SOMEBODY = "+12065550100"
TEXTS = (
    "Hello!",
    "I'm Alex, I live in Portland, I'm allergic to peanuts and my dog is called Max.",
    "What do you know about me?",
    "Actually I moved to Seattle last week.",
    "Where did I live before?",
    "Remind me tomorrow at 9 to call my mother.",
    "Every weekday at 7, tell me the weather and my day.",
    "What is scheduled?",
    "Make that call at 10, please.",
    "Cancel the one about the weather.",
    "When I say quick update, bullets only.",
    "Quick update: what do you know?",
    "Don't text me between 11 in the evening and 8 in the morning.",
    "Forget about my dog.",
    "What's my dog called?",
    "Tengo una hermana que se llama Ana y vive en Lima.",
    "Weather tomorrow?",
    "Am I free on Friday at 3?",
    "I read a lovely book about whales today, it made me think of my grandfather and the sea.",
    "Thank you, good night.",
)


def hold_live_turns(*, is_agreed: bool) -> bool:
    """Hold the turns, and print each difference; whether there was none."""
    given = load_settings()
    if given.anthropic_api_key is None:
        click.echo(
            "No ANTHROPIC_API_KEY is set, so nothing was asked. Set it to compare the real Claude with its rules."
        )
        return True
    click.echo(f"This holds {len(TEXTS)} turns with {given.claude_model}, in a database of its own, and ends before")
    click.echo(f"they have cost {MOST_CENTS:.0f} cents.")
    if not is_agreed and not click.confirm("Go on?"):
        click.echo("Nothing was asked.")
        return True
    with tempfile.TemporaryDirectory(prefix="keepsake-live-") as folder, chdir(folder):
        keys = {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_MODEL", "CLAUDE_EFFORT", "WEB_SEARCH"}
        settings = given.model_copy(
            update={
                name: field.get_default()
                for name, field in Settings.model_fields.items()
                if name.upper() not in keys | {"DATABASE_URL"}
            }
            | {"database_url": f"sqlite:///{os.path.join(folder, 'live.db')}", "embeddings": "none"}  # noqa: PTH118
        )
        differences = list(_held(settings))
    for difference in differences:
        click.echo(f"DIFFERENT  {difference}")
    if not differences:
        click.echo("The real Claude took and refused what the rules say.")
    return not differences


def _held(settings: Settings) -> Iterator[str]:
    services = build_services(settings)
    compared = live_comparison(services)
    for words in TEXTS:
        if compared.cents > MOST_CENTS:
            click.echo(f"Ended after {compared.cents:.1f} cents.")
            break
        try:
            said = hold(services, SOMEBODY, words).text
        except KeepsakeError as error:
            said = f"({error})"
        click.echo(f"> {words}\n{said}")
        yield from compared.differences()
    yield from compared.of_broken_requests()
    services.close()

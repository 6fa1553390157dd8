from collections.abc import Iterator
from dataclasses import asdict

import click

from app.cli.call import as_json, print_json
from app.cli.live import hold_live_turns
from app.errors import SettingsError
from app.operations.checks import Finding, bad
from app.operations.checks.database import check_database, check_machine
from app.operations.checks.settings import check_embeddings, check_from_outside, check_model, check_settings
from app.operations.checks.twilio import check_twilio
from app.settings import load_settings
from app.wiring import carrier_account, embedder_alone, model_alone, visit

COLOURS = {"ok": "green", "warn": "yellow", "bad": "red"}


@click.command()
@as_json
@click.option("--live", is_flag=True, help="Hold some twenty turns with the real Claude, for less than 10 cents.")
@click.option("--yes", is_flag=True, help="With --live: do not ask whether it may cost that.")
def doctor(*, as_json: bool, live: bool, yes: bool) -> None:
    """Check the set-up, and say what to do about each fault. Changes nothing."""
    if live:
        held = hold_live_turns(is_agreed=yes)
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

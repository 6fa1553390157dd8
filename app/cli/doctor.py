from collections.abc import Iterator
from dataclasses import asdict

import click

from app.checks.database import check_database
from app.checks.embeddings import check_embeddings
from app.checks.finding import Finding, bad
from app.checks.machine import check_machine
from app.checks.model import check_model
from app.checks.phone_page import check_from_outside
from app.checks.settings import check_settings
from app.checks.twilio import check_twilio
from app.cli.json_output import as_json, print_json
from app.errors import SettingsError
from app.settings import load_settings
from app.wiring import carrier_account, embedder_alone, model_alone, visit

COLOURS = {"ok": "green", "warn": "yellow", "bad": "red"}


@click.command()
@as_json
def doctor(*, as_json: bool) -> None:
    """Check the set-up, and say what to do about each fault. Changes nothing."""
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
    yield from check_model(settings, model_alone(settings), tries=True)
    yield from check_embeddings(settings, embedder_alone(settings))
    yield from check_database(settings)
    yield from check_machine(settings)

"""The form of what commands print for programs: UTF-8 as it is, indented, instants in ISO 8601 with their zone."""

import json
from datetime import datetime

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def iso(instant: datetime | None) -> str | None:
    return instant.isoformat(timespec="seconds") if instant else None

"""The command line: `keepsake …`. One file a noun; a refusal is a sentence on stderr and exit code 1."""

import logging
import sys
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from app.cli.backup import backup
from app.cli.doctor import doctor
from app.cli.episodes import episodes
from app.cli.evaluate import evaluate
from app.cli.facts import facts
from app.cli.log import log
from app.cli.logs import log_to_stderr
from app.cli.migrate import migrate
from app.cli.operator import operator
from app.cli.people import people
from app.cli.reembed import reembed
from app.cli.restore import restore
from app.cli.routines import routines
from app.cli.rules import rules
from app.cli.serve import serve
from app.cli.text import text
from app.cli.twilio import twilio
from app.errors import KeepsakeError


class Keepsake(click.Group):
    """Turns what went wrong on purpose, and what the machine refused, into a sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeepsakeError as error:
            _fail(str(error))
        except DBAPIError as error:
            # Only the database's own words: the statement carries what people wrote.
            _fail(f"The database could not do that: {error.orig}. `keepsake doctor` says more.")
        except BrokenPipeError:
            raise  # Whoever read the output has gone; click ends quietly.
        except OSError as error:
            _fail(f"{error.filename or 'The system'}: {error.strerror or error}.")


def _fail(sentence: str) -> None:
    click.echo(sentence, err=True)
    sys.exit(1)


@click.group(cls=Keepsake, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keepsake", message="%(version)s")
def main() -> None:
    """Keepsake: a personal assistant that you text, and that remembers."""
    log_to_stderr(logging.WARNING)


COMMANDS = (
    serve,
    migrate,
    doctor,
    text,
    facts,
    episodes,
    rules,
    routines,
    people,
    operator,
    log,
    twilio,
    backup,
    restore,
    reembed,
    evaluate,
)

for command in COMMANDS:
    main.add_command(command)

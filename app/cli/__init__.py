"""The command line: `keepsake …`. One file a noun; a refusal is a sentence on stderr and exit code 1."""

import logging
import sys
from importlib import import_module
from typing import Any

import click

from app.cli.process_log import log_to_stderr
from app.errors import KeepsakeError

COMMANDS = {
    "backup": "Copy the database into FILE, even while Keepsake runs.",
    "doctor": "Check the set-up, and say what to do about each fault.",
    "episodes": "Episodes: summaries of past conversations.",
    "eval": "Measure Keepsake on files of questions and answers.",
    "facts": "Facts that are remembered about people.",
    "log": "The log of what operators and commands did.",
    "migrate": "Bring the database up to date, or create it.",
    "operator": "Operators, who log in to the admin pages.",
    "people": "People who text, and their permission to.",
    "reembed": "Embed all memory anew with the embedder of the settings.",
    "restore": "Restore the backup FILE while Keepsake is stopped.",
    "routines": "Reminders and routines that come by themselves.",
    "rules": "Rules for how people want things done.",
    "serve": "Start everything in one process: pages, answers, jobs.",
    "text": "Text the assistant and print its reply.",
    "twilio": "Set up Keepsake's number at Twilio.",
}
"""Each command with the first sentence of its help: loading them all for a list would take two seconds."""

MODULES = {"eval": "evaluate"} | dict.fromkeys(("backup", "migrate", "reembed", "restore"), "database")
"""Files of commands that are not named after the command."""


class Keepsake(click.Group):
    """Turns errors raised on purpose, and refusals of the machine, into a sentence and exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click gives it)
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"app.cli.{MODULES.get(cmd_name, cmd_name)}")
        command = getattr(module, "evaluate" if cmd_name == "eval" else cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101  (for the type checker: each file has one of its name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in MODULES:  # These take files, and a file may have any name.
            "".join(args).encode()  # Its error is told below: words would be kept without the letters that fail.
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeepsakeError as error:
            _fail(str(error))
        except BrokenPipeError:
            raise  # The reader of the output has gone; click ends quietly.
        except UnicodeEncodeError:
            _fail("Some of the words given are not UTF-8. Set the terminal to UTF-8, and give them again.")
        except OSError as error:
            _fail(f"{error.filename or 'The system'}: {error.strerror or error}.")
        except Exception as error:
            from sqlalchemy.exc import DBAPIError  # noqa: PLC0415  (loaded by then wherever one can be raised)

            if not isinstance(error, DBAPIError):
                raise
            # Only the database's own words: the statement contains people's words.
            _fail(f"The database could not do that: {error.orig}. `keepsake doctor` says more.")


def _fail(sentence: str) -> None:
    click.echo(sentence, err=True)
    sys.exit(1)


@click.group(cls=Keepsake, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keepsake", message="%(version)s")
def main() -> None:
    """Keepsake: a personal assistant that you text, and that remembers."""
    log_to_stderr(logging.WARNING)

"""The help of every command, as it was when it was frozen."""

from collections.abc import Iterator

import click

from app.cli import main
from tests.cli.conftest import Run
from tests.frozen import assert_frozen


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    """The names of the command and of all below it."""
    yield names
    if isinstance(command, click.Group):
        with click.Context(command, **command.context_settings) as context:
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below is not None
                yield from commands(below, *names, name)


def test_the_help_of_every_command_is_what_was_frozen(run: Run) -> None:
    helps = [run(*names, "--help").stdout for names in commands(main)]
    assert len(helps) > 30
    assert_frozen("help.txt", "\n".join(helps))

"""The common behaviour of all commands: help, exit codes, sentences on stderr."""

from collections.abc import Iterator

import click
import pytest

from app.cli import COMMANDS, main
from tests.cli.conftest import DATABASE, Run
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


def test_the_help_of_every_command_is_as_frozen_and_reads_no_setting(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "nine")
    helps = [run.printed(*names, "--help") for names in commands(main)]
    assert all(f"  {command} " in helps[0] for command in COMMANDS)
    assert_frozen("help.txt", "\n".join(helps))
    assert not DATABASE.parent.exists()


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["facts", "show"], ["facts", "show", "one"], ["text", "--loud"], ["text", "   "]]
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: list[str]) -> None:
    assert "Usage: keepsake" in run.refusal(*arguments, exit_code=2)
    assert not DATABASE.parent.exists()


@pytest.mark.parametrize("command", ["migrate", "facts list", "people list", "operator reset", "text hi", "serve"])
def test_a_malformed_setting_is_a_sentence_and_exit_code_1(run: Run, command: str) -> None:
    assert run.refusal(*command.split(), PORT="nine").startswith("Settings to mend: PORT: ")


def test_migrate_says_each_step_once(run: Run) -> None:
    first = run.printed("migrate")
    assert "0001_people_and_messages\n" in first
    assert first.endswith("instance/keepsake.db is up to date.\n")
    assert run.printed("migrate") == "instance/keepsake.db is up to date.\n"
    assert DATABASE.stat().st_mode & 0o777 == 0o600

"""What all commands share: help, exit codes, sentences on stderr."""

from pathlib import Path

import pytest

from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from tests.cli.conftest import Run


def test_help_lists_every_command_without_reading_any_setting(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "nine")
    result = run("--help")
    assert result.exit_code == 0
    for command in ("serve", "migrate", "doctor", "text", "facts", "people", "operator"):
        assert f"  {command} " in result.stdout
    assert not Path("instance").exists()


@pytest.mark.parametrize("arguments", [["nonsense"], ["facts", "show"], ["facts", "show", "one"], ["text", "--loud"]])
def test_wrong_usage_is_exit_code_2(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage: keepsake" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["migrate"], ["facts", "list"], ["people", "list"], ["operator", "reset"], ["text", "hi"], ["serve"]],
    ids=" ".join,
)
def test_a_malformed_setting_is_a_sentence_and_exit_code_1(
    run: Run, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", "nine")
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("Settings to mend: PORT: ")
    assert result.stdout == ""


def test_a_database_of_another_program_is_a_sentence_and_exit_code_1(run: Run) -> None:
    Path("instance").mkdir(mode=0o700)
    Path("instance/keepsake.db").write_bytes(b"Dear diary. " * 1000)
    result = run("people", "list")
    assert result.exit_code == 1
    assert "not a database" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_folder_that_cannot_be_made_is_a_sentence_and_exit_code_1(run: Run) -> None:
    Path("instance").write_text("a file where the folder should be")
    result = run("people", "list")
    assert result.exit_code == 1
    assert "instance" in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_a_fresh_folder_needs_is_made_by_whichever_command_comes_first(run: Run) -> None:
    assert run("people", "list", "--json").stdout == "[]\n"
    assert Path("instance/keepsake.db").exists()


def test_migrate_says_each_step_once(run: Run) -> None:
    first = run("migrate")
    assert "0001_people_and_messages\n" in first.stdout
    assert first.stdout.endswith("instance/keepsake.db is up to date.\n")
    assert run("migrate").stdout == "instance/keepsake.db is up to date.\n"
    database = SqliteDatabase(Path("instance/keepsake.db"))
    assert migrate(database) == []
    database.close()


@pytest.mark.parametrize("group", [[], ["facts"], ["people"], ["operator"]], ids=lambda group: " ".join(group) or "all")
def test_the_list_of_commands_says_what_each_does_in_a_whole_line(run: Run, group: list[str]) -> None:
    result = run(*group, "--help")
    assert result.exit_code == 0
    assert "..." not in result.stdout.split("Commands:")[1]

"""What was done, listed and verified in the terminal; and what the terminal does stands there as well."""

import json
from contextlib import closing

from sqlalchemy import text

from app.settings import Settings
from app.store import open_database
from tests.cli.conftest import ALEX, Run, listed_of


def listed(run: Run, *arguments: str) -> list[dict[str, object]]:
    """The oldest first."""
    return listed_of("log", run, *arguments)[::-1]


def test_each_command_that_shows_or_changes_a_persons_data_is_one_entry(run: Run, alex: str) -> None:
    run("facts", "add", "Likes tea", "--category", "drinks")
    run("facts", "forget", "1", "7")
    run("facts", "list")
    run("facts", "show", "1", "--json", "--person", ALEX)
    run("people", "show", ALEX)
    run("people", "list")
    run("people", "block", ALEX, "--json")
    run("episodes", "search", "my exam")
    run("rules", "add", "Answer in Spanish")
    run("operator", "reset")

    found = [entry for entry in listed(run) if entry["did"] != "not_done"]

    assert [(entry["did"], entry["person_id"], entry["about"]) for entry in found] == [
        ("people allow", 1, ""),
        ("facts add", 1, ""),
        ("facts forget", 1, "fact 1 7"),
        ("facts list", None, ""),
        ("facts show", 1, "fact 1"),
        ("people show", 1, ""),
        ("people list", None, ""),
        ("people block", 1, ""),
        ("episodes search", 1, ""),
        ("rules add", 1, ""),
        ("operator reset", None, ""),
    ]
    assert {entry["who"] for entry in found} == {"terminal"}


def test_r102_the_list_holds_nobodys_words_and_no_number(run: Run, alex: str) -> None:
    run("facts", "add", "Likes violet tea", "--category", "violets")
    run("people", "opt-out", ALEX, "By phone: no more violets")

    printed = run("log", "list").stdout + run("log", "list", "--json").stdout

    assert "facts add" in printed
    assert "people opt-out" in printed
    assert "violet" not in printed
    assert "0100" not in printed


def test_a_command_that_was_refused_stands_in_the_log_too_with_what_became_of_it(run: Run, alex: str) -> None:
    run("facts", "add", "Likes tea")
    assert run("facts", "revise", "9", "Likes tea").exit_code == 1
    assert run("facts", "forget", "1", "9").exit_code == 1

    found = [(one["did"], one["person_id"], one["about"], one["is_done"], one["why_not"]) for one in listed(run)]
    assert found[2:] == [
        ("facts revise", 1, "fact 9", False, "not_found"),
        ("not_done", 1, "entry 3", None, None),
        ("facts forget", 1, "fact 1 9", False, "in_part"),
        ("not_done", 1, "entry 5", None, None),
    ]
    assert found[1][3:] == (True, None)
    printed = [line.split("terminal  ")[1] for line in run("log", "list").stdout.splitlines()]
    assert printed[:5] == [
        "not_done  person 1  entry 5  in_part",
        "facts forget  person 1  fact 1 9  done in part",
        "not_done  person 1  entry 3  not_found",
        "facts revise  person 1  fact 9  not done: not found",
        "facts add  person 1  done",
    ]
    assert run("log", "verify").exit_code == 0


def test_the_list_is_of_one_person_of_one_operator_and_goes_back(run: Run, alex: str) -> None:
    run("people", "allow", "+12065550101")
    run("people", "list")

    assert [entry["id"] for entry in listed(run, "--person", ALEX)] == [1]
    assert [entry["id"] for entry in listed(run, "--operator", "terminal", "--limit", "2")] == [2, 3]
    assert [entry["id"] for entry in listed(run, "--before", "3", "--limit", "1")] == [2]
    nothing = run("log", "list", "--operator", "dana")
    assert (nothing.stdout, nothing.stderr) == ("", "There is no such entry.\n")
    unknown = run("log", "list", "--person", "+12065550177")
    assert unknown.exit_code == 1
    assert "Nobody with the number" in unknown.stderr


def test_a_whole_log_is_said_to_be_whole_with_the_hash_to_keep(run: Run, alex: str) -> None:
    run("people", "list")
    result = run("log", "verify")

    assert result.exit_code == 0
    assert result.stdout == f"The log is whole: 2 as written. {listed(run)[-1]['hash']}\n"
    assert json.loads(run("log", "verify", "--json").stdout)["whole"] is True


def test_a_log_in_which_an_entry_was_changed_is_refused_and_it_is_named(run: Run, alex: str) -> None:
    run("people", "list")
    with closing(open_database(Settings())) as database, database.transaction() as db:
        db.execute(text("UPDATE audit_entries SET did = 'facts list' WHERE id = 2"))

    result = run("log", "verify")

    assert result.exit_code == 1
    assert "The log breaks at entry 2: Entry 2 is not as it was written." in result.stderr
    told = run("log", "verify", "--json")
    assert (told.exit_code, json.loads(told.stdout)["broken_at"]) == (1, 2)

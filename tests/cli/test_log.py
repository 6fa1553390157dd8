"""The log of actions, listed and verified in the terminal; actions of the terminal are in it too."""

import re
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from app.settings import Settings
from app.store import open_database
from tests.cli.conftest import ALEX, Run


def listed(run: Run, *arguments: str) -> list[dict[str, object]]:
    """The oldest first."""
    entries: list[dict[str, object]] = run.json("log", "list", *arguments)
    return entries[::-1]


def test_each_command_on_a_persons_data_is_one_entry_without_words_or_numbers(run: Run, alex: str) -> None:
    for command, more, person, about in (
        ("facts add", ["Likes violet tea", "--category", "violets"], 1, ""),
        ("facts forget", ["1", "7"], 1, "fact 1 7"),
        ("facts list", [], None, ""),
        ("facts show", ["1", "--json", "--person", ALEX], 1, "fact 1"),
        ("people list", [], None, ""),
        ("people opt-out", [ALEX, "By phone: no more violets"], 1, ""),
        ("people block", [ALEX, "--json"], 1, ""),
        ("episodes search", ["my exam"], 1, ""),
        ("rules add", ["Answer in Spanish"], 1, ""),
        ("operator reset", [], None, ""),
    ):
        run(*command.split(), *more)
        last = [entry for entry in listed(run) if entry["did"] != "not_done"][-1]
        assert (last["did"], last["person_id"], last["about"], last["who"]) == (command, person, about, "terminal")
    printed = run.printed("log", "list") + run("log", "list", "--json").stdout
    assert printed.count("facts add") == 2
    assert "violet" not in printed
    assert "0100" not in re.sub("[0-9a-f]{32,}", "", printed)  # A hash may hold it by chance.


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
    printed = [line.split("terminal  ")[1] for line in run.printed("log", "list").splitlines()]
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

    for arguments, ids in (
        (("--person", alex), [1]),
        (("--operator", "terminal", "--limit", "2"), [2, 3]),
        (("--before", "3", "--limit", "1"), [2]),
        (("--before", "9" * 20), [1, 2, 3]),
    ):
        assert [entry["id"] for entry in listed(run, *arguments)] == ids
    nothing = run("log", "list", "--operator", "dana")
    assert (nothing.stdout, nothing.stderr) == ("", "There is no such entry.\n")
    assert "Nobody with the number +12065550109 is known." in run.refusal("log", "list", "--person", "+12065550109")


def test_a_whole_log_is_said_to_be_whole_and_an_entry_that_was_changed_is_named(run: Run, alex: str) -> None:
    run("people", "list")
    assert run.printed("log", "verify") == f"The log is whole: 2 as written. {listed(run)[-1]['hash']}\n"
    assert run.json("log", "verify")["whole"] is True

    with closing(open_database(Settings())) as database, database.transaction() as db:
        db.execute(text("UPDATE audit_entries SET did = 'facts list' WHERE id = 2"))

    assert "The log breaks at entry 2: Entry 2 is not as it was written." in run.refusal("log", "verify")
    assert run.json("log", "verify", exit_code=1)["broken_at"] == 2


def test_an_argument_that_is_not_utf_8_is_refused_in_words_unless_it_is_a_file(run: Run, alex: str) -> None:
    for words in ("log list --operator \udcff", "routines add a\udcff --in 10", "facts add a\udcff", "text a\udcff"):
        assert "not UTF-8" in run.refusal(*words.split())
    run("backup", "a\udcff.db")
    assert Path("a\udcff.db").exists()

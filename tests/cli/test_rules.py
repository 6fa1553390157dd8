"""Rules from the terminal."""

import json
from functools import partial

import pytest

from tests.cli.conftest import ALEX, Run, listed_of

KIM = "+12125550101"

listed = partial(listed_of, "rules")


def test_the_list_for_programs_has_each_rule_with_its_trigger_its_state_and_its_source(run: Run, alex: str) -> None:
    run("rules", "add", "bullets only", "--phrase", "quick update")
    (rule,) = listed(run)
    assert rule.pop("created_at") == rule.pop("updated_at")
    assert rule == {
        "id": 1,
        "trigger_kind": "phrase",
        "trigger": "quick update",
        "procedure": "Bullets only",
        "state": "active",
        "source": "operator",
        "quote": None,
        "person": ALEX,
    }


def test_without_a_person_the_list_has_everyone_and_with_one_only_theirs(run: Run, alex: str) -> None:
    run("people", "allow", KIM)
    run("rules", "add", "Answer in Spanish", "--person", ALEX)
    run("rules", "add", "Check the weather", "--situation", "planning a trip", "--person", KIM)
    assert {rule["person"] for rule in listed(run)} == {ALEX, KIM}
    assert run("rules", "list", "--person", KIM).stdout == f"{KIM}\n    1  When planning a trip: Check the weather\n"


def test_that_there_are_none_is_said_apart_from_the_list(run: Run) -> None:
    assert listed(run) == []
    run("people", "allow", KIM)
    nobody, kim = run("rules", "list"), run("rules", "list", "--person", KIM)
    assert (nobody.exit_code, nobody.stdout, nobody.stderr) == (0, "", "There are no rules of anybody yet.\n")
    assert kim.stderr == f"There are no rules of {KIM} yet.\n"


def test_a_rule_that_is_known_is_not_kept_twice(run: Run, alex: str) -> None:
    run("rules", "add", "Answer in Spanish")
    again = json.loads(run("rules", "add", "answer in SPANISH!", "--json").stdout)
    assert (again["rule"]["id"], again["is_new"]) == (1, False)
    assert run("rules", "add", "Answer in Spanish").stdout == "Known already:\n    1  Answer in Spanish\n"


def test_a_rule_is_revised_in_words_trigger_and_state_under_its_id(run: Run, alex: str) -> None:
    run("rules", "add", "Bullets only", "--phrase", "quick update")
    assert run("rules", "revise", "1", "One line").stdout == '    1  On "quick update": One line\n'
    assert run("rules", "revise", "1", "--phrase", "news").stdout == '    1  On "news": One line\n'
    assert run("rules", "revise", "1", "--situation", "I am busy").stdout == "    1  When I am busy: One line\n"
    assert run("rules", "revise", "1", "--always", "--pause").stdout == "    1  One line  (paused)\n"
    assert json.loads(run("rules", "revise", "1", "--resume", "--json").stdout)["state"] == "active"


def test_forgetting_takes_several_ids_and_says_which_it_did_not_know(run: Run, alex: str) -> None:
    run("rules", "add", "Answer in Spanish")
    run("rules", "add", "Sign with a joke")
    result = run("rules", "forget", "1", "9", "--json")
    said = json.loads(result.stdout)
    assert ([rule["id"] for rule in said["removed"]], said["unknown"], result.exit_code) == ([1], [9], 1)
    assert f"{ALEX} has no rule 9. `keepsake rules list --person {ALEX}` shows all." in result.stderr
    assert run("rules", "forget", "2").stdout == "Forgotten:\n    2  Sign with a joke\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["add", "Sing", "--phrase", "a", "--situation", "b"], "one trigger: --phrase or --situation, not both"),
        (["revise", "1"], "Give PROCEDURE, --phrase, --situation, --always, --pause or --resume."),
        (["revise", "1", "--always", "--phrase", "a"], "always holds has no trigger"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(run: Run, alex: str, arguments: list[str], why: str) -> None:
    run("rules", "add", "Answer in Spanish")
    result = run("rules", *arguments)
    assert result.exit_code == 2
    assert why in " ".join(result.stderr.split())


@pytest.mark.parametrize("arguments", [["revise", "7", "Sing"], ["forget", "7"]], ids=" ".join)
def test_an_unknown_id_is_a_sentence_and_exit_code_1(run: Run, alex: str, arguments: list[str]) -> None:
    result = run("rules", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "has no rule 7" in result.stderr


@pytest.mark.parametrize("procedure", ["  ", "a" * 301, "My password is hunter2"])
def test_a_rule_that_cannot_be_kept_makes_nobody_known(run: Run, procedure: str) -> None:
    result = run("rules", "add", procedure)
    assert (result.exit_code, result.stdout) == (1, "")
    assert run("people", "list", "--json").stdout == "[]\n"


def test_the_first_rule_makes_the_phone_pages_first_number_known(run: Run) -> None:
    result = run("rules", "add", "Answer in Spanish")
    assert result.stderr == f"{ALEX} is new: known from now on, and may text.\n"
    assert [rule["person"] for rule in listed(run)] == [ALEX]

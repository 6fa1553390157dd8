"""Who may text, from the terminal."""

import json
from pathlib import Path

from tests.cli.conftest import Run

ALEX = "+12065550100"


def test_a_number_can_be_let_in_before_its_first_text(run: Run) -> None:
    assert run("people", "allow", "+1 206 555 0100").stdout == f"{ALEX} may text.\n"
    (person,) = json.loads(run("people", "list", "--json").stdout)
    assert (person["number"], person["access"]) == (ALEX, "allowed")
    assert person["timezone"] == "America/Los_Angeles"
    assert run("people", "list").stdout == f"{ALEX}  allowed  America/Los_Angeles\n"


def test_whoever_is_blocked_can_be_let_in_again(run: Run) -> None:
    run("people", "allow", ALEX)
    assert run("people", "block", ALEX).stdout == f"{ALEX} is blocked.\n"
    assert json.loads(run("people", "allow", ALEX, "--json").stdout)["access"] == "allowed"
    assert json.loads(run("people", "block", ALEX, "--json").stdout)["access"] == "blocked"


def test_that_nobody_is_known_is_said_apart_from_the_list(run: Run) -> None:
    result = run("people", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("Nobody is known yet.")


def test_an_opt_out_is_seen_where_the_access_is(run: Run) -> None:
    run("people", "allow", ALEX)
    run("text", "STOP")
    assert run("people", "list").stdout == f"{ALEX}  opted out  America/Los_Angeles\n"
    (person,) = json.loads(run("people", "list", "--json").stdout)
    assert (person["access"], person["opted_out_at"] is not None) == ("allowed", True)
    assert "hear nothing until they text START" in run("people", "allow", ALEX).stdout
    run("text", "START")
    assert run("people", "allow", ALEX).stdout == f"{ALEX} may text.\n"
    assert json.loads(run("people", "list", "--json").stdout)[0]["opted_out_at"] is None


def test_a_number_that_is_not_known_cannot_be_blocked(run: Run) -> None:
    result = run("people", "block", ALEX)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Nobody with the number {ALEX} is known.")


def test_people_of_an_earlier_assistant_are_taken_over(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "people.json"
    file.write_text(json.dumps({ALEX: {"name": "Alex", "timezone": "Europe/Lisbon"}, "x": {"name": "?"}}))
    result = run("people", "import", str(file), "--allow")
    assert result.stdout == "1 taken over.\n"
    assert result.stderr.startswith("Left out: x: ")
    assert run("people", "list").stdout == f"{ALEX}  allowed  Europe/Lisbon  Alex\n"

"""Facts from the terminal."""

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from functools import partial

import pytest
from sqlalchemy import update

from app.models import Fact
from app.settings import Settings
from app.store import open_database
from tests.cli.conftest import ALEX, Run, listed_of
from tests.twilio_server import LIVE

KIM = "+12125550101"
AT = datetime(2026, 11, 21, 17, tzinfo=UTC)

listed = partial(listed_of, "facts")


def test_the_list_for_programs_is_what_the_contract_says(run: Run, alex: str) -> None:
    run("facts", "add", "Likes black coffee", "--category", "preference")
    (fact,) = listed(run)
    assert list(fact) == ["id", "fact", "category", "source", "pinned", "created_at", "updated_at", "person"]
    created, updated = fact.pop("created_at"), fact.pop("updated_at")
    assert fact == {
        "id": 1,
        "fact": "Likes black coffee",
        "category": "preference",
        "source": "operator",
        "pinned": False,
        "person": ALEX,
    }
    assert created == updated
    assert datetime.fromisoformat(str(created)).tzinfo == UTC


def test_without_a_person_the_list_has_everyone_and_with_one_only_theirs(run: Run, alex: str) -> None:
    run("people", "allow", KIM)
    run("facts", "add", "Likes black coffee", "--person", ALEX)
    run("facts", "add", "Plays the cello", "--person", KIM)
    assert {fact["person"] for fact in listed(run)} == {ALEX, KIM}
    assert [fact["fact"] for fact in listed(run, "--person", KIM)] == ["Plays the cello"]
    assert [fact["fact"] for fact in listed(run, "--person", "+1 (212) 555-0101")] == ["Plays the cello"]
    text = run("facts", "list", "--person", ALEX).stdout
    assert text == f"{ALEX}\n    1  Likes black coffee\n"


def test_that_nothing_is_remembered_is_said_apart_from_the_list(run: Run) -> None:
    assert listed(run) == []
    nobody = run("facts", "list")
    assert (nobody.exit_code, nobody.stdout, nobody.stderr) == (0, "", "Nothing is remembered of anybody yet.\n")
    run("people", "allow", KIM)
    assert listed(run, "--person", KIM) == []
    kim = run("facts", "list", "--person", KIM)
    assert (kim.exit_code, kim.stdout, kim.stderr) == (0, "", f"Nothing is remembered about {KIM} yet.\n")
    run("facts", "add", "Likes black coffee", "--person", ALEX)
    everyone = run("facts", "list")
    assert (everyone.stdout, everyone.stderr) == (f"{ALEX}\n    1  Likes black coffee\n", "")


@pytest.mark.parametrize("noun", ["facts", "episodes"])
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["", "json"])
def test_a_list_of_somebody_unknown_is_a_sentence_and_exit_code_1(
    run: Run, alex: str, noun: str, more: list[str]
) -> None:
    kim = run(noun, "list", "--person", KIM, *more)
    assert (kim.exit_code, kim.stdout) == (1, "")
    assert kim.stderr == f"Nobody with the number {KIM} is known. `keepsake people list` shows who is.\n"


def test_a_fact_that_is_known_is_not_kept_twice(run: Run, alex: str) -> None:
    run("facts", "add", "Likes black coffee")
    again = json.loads(run("facts", "add", "likes BLACK coffee.", "--json").stdout)
    assert again["stored"] == []
    assert [fact["id"] for fact in again["duplicates"]] == [1]
    assert "Known already" in run("facts", "add", "Likes black coffee").stdout


def test_a_revised_fact_keeps_its_id_and_its_history(run: Run, alex: str) -> None:
    run("facts", "add", "Lives in Portland")
    revised = json.loads(run("facts", "revise", "1", "Lives in Seattle", "--json").stdout)
    assert (revised["id"], revised["fact"]) == (1, "Lives in Seattle")
    shown = json.loads(run("facts", "show", "1", "--json").stdout)
    assert [version["fact"] for version in shown["versions"]] == ["Lives in Portland", "Lives in Seattle"]
    assert shown["versions"][0]["retired_at"]
    assert shown["versions"][1]["retired_at"] is None
    text = run("facts", "show", "1").stdout
    assert text.index("Lives in Portland") < text.index("Lives in Seattle")
    assert "operator, known from " in text


def test_pinning_changes_nothing_but_the_pin(run: Run, alex: str) -> None:
    run("facts", "add", "Is allergic to peanuts")
    assert run("facts", "revise", "1", "--pin").stdout == "    1  Is allergic to peanuts  (pinned)\n"
    assert listed(run)[0]["pinned"] is True
    run("facts", "revise", "1", "--unpin")
    assert listed(run)[0]["pinned"] is False


@pytest.mark.parametrize("arguments", [["7"], ["1"]], ids=" ".join)
def test_a_revision_that_changes_nothing_is_wrong_usage(run: Run, alex: str, arguments: list[str]) -> None:
    run("facts", "add", "Lives in Portland")
    result = run("facts", "revise", *arguments)
    assert result.exit_code == 2
    assert "Give FACT, --category, --pin or --unpin." in result.stderr


def test_the_category_of_each_version_is_shown_with_it(run: Run, alex: str) -> None:
    run("facts", "add", "Lives in Portland")
    run("facts", "revise", "1", "--category", "home")
    first, _, second, _ = run("facts", "show", "1").stdout.splitlines()
    assert (first, second) == ("Lives in Portland", "Lives in Portland  (home)")


def test_forgetting_takes_several_ids_and_says_which_it_did_not_know(run: Run, alex: str) -> None:
    for fact in ("Likes black coffee", "Plays the cello", "Lives in Seattle"):
        run("facts", "add", fact)
    result = run("facts", "forget", "1", "3", "9", "--json")
    said = json.loads(result.stdout)
    assert [fact["id"] for fact in said["removed"]] == [1, 3]
    assert said["unknown"] == [9]
    assert result.exit_code == 1
    assert f"{ALEX} has no fact 9." in result.stderr
    assert [fact["id"] for fact in listed(run)] == [2]
    assert run("facts", "forget", "2").stdout == "Forgotten:\n    2  Plays the cello\n"


@pytest.mark.parametrize(
    "arguments", [["show", "7"], ["revise", "7", "Something"], ["forget", "7"], ["restore", "7"]], ids=" ".join
)
def test_an_unknown_id_is_a_sentence_and_exit_code_1(run: Run, alex: str, arguments: list[str]) -> None:
    result = run("facts", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{ALEX} has no fact 7. `keepsake facts list --person {ALEX}` shows all.\n"


@pytest.mark.parametrize(
    "arguments", [["add", "Likes tea"], ["show", "1"], ["revise", "1", "Likes tea"], ["forget", "1"]], ids=" ".join
)
def test_whose_fact_it_is_has_to_be_said_once_there_are_several(run: Run, alex: str, arguments: list[str]) -> None:
    run("people", "allow", KIM)
    result = run("facts", *arguments)
    assert result.exit_code == 2
    assert "2 people are known. Say who is meant: --person NUMBER." in result.stderr
    assert listed(run) == []


@pytest.mark.parametrize("arguments", [["show", "1"], ["revise", "1", "Likes tea"], ["forget", "1"]], ids=" ".join)
def test_before_anybody_is_known_there_is_no_fact_to_look_at(run: Run, arguments: list[str]) -> None:
    nobody = run("facts", *arguments)
    assert (nobody.exit_code, nobody.stdout) == (1, "")
    assert nobody.stderr.startswith("Nobody is known yet.")
    kim = run("facts", *arguments, "--person", KIM)
    assert (kim.exit_code, kim.stdout) == (1, "")
    assert kim.stderr.startswith(f"Nobody with the number {KIM} is known.")


def test_the_first_fact_makes_the_phone_pages_first_number_known(run: Run) -> None:
    result = run("facts", "add", "Likes black coffee", "--json")
    assert result.exit_code == 0
    assert [fact["person"] for fact in json.loads(result.stdout)["stored"]] == [ALEX]
    assert result.stderr == f"{ALEX} is new: known from now on, and may text.\n"
    assert run("facts", "add", "Plays the cello").stderr == ""
    assert [fact["fact"] for fact in listed(run)] == ["Likes black coffee", "Plays the cello"]


def test_a_number_that_is_not_known_becomes_a_person_with_the_fact(run: Run, alex: str) -> None:
    result = run("facts", "add", "Plays the cello", "--person", "+1 212 555 0101")
    assert (result.exit_code, result.stdout) == (0, "    1  Plays the cello\n")
    assert result.stderr.startswith(f"{KIM} is new")
    assert [fact["person"] for fact in listed(run, "--person", KIM)] == [KIM]


def test_being_told_about_lets_nobody_in(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCESS", "allowlist")
    result = run("facts", "add", "Plays the cello", "--person", KIM)
    assert f"may not text until `keepsake people allow {KIM}`" in result.stderr
    (kim,) = json.loads(run("people", "list", "--json").stdout)
    assert kim["access"] == "waiting"


def test_with_real_phones_the_first_fact_needs_a_number(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in LIVE.items():
        monkeypatch.setenv(name.upper(), str(value))
    result = run("facts", "add", "Likes black coffee")
    assert result.exit_code == 2
    assert "--person NUMBER" in result.stderr
    assert run("people", "list", "--json").stdout == "[]\n"


def test_a_fact_that_cannot_be_kept_makes_nobody_known(run: Run) -> None:
    result = run("facts", "add", "  ")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "empty" in result.stderr
    assert run("people", "list", "--json").stdout == "[]\n"


@pytest.mark.parametrize("number", ["12", "nobody", "+1206555", "2065550100"])
def test_what_is_no_number_with_its_country_code_is_wrong_usage(run: Run, number: str) -> None:
    result = run("facts", "list", "--person", number)
    assert result.exit_code == 2
    assert "country code" in result.stderr


def archive(number: int) -> None:
    """Have a fact archived, as the limit leaves it."""
    with closing(open_database(Settings())) as database, database.transaction() as db:
        db.execute(update(Fact).where(Fact.number == number).values(archived_at=AT))


def test_f9_a_fact_with_a_last_day_says_so(run: Run, alex: str) -> None:
    run("facts", "add", "Stays with her aunt")
    assert run("facts", "revise", "1", "--expires", "2999-08-10").stdout == (
        "    1  Stays with her aunt  (until 2999-08-10)\n"
    )
    (version,) = json.loads(run("facts", "show", "1", "--json").stdout)["versions"]
    assert datetime.fromisoformat(version["expires_at"]) == datetime(2999, 8, 11, 7, tzinfo=UTC), "as in Los Angeles"
    assert version["archived_at"] is None
    assert run("facts", "revise", "1", "--expires", "never").stdout == "    1  Stays with her aunt\n"


@pytest.mark.parametrize(
    ("day", "code", "why"), [("soon", 2, "'soon' is no day"), ("2020-01-01", 1, "2020-01-01 is over for this person")]
)
def test_f9_a_last_day_that_will_not_do_is_refused(run: Run, alex: str, day: str, code: int, why: str) -> None:
    run("facts", "add", "Stays with her aunt")
    refused = run("facts", "revise", "1", "--expires", day)
    assert (refused.exit_code, refused.stdout) == (code, "")
    assert why in refused.stderr
    assert run("facts", "show", "1").stdout.startswith("Stays with her aunt\n")


def test_f9_what_is_archived_is_listed_apart_and_restored(run: Run, alex: str) -> None:
    for fact in ("Has an old kite", "Likes tea"):
        run("facts", "add", fact)
    archive(1)
    assert [fact["id"] for fact in listed(run)] == [2]
    assert run("facts", "list", "--archived").stdout == f"{ALEX}\n    1  Has an old kite\n"
    (kite,) = listed(run, "--archived")
    assert (kite["id"], kite["archived_at"]) == (1, AT.isoformat())
    assert f"known from {kite['created_at']}, archived at {AT.isoformat()}" in run("facts", "show", "1").stdout

    assert run("facts", "restore", "1").stdout == "    1  Has an old kite\n"

    nothing = run("facts", "list", "--archived")
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "Nothing is archived of anybody.\n")
    assert listed(run, "--archived") == []
    assert [fact["id"] for fact in listed(run)] == [1, 2]


def test_f9_a_forgotten_fact_is_restored(run: Run, alex: str) -> None:
    run("facts", "add", "Likes tea")
    run("facts", "forget", "1")
    restored = json.loads(run("facts", "restore", "1", "--json").stdout)
    assert (restored["id"], restored["fact"]) == (1, "Likes tea")
    again = run("facts", "restore", "1")
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == "Fact 1 is remembered already: 'Likes tea'.\n"
    assert run("facts", "restore", "7").exit_code == 1


def test_a_fact_is_said_back_with_the_date_that_it_is_kept_with(run: Run, alex: str) -> None:
    added = run("facts", "add", "Has an exam next Friday at 10").stdout
    assert re.fullmatch(r"    1  Has an exam next Friday \[\d{1,2} [A-Z][a-z]{2} \d{4}\] at 10\n", added)
    assert run("facts", "list").stdout == f"{ALEX}\n{added}"


def test_f9_an_archived_fact_is_forgotten_as_any_other(run: Run, alex: str) -> None:
    run("facts", "add", "Has an old kite")
    archive(1)
    assert run("facts", "forget", "1").stdout == "Forgotten:\n    1  Has an old kite\n"
    assert listed(run, "--archived") == []

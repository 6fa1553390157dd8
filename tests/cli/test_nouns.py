"""Facts, rules, episodes and routines from the terminal: what holds for all of them alike, and what is of one."""

from contextlib import closing
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from app.models import Fact
from app.services import Services
from app.settings import Settings
from app.store import open_database
from tests.cli.conftest import ALEX, KIM, Run
from tests.twilio_server import LIVE
from tests.web.admin.scenes import add_suggestion, add_text

pytestmark = pytest.mark.usefixtures("migrated")

LISTS = {
    ("facts", "list"): ("Nothing is remembered of anybody yet.", "Nothing is remembered about {} yet."),
    ("facts", "list", "--archived"): ("Nothing is archived of anybody.", "Nothing is archived about {}."),
    ("rules", "list"): ("There are no rules of anybody yet.", "There are no rules of {} yet."),
    ("episodes", "list"): ("No episode is remembered of anybody yet.", "No episode is remembered of {} yet."),
    ("routines", "list"): ("Nothing is scheduled yet.", "Nothing is scheduled for {} yet."),
    ("routines", "suggestions"): ("Nothing was suggested yet.", "Nothing was suggested to {} yet."),
}
TAKES_AN_ID = {
    "facts": ["show 7", "revise 7 Something", "forget 7", "restore 7"],
    "rules": ["revise 7 Sing", "forget 7"],
    "episodes": ["show ep7", "forget ep7"],
    "routines": ["show 7", "revise 7 Walk", "pause 7", "resume 7", "cancel 7", "forget 7"],
}
WITH_AN_ID = [(noun, *said.split()) for noun, all_said in TAKES_AN_ID.items() for said in all_said]
ADDED = {
    "facts": (("add", "Likes black coffee"), "Likes black coffee"),
    "rules": (("add", "Answer in Spanish"), "Answer in Spanish"),
    "routines": (("add", "Stretch", "--at", "10:00", "--repeat", "daily"), "Stretch  (daily at 10:00; active, next "),
}
add = pytest.mark.parametrize("noun", ADDED)


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_that_there_is_nothing_is_said_apart_from_the_list(run: Run, command: tuple[str, ...]) -> None:
    of_anybody, of_one = LISTS[command]
    assert run.json(*command) == []
    unknown = run.refusal(*command, "--person", KIM)
    assert unknown == f"Nobody with the number {KIM} is known. `keepsake people list` shows who is.\n"
    run.printed("people", "allow", KIM)
    for arguments, says in ((command, of_anybody), ((*command, "--person", KIM), of_one.format(KIM))):
        nothing = run(*arguments)
        assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", f"{says}\n")


@pytest.mark.parametrize("command", WITH_AN_ID, ids=" ".join)
def test_a_row_that_is_not_there_is_a_sentence_and_whose_it_is_has_to_be_clear(
    run: Run, command: tuple[str, ...]
) -> None:
    noun, _, number, *_ = command
    assert run.refusal(*command).startswith("Nobody is known yet.")
    assert run.refusal(*command, "--person", KIM).startswith(f"Nobody with the number {KIM} is known.")
    run.printed("people", "allow", ALEX)
    said = run.refusal(*command)
    assert said == f"{ALEX} has no {noun[:-1]} {number}. `keepsake {noun} list --person {ALEX}` shows all.\n"
    run.printed("people", "allow", KIM)
    assert "2 people are known. Say who is meant: --person NUMBER." in run.refusal(*command, exit_code=2)


@add
def test_the_first_one_makes_the_phone_pages_first_number_known(run: Run, noun: str) -> None:
    (command, line) = ADDED[noun]
    first = run(noun, *command)
    assert (first.exit_code, first.stderr) == (0, f"{ALEX} is new: known from now on, and may text.\n")
    assert first.stdout.startswith(f"    1  {line}")
    assert [one["person"] for one in run.json(noun, "list")] == [ALEX]
    assert run("facts", "add", "Plays the cello").stderr == ""


@add
def test_a_list_has_everyone_or_only_the_person_named_in_any_spelling(run: Run, alex: str, noun: str) -> None:
    (command, line) = ADDED[noun]
    added = run(noun, *command, "--person", "+1 (212) 555-0101")
    assert added.stderr.startswith(f"{KIM} is new")
    assert "2 people are known. Say who is meant" in run.refusal(noun, *command, exit_code=2)
    run.printed(noun, *command, "--person", ALEX)
    assert {one["person"] for one in run.json(noun, "list")} == {ALEX, KIM}
    assert [one["person"] for one in run.json(noun, "list", "--person", "+1 212 555-0101")] == [KIM]
    assert run.printed(noun, "list", "--person", KIM).startswith(f"{KIM}\n    1  {line}")


def test_being_told_about_lets_nobody_in(run: Run) -> None:
    result = run("facts", "add", "Plays the cello", "--person", KIM, ACCESS="allowlist")
    assert f"may not text until `keepsake people allow {KIM}`" in result.stderr
    assert [one["access"] for one in run.json("people", "list")] == ["waiting"]


def test_with_real_phones_the_first_fact_needs_a_number(run: Run) -> None:
    live = {name.upper(): str(value) for name, value in LIVE.items()}
    assert "--person NUMBER" in run.refusal("facts", "add", "Likes black coffee", exit_code=2, **live)
    assert run.json("people", "list") == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["facts", "add", "  "],
        *(["rules", "add", procedure] for procedure in ("  ", "a" * 301, "My password is hunter2")),
        ["routines", "add", "Stretch", "--at", "25:00"],
        ["routines", "add", "Stretch", "--at", "10:00", "--zone", "Mars/X"],
        ["routines", "add", "", "--in", "20"],
    ],
)
def test_what_cannot_be_kept_makes_nobody_known(run: Run, arguments: list[str]) -> None:
    assert run.refusal(*arguments, "--person", ALEX)
    assert run.json("people", "list") == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["facts", "revise", "7"], "Give FACT, --category, --pin or --unpin."),
        (["facts", "revise", "1"], "Give FACT, --category, --pin or --unpin."),
        (["facts", "revise", "1", "--expires", "soon"], "'soon' is no day"),
        *((["facts", "list", "--person", no], "country code") for no in ("12", "nobody", "+1206555", "2065550100")),
        (["rules", "add", "Sing", "--phrase", "a", "--situation", "b"], "--phrase or --situation, not both"),
        (["rules", "revise", "1"], "Give PROCEDURE, --phrase, --situation, --always, --pause or --resume."),
        (["rules", "revise", "1", "--always", "--phrase", "a"], "always holds has no trigger"),
        (["episodes", "search", "  "], "QUERY is empty. Give words or a question"),
        (["episodes", "show", "exam"], "'exam' names no episode."),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(run: Run, alex: str, arguments: list[str], why: str) -> None:
    run.printed("facts", "add", "Lives in Portland")
    run.printed("rules", "add", "Answer in Spanish")
    assert why in " ".join(run.refusal(*arguments, exit_code=2).split())


def test_what_is_known_is_not_kept_twice(run: Run, alex: str) -> None:
    run.printed("facts", "add", "Likes black coffee")
    run.printed("rules", "add", "Answer in Spanish")
    fact, rule = run.json("facts", "add", "likes BLACK coffee."), run.json("rules", "add", "answer in SPANISH!")
    assert (fact["stored"], [one["id"] for one in fact["duplicates"]]) == ([], [1])
    assert (rule["rule"]["id"], rule["is_new"]) == (1, False)
    assert run.printed("facts", "add", "Likes black coffee") == "Known already:\n    1  Likes black coffee\n"
    assert run.printed("rules", "add", "Answer in Spanish") == "Known already:\n    1  Answer in Spanish\n"


@pytest.mark.parametrize(
    ("noun", "verb"), [("facts", "forget"), ("rules", "forget"), ("routines", "cancel"), ("routines", "forget")]
)
def test_several_are_forgotten_at_once_and_those_not_known_are_said(run: Run, alex: str, noun: str, verb: str) -> None:
    said, removed = ("Cancelled", "cancelled") if verb == "cancel" else ("Forgotten", "removed")
    (_, *options), _ = ADDED[noun]
    for words in ("Sign with a joke", "Plays the cello", "Answer in Spanish"):
        run.printed(noun, "add", words, *options[1:])
    result = run(noun, verb, "1", "3", "9")
    assert (result.exit_code, result.stdout.count(f"{said}:\n")) == (1, 2)
    assert f"{alex} has no {noun[:-1]} 9. `keepsake {noun} list --person {alex}` shows all." in result.stderr
    assert [one["id"] for one in run.json(noun, "list")] == [2]
    done = run.json(noun, verb, "2", "9", exit_code=1)
    assert ([one["id"] for one in done[removed]], done["unknown"]) == ([2], [9])


def test_a_row_for_programs_is_what_the_contract_says(run: Run, alex: str) -> None:
    run.printed("facts", "add", "Likes black coffee", "--category", "preference")
    run.printed("rules", "add", "bullets only", "--phrase", "quick update")
    (fact,), (rule,) = run.json("facts", "list"), run.json("rules", "list")
    assert list(fact) == ["id", "fact", "category", "source", "pinned", "created_at", "updated_at", "person"]
    for row in (fact, rule):
        created = row.pop("created_at")
        assert created == row.pop("updated_at")
        assert datetime.fromisoformat(created).tzinfo == UTC
    here = {"id": 1, "source": "operator", "person": alex}
    assert fact == {"fact": "Likes black coffee", "category": "preference", "pinned": False} | here
    assert rule == here | {
        "trigger_kind": "phrase",
        "trigger": "quick update",
        "procedure": "Bullets only",
        "state": "active",
        "quote": None,
    }


def test_a_rule_is_revised_in_words_trigger_and_state_under_its_id(run: Run, alex: str) -> None:
    run.printed("rules", "add", "Bullets only", "--phrase", "quick update")
    for change, line in (
        (["One line"], 'On "quick update": One line'),
        (["--phrase", "news"], 'On "news": One line'),
        (["--situation", "I am busy"], "When I am busy: One line"),
        (["--always", "--pause"], "One line  (paused)"),
    ):
        assert run.printed("rules", "revise", "1", *change) == f"    1  {line}\n"
    assert run.json("rules", "revise", "1", "--resume")["state"] == "active"


AT = datetime(2026, 11, 21, 17, tzinfo=UTC)


def archive(number: int) -> None:
    """Archive a fact, as the limit would."""
    with closing(open_database(Settings())) as database, database.transaction() as db:
        db.execute(update(Fact).where(Fact.number == number).values(archived_at=AT))


def test_a_revised_fact_keeps_its_id_and_its_history_with_the_category_of_each_version(run: Run, alex: str) -> None:
    run.printed("facts", "add", "Lives in Portland")
    revised = run.json("facts", "revise", "1", "Lives in Seattle")
    assert (revised["id"], revised["fact"]) == (1, "Lives in Seattle")
    run.printed("facts", "revise", "1", "--category", "home")
    assert run.printed("facts", "revise", "1", "--pin") == "    1  Lives in Seattle  (home, pinned)\n"
    assert run.json("facts", "revise", "1", "--unpin")["pinned"] is False
    versions = run.json("facts", "show", "1")["versions"]
    assert [one["fact"] for one in versions] == ["Lives in Portland", "Lives in Seattle", "Lives in Seattle"]
    assert [one["retired_at"] is None for one in versions] == [False, False, True]
    first, source, second, _, third, _ = run.printed("facts", "show", "1").splitlines()
    assert (first, second, third) == ("Lives in Portland", "Lives in Seattle", "Lives in Seattle  (home)")
    assert source.startswith("    operator, known from ")


def test_f9_a_fact_with_a_last_day_says_so_and_one_that_is_over_is_refused(run: Run, alex: str) -> None:
    run.printed("facts", "add", "Stays with her aunt")
    line = "    1  Stays with her aunt"
    assert run.printed("facts", "revise", "1", "--expires", "2999-08-10") == f"{line}  (until 2999-08-10)\n"
    (version,) = run.json("facts", "show", "1")["versions"]
    assert datetime.fromisoformat(version["expires_at"]) == datetime(2999, 8, 11, 7, tzinfo=UTC), "as in Los Angeles"
    assert version["archived_at"] is None
    over = run.refusal("facts", "revise", "1", "--expires", "2020-01-01")
    assert "2020-01-01 is over for this person" in over
    assert run.printed("facts", "revise", "1", "--expires", "never") == f"{line}\n"


def test_f9_what_is_archived_is_listed_apart_and_restored_or_forgotten(run: Run, alex: str) -> None:
    for fact in ("Has an old kite", "Likes tea"):
        run.printed("facts", "add", fact)
    archive(1)
    assert [fact["id"] for fact in run.json("facts", "list")] == [2]
    assert run.printed("facts", "list", "--archived") == f"{alex}\n    1  Has an old kite\n"
    (kite,) = run.json("facts", "list", "--archived")
    assert (kite["id"], kite["archived_at"]) == (1, AT.isoformat())
    assert f"known from {kite['created_at']}, archived at {AT.isoformat()}" in run.printed("facts", "show", "1")

    assert run.printed("facts", "restore", "1") == "    1  Has an old kite\n"

    assert run.json("facts", "list", "--archived") == []
    assert [fact["id"] for fact in run.json("facts", "list")] == [1, 2]
    archive(1)
    assert run.printed("facts", "forget", "1") == "Forgotten:\n    1  Has an old kite\n"
    assert run.json("facts", "list", "--archived") == []
    assert run.json("facts", "restore", "1")["fact"] == "Has an old kite"
    assert run.refusal("facts", "restore", "1") == "Fact 1 is remembered already: 'Has an old kite'.\n"


def test_what_is_added_is_listed_paused_resumed_and_cancelled(run: Run, alex: str) -> None:
    added = run.json("routines", "add", "Stretch", "--repeat", "daily", "--at", "10:00", "--until", "2099-01-01")
    assert (added["id"], added["state"], added["person"]) == (1, "active", alex)
    assert added["when"] == "daily at 10:00, until 1 January 2099"
    listed = run.printed("routines", "list")
    assert "1  Stretch  (daily at 10:00, until 1 January 2099; active, next " in listed
    revised = run.json("routines", "revise", "1", "Stretch twice", "--at=18:00", "--at=9:30", "--zone=Asia/Tokyo")
    assert (revised["words"], revised["zone"]) == ("Stretch twice", "Asia/Tokyo")
    assert revised["when"] == "daily at 09:30 and 18:00, until 1 January 2099"
    assert "Give WORDS, --at or --zone." in run.refusal("routines", "revise", "1", exit_code=2)
    assert "'' is not an IANA time zone" in run.refusal("routines", "revise", "1", "--zone", "")
    assert run.json("routines", "revise", "1", "--zone", "none")["zone"] is None
    assert run.json("routines", "pause", "1")["state"] == "paused"
    assert run.json("routines", "resume", "1")["state"] == "active"
    assert run.json("routines", "show", "1")["occurrences"] == []
    assert run.json("routines", "cancel", "1")["cancelled"][0]["state"] == "cancelled"
    assert run.json("routines", "list") == []
    assert [one["state"] for one in run.json("routines", "list", "--all")] == ["cancelled"]
    assert run.json("routines", "add", "Ask about the day", "--run", "--in", "20")["does"] == "run"


def test_what_was_suggested_is_listed_with_the_answer(services: Services, run: Run, alex: str) -> None:
    text, now = add_text(services, 1, "Shorter, please"), services.clock.now()
    with services.transaction() as db:
        add_suggestion(db, 1, text.id, now, words="shorter", procedure="Keep answers short", state="accepted")
    listed = run.printed("routines", "suggestions")
    assert "Keep answers short  (rule; accepted on 2026-11-21T17:00:00+00:00)" in listed
    assert "1 suggested: 1 accepted, 0 declined, 0 without an answer" in listed
    [one] = run.json("routines", "suggestions")
    assert (one["state"], one["times"], one["made"]) == ("accepted", 3, None)

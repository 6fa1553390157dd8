"""Facts from the terminal: their history, their last day, and those that are archived."""

from contextlib import closing
from datetime import UTC, datetime

from sqlalchemy import update

from app.models import Fact
from app.settings import Settings
from app.store import open_database
from tests.cli.conftest import Run

AT = datetime(2026, 11, 21, 17, tzinfo=UTC)


def archive(number: int) -> None:
    """Have a fact archived, as the limit leaves it."""
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

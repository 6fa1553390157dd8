"""Facts are archived by the job: those whose end has come, and tastes that nothing has needed for two years."""

from datetime import date

import pytest
from sqlalchemy import func, select

from app.jobs import archive_facts
from app.memory import NewFact, remember, revise, undo
from app.models import Change
from app.services import Services
from app.store.db import Database
from tests.fakes import FrozenClock
from tests.memory.archiving import archived, held
from tests.memory.remembering import TOLD, found, known, tell
from tests.statements import asked, plan
from tests.tables import rows

FADED_DAYS = 720


def test_f9_a_taste_that_nothing_has_needed_for_two_years_is_archived_and_not_lost(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    tell(services, person_id, "Likes black coffee", "Has a dog named Max")
    clock.advance(days=FADED_DAYS, seconds=-1)
    archive_facts.run(services)
    assert archived(services, person_id) == []

    clock.advance(seconds=1)
    archive_facts.run(services)

    assert archived(services, person_id) == ["Likes black coffee"]
    assert held(services, person_id, 1).archived_at == clock.now()
    assert found(services, person_id, "coffee") == ["Likes black coffee"]
    assert known(services, person_id) == {2: "Has a dog named Max"}


def test_f9_what_matters_stays_though_nobody_asks(services: Services, clock: FrozenClock, person_id: int) -> None:
    told = rows("kept_facts.jsonl")
    tell(services, person_id, *told)
    remember(services, person_id, [NewFact("Likes bitter tea", "health")], TOLD)
    clock.advance(days=40 * 365)

    archive_facts.run(services)

    assert list(known(services, person_id).values()) == [*told, "Likes bitter tea"]


def test_f9_a_taste_that_was_of_use_meanwhile_stays_and_a_pin_taken_off_leaves_it_as_old_as_it_is(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    tell(services, person_id, *(f"Likes {taste}" for taste in ("black coffee", "sushi", "jazz", "hiking", "green tea")))
    clock.advance(days=FADED_DAYS / 2)
    revise(services, person_id, 1, TOLD, pinned=True)
    tell(services, person_id, "Likes sushi")
    revise(services, person_id, 3, TOLD, fact="Likes loud jazz")
    revise(services, person_id, 4, TOLD, category="health")
    clock.advance(days=FADED_DAYS / 2)

    archive_facts.run(services)
    assert archived(services, person_id) == ["Likes green tea"]
    revise(services, person_id, 1, TOLD, pinned=False)
    archive_facts.run(services)
    assert set(archived(services, person_id)) == {"Likes green tea", "Likes black coffee"}


def test_f9_what_has_expired_is_archived_even_if_pinned(services: Services, clock: FrozenClock, person_id: int) -> None:
    tell(services, person_id, "Stays with her aunt", "Is pregnant")
    for number in (1, 2):
        revise(services, person_id, number, TOLD, last_day=date(2026, 12, 10), pinned=True)
    end = held(services, person_id, 1).expires_at
    clock.advance(days=60)

    archive_facts.run(services)

    assert known(services, person_id) == {}
    assert held(services, person_id, 1).archived_at == held(services, person_id, 2).archived_at == end


def test_f9_undo_takes_back_what_was_done_not_the_job(services: Services, clock: FrozenClock, person_id: int) -> None:
    tell(services, person_id, "Likes black coffee")
    clock.advance(days=1)
    tell(services, person_id, "Has a cat")
    clock.advance(days=FADED_DAYS)
    archive_facts.run(services)

    with services.reading() as db:
        assert db.scalar(select(func.count(Change.id))) == 2
    assert undo(services, person_id) == "Undone: no longer remembered: Has a cat."
    assert archived(services, person_id) == ["Likes black coffee"]


@pytest.mark.sqlite
def test_f9_the_job_finds_what_is_due_by_an_index(services: Services, database: Database, person_id: int) -> None:
    tell(services, person_id, "Likes black coffee")
    with asked(database) as statements:
        archive_facts.run(services)

    assert [plan(database, one) for one in statements] == [
        ["SEARCH facts USING INDEX ix_facts_expiring (expires_at<?)"],
        ["SEARCH facts USING INDEX ix_facts_fading (fresh_at<?)"],
    ]

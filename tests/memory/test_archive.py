"""Archiving by the verbs: facts that are archived, facts that never are, and their return."""

from datetime import UTC, date, datetime

import pytest

from app import people
from app.errors import Conflict
from app.memory import NewFact, forget, recall, remember, restore, revise, undo
from app.memory.facts import MOST_LIVE
from app.memory.revise import NEVER_ENDS
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.archiving import archived, fill, put_away
from tests.memory.remembering import BEN, INFERRED, TOLD, add_person, block, fact, found, known, tell

KITE, SLEDGE, FAX = "Has an old kite", "Has an old sledge", "Has a fax machine"


def recalled(services: Services, person_id: int, query: str) -> list[tuple[str, bool, bool]]:
    """Facts that a search finds: the sentence, and flags for archived and current."""
    return [(one.fact.sentence, one.archived, one.current) for one in recall(services, person_id, query).facts]


@pytest.fixture
def full(services: Services, clock: FrozenClock, person_id: int) -> int:
    """Somebody with a thousand live facts, three of them older than the rest."""
    tell(services, person_id, KITE, SLEDGE, FAX)
    clock.advance(days=100)
    fill(services, person_id)
    assert archived(services, person_id) == []
    return person_id


def test_f9_of_more_than_a_thousand_the_weakest_are_archived_as_another_is_told(services: Services, full: int) -> None:
    ben = add_person(services, BEN)
    tell(services, ben, KITE)
    revise(services, full, 2, TOLD, pinned=True)

    tell(services, full, "Has a canoe")
    assert archived(services, full) == [KITE]
    assert undo(services, full) == "Undone: no longer remembered: Has a canoe.", "and never what was archived"
    assert archived(services, full) == [KITE]

    tell(services, full, "Has a canoe", "Has a raft", "Has a ferry")
    assert set(archived(services, full)) == {KITE, FAX, "Owns the book number 4"}
    assert len(known(services, full)) == MOST_LIVE
    assert (known(services, ben), archived(services, ben)) == ({1: KITE}, [])


def test_f9_a_constraint_what_is_pinned_and_what_was_just_told_stay_when_all_else_is_stronger(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    remember(services, person_id, [NewFact("Is allergic to nuts"), NewFact(KITE), NewFact(SLEDGE)], INFERRED)
    tell(services, person_id, FAX)
    revise(services, person_id, 2, TOLD, pinned=True)
    clock.advance(days=3000)
    fill(services, person_id)

    told = [f"Knows the song number {number}" for number in range(20)]
    tell(services, person_id, *told, origin=INFERRED)

    assert len(archived(services, person_id)) == 20
    assert {"Is allergic to nuts", KITE, *told} <= set(known(services, person_id).values())
    assert {SLEDGE, FAX} <= set(archived(services, person_id))


@pytest.mark.parametrize(
    "changed",
    [{"fact": "Has an old red kite"}, {"category": "toys"}, {"pinned": True}, {"last_day": date(2027, 1, 1)}],
    ids=lambda changed: next(iter(changed)),
)
def test_f9_changed_an_archived_fact_is_live(services: Services, person_id: int, changed: dict[str, object]) -> None:
    tell(services, person_id, KITE)
    put_away(services, person_id, 1)

    revise(services, person_id, 1, TOLD, **changed)  # type: ignore[arg-type]

    assert list(known(services, person_id)) == [1]
    assert archived(services, person_id) == []
    undo(services, person_id)
    assert archived(services, person_id) == [KITE], "as it was"


def test_f9_forgotten_while_archived_a_fact_is_restored_live_undone_back(services: Services, person_id: int) -> None:
    tell(services, person_id, KITE)
    put_away(services, person_id, 1)
    assert [one.sentence for one in forget(services, person_id, [1], TOLD).removed] == [KITE]
    assert archived(services, person_id) == found(services, person_id, "kite") == []
    assert recalled(services, person_id, "kite") == []

    undo(services, person_id)
    assert archived(services, person_id) == [KITE], "undo has it as it was"

    forget(services, person_id, [1], TOLD)
    restore(services, person_id, 1, TOLD)
    assert known(services, person_id) == {1: KITE}
    assert found(services, person_id, "kite") == [KITE]


def test_f9_its_sentence_stays_its_own_and_f3_what_a_new_fact_may_replace_is_sought_among_the_archived(
    services: Services, person_id: int
) -> None:
    tell(services, person_id, "Lives in an old house in Lima", "Likes tea", "Plays go")
    put_away(services, person_id, 1, 2)

    with pytest.raises(Conflict, match="Fact 2 says 'Likes tea' already and is archived: tell it again"):
        revise(services, person_id, 3, TOLD, fact="Likes tea")
    (conflict,) = tell(services, person_id, "Lives in a new house in Lima").conflicts
    assert [one.sentence for one in conflict.known] == ["Lives in an old house in Lima"]


@pytest.fixture
def visiting(services: Services, person_id: int) -> int:
    """A person in Los Angeles with a fact that is true until 10 December."""
    people.set_profile(services, person_id, TOLD, timezone="America/Los_Angeles")
    tell(services, person_id, "Stays with her aunt", "Likes tea")
    revise(services, person_id, 1, TOLD, last_day=date(2026, 12, 10))
    return person_id


def test_f9_a_fact_leaves_the_prompt_at_the_instant_of_its_expiry_before_any_job_ran(
    services: Services, clock: FrozenClock, visiting: int
) -> None:
    end = datetime(2026, 12, 11, 8, tzinfo=UTC)  # Midnight in Los Angeles.
    assert fact(services, visiting, 1).expires_at == end
    clock.set(end)
    clock.advance(microseconds=-1)
    assert "Stays with her aunt." in block(services, visiting)
    assert archived(services, visiting) == []

    clock.set(end)
    assert "aunt" not in block(services, visiting)
    assert known(services, visiting) == {2: "Likes tea"}
    assert archived(services, visiting) == ["Stays with her aunt"]
    assert recalled(services, visiting, "aunt") == [("Stays with her aunt", True, False)]


def test_f9_an_expired_fact_told_again_is_live_for_good(services: Services, clock: FrozenClock, visiting: int) -> None:
    clock.advance(days=30)

    told = tell(services, visiting, "Stays with her aunt")

    assert [one.number for one in told.back] == [1]
    assert fact(services, visiting, 1).expires_at is None
    assert undo(services, visiting) == "Undone: remembered again until 10 Dec 2026: Stays with her aunt."
    assert known(services, visiting) == {2: "Likes tea"}


def test_f9_an_end_is_given_changed_and_taken_away_and_undone(services: Services, visiting: int) -> None:
    revise(services, visiting, 1, TOLD, last_day=date(2026, 12, 24))
    revise(services, visiting, 1, TOLD, fact="Stays with her uncle")
    assert fact(services, visiting, 1).expires_at == datetime(2026, 12, 25, 8, tzinfo=UTC), "it is carried on"
    revise(services, visiting, 1, TOLD, last_day=NEVER_ENDS)
    assert fact(services, visiting, 1).expires_at is None

    assert [undo(services, visiting) for _ in range(4)] == [
        "Undone: remembered again until 24 Dec 2026: Stays with her uncle.",
        "Undone: it is again: Stays with her aunt.",
        "Undone: remembered again until 10 Dec 2026: Stays with her aunt.",
        "Undone: remembered again without an end: Stays with her aunt.",
    ]

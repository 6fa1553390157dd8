"""The chain of what operators did: what is changed, moved or removed in it is found."""

import pytest
from sqlalchemy import text

from app.operations import audit
from app.services import Services
from tests.fakes import FrozenClock
from tests.tables import rows


def write(services: Services, *did: str) -> None:
    for word in did:
        with services.transaction() as db:
            audit.note(db, "dana", word, services.clock.now(), person_id=4, about="number 3", reason="Wrong fact")


def verified(services: Services) -> audit.Verified:
    with services.reading() as db:
        return audit.verify(db)


def entries(services: Services) -> list[tuple[str, str, int]]:
    with services.reading() as db:
        return [(entry.who, entry.did, entry.times) for entry, _ in reversed(audit.find(db, limit=100))]


def refuse(services: Services, name: str | None, times: int = 1) -> None:
    for _ in range(times):
        with services.transaction() as db:
            audit.note_refused_login(db, name, services.clock.now())


CHANGED = rows("changed_in_the_log.jsonl")
OTHER = "Entry 2 is not as it was written."
REMOVED = "DELETE FROM audit_entries WHERE id "
MOVED = "UPDATE audit_entries SET id = "


@pytest.mark.parametrize(
    ("statements", "whole", "problem"),
    [
        *[([f"UPDATE audit_entries SET {one} WHERE id = 2"], 1, OTHER) for one in CHANGED],
        ([f"{REMOVED} = 2"], 1, "Entry 2 is missing."),
        ([f"{REMOVED} = 2", f"{MOVED} 2 WHERE id = 3"], 1, OTHER),
        ([f"{MOVED} -2 WHERE id = 2", f"{MOVED} 2 WHERE id = 3", f"{MOVED} 3 WHERE id = -2"], 1, OTHER),
        ([f"{REMOVED} = 3"], 2, "What was written after entry 2 is missing."),
        ([f"{REMOVED} > 0"], 0, "What was written after entry 0 is missing."),
    ],
)
def test_what_was_changed_removed_or_moved_breaks_the_chain_there_also_after_more_was_written(
    services: Services, statements: list[str], whole: int, problem: str
) -> None:
    write(services, "login", "forget", "logout")
    with services.transaction() as db:
        for statement in statements:
            db.execute(text(statement))
    found = verified(services)
    assert (found.entries, found.broken_at) == (whole, whole + 1)
    assert found.problem == problem
    write(services, "login")
    assert verified(services).broken_at == whole + 1


def test_r92_a_flood_of_wrong_passwords_is_an_entry_an_hour_with_its_count_or_stands_before_what_follows(
    services: Services, clock: FrozenClock
) -> None:
    assert verified(services) == audit.Verified(0, audit.FIRST)
    refuse(services, "dana", 40)
    expected = [("dana", "login_refused", 1)]
    assert entries(services) == expected, "the first is there at once"

    clock.advance(minutes=61)
    refuse(services, "dana", 4)
    expected.append(("dana", "login_refused", 40))
    assert entries(services) == expected

    refuse(services, None, 3)
    write(services, "login")
    write(services, "logout")
    assert entries(services) == [
        *expected,
        ("nobody", "login_refused", 1),
        ("dana", "login_refused", 3),
        ("nobody", "login_refused", 2),
        ("dana", "login", 1),
        ("dana", "logout", 1),
    ]
    assert verified(services).is_whole

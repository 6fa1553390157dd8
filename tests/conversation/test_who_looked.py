"""`/who looked`: the person learns who saw their words, when and why."""

import pytest

from app.models import Person
from app.operations import audit
from app.operators import reveals
from app.services import Services
from app.text.sms_text import segments
from tests.fakes import FrozenClock
from tests.memory.remembering import BEN, add_person
from tests.phoning import text

NOBODY_DID = "Nobody has looked at what you wrote or what I know about you."


@pytest.fixture
def anna(services: Services) -> int:
    person_id = add_person(services)
    with services.transaction() as db:
        db.get_one(Person, person_id).timezone = "America/New_York"
    return person_id


def reveal(services: Services, person_id: int, reason: str, name: str = "dana") -> None:
    reveals.begin(services, "a session", name, person_id, reason)


def test_who_nobody_looked_at_is_told_so_and_the_end_of_a_reveal_is_no_look(services: Services, anna: int) -> None:
    ben = add_person(services, BEN)
    reveal(services, ben, "A reply was wrong")
    reveals.end(services, "a session", "dana", anna)

    assert text(services, "/who looked") == NOBODY_DID


@pytest.mark.parametrize(("minutes", "stands"), [(29, True), (30, False), (-60, False)])
def test_r67_a_reveal_ends_in_time_and_when_the_clock_is_set_back(
    services: Services, anna: int, clock: FrozenClock, minutes: int, stands: bool
) -> None:
    reveal(services, anna, "A reply was wrong")
    clock.advance(minutes=minutes)
    assert bool(reveals.standing(services, "a session")) == stands


WHO_LOOKED = [
    "/who looked", "/Who  looked?", "/who has looked", "who looked at my messages?", "who looked?",
    "Has anyone looked at my messages?", "who has seen what I wrote?", "hey, did anybody read my texts",
    "is someone reading my messages?",
]  # fmt: skip


@pytest.mark.parametrize("words", WHO_LOOKED)
def test_a_reveal_is_told_with_time_operators_name_and_reason(services: Services, anna: int, words: str) -> None:
    reveal(services, anna, "They asked me to look")

    assert text(services, words) == (
        "Your words were shown to:\n21 Nov 2026, 12:00: dana. Reason: They asked me to look"
    )


@pytest.mark.parametrize("words", ["/who looked 2", "/who looked 2?", "more", "ok, show me more please"])
def test_the_last_three_are_told_with_how_to_ask_for_the_others_and_a_long_reason_is_cut(
    services: Services, anna: int, clock: FrozenClock, words: str
) -> None:
    for number in range(4):
        clock.advance(hours=1)
        reveal(services, anna, f"Reason number {number} {'and so on ' * 18}", f"operator{number}")

    told = text(services, "/who looked")

    assert [line.partition(".")[0] for line in told.splitlines()] == [
        "Your words were shown to:",
        "21 Nov 2026, 16:00: operator3",
        "21 Nov 2026, 15:00: operator2",
        "21 Nov 2026, 14:00: operator1",
        "Next: /who looked 2, or just text: more",
    ]
    assert segments(told) <= 3
    assert text(services, words).startswith("Your words were shown to:\n21 Nov 2026, 13:00: operator0. Reason: Reason")


@pytest.mark.parametrize("page", [2, 101, 999_999_999])
def test_a_page_of_looks_that_there_is_not_leads_to_the_first(services: Services, anna: int, page: int) -> None:
    reveal(services, anna, "They asked me to look")

    assert text(services, f"/who looked {page}") == (
        f"There is no page {page} of who looked. /who looked tells the last ones."
    )


def test_what_the_terminal_showed_of_them_or_of_everybody_counts_as_a_look(services: Services, anna: int) -> None:
    ben = add_person(services, BEN)
    with services.transaction() as db:
        now = services.clock.now()
        audit.note(db, audit.TERMINAL, "facts show", now, person_id=ben, shows=True)
        audit.note(db, audit.TERMINAL, "people allow", now, person_id=anna)
        audit.note(db, audit.TERMINAL, "facts list", now, shows=True)

    assert text(services, "/who looked") == (
        "Your words were shown to:\n21 Nov 2026, 12:00: whoever runs this, by keepsake facts list"
    )


@pytest.mark.parametrize(
    "words", ["who looked after the dog?", "who has seen my keys?", "who read the book I gave you?", "Who looked sad?"]
)
def test_what_others_looked_at_is_not_taken_for_it(services: Services, anna: int, words: str) -> None:
    assert "looked at what you wrote" not in text(services, words)

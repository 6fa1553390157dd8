"""Numbers that nobody has let in: bounded in what they cost, in what is kept of them, and in how many there are."""

from uuid import uuid4

import pytest
from sqlalchemy import func, select

from app import people
from app.delivery.inbox import IncomingText, take_in
from app.models import Consent, Message, Person, marks
from app.operators import reveals
from app.people import notice_at, strangers
from app.people.strangers import MAX_STRANGERS, MAX_TEXTS, MAX_TOLD
from app.services import Services
from app.text import kind_words
from tests.claude_server import ClaudeServer, say
from tests.conversation.spendings import alerts
from tests.fakes import FrozenClock, InlineBackground
from tests.memory.remembering import person_at
from tests.phoning import ALEX, Phone
from tests.twilio_server import ALLOWLIST, LIVE

with_allowlist = pytest.mark.parametrize("settings", [ALLOWLIST], indirect=True)
open_to_all = pytest.mark.parametrize("settings", [LIVE], indirect=True)


def number(place: int) -> str:
    return f"+1206{place:07}"


def bring(services: Services, sender: str, body: str = "Hello") -> None:
    take_in(services, IncomingText(f"SM{uuid4().hex}", sender, "+14155550100", body, "twilio"))


def count_texts(services: Services, **which: str) -> int:
    with services.reading() as db:
        return db.query(Message).filter_by(**which).count()


def add_strangers(services: Services, how_many: int) -> None:
    """Strangers with one text each, as rows."""
    now = services.clock.now()
    with services.transaction() as db:
        for place in range(how_many):
            person = people.add(db, number(9_000_000 + place), access="waiting", now=now)
            db.add(_held(person.id, f"MM{place:032x}", services))


def _held(person_id: int, sid: str, services: Services) -> Message:
    of = {"person_id": person_id, "sid": sid, "created_at": services.clock.now()}
    return Message(**of, direction="in", carrier="twilio", state="held", body="Hello")


def told(services: Services) -> int:
    return count_texts(services, direction="out")


@with_allowlist
def test_of_a_stranger_the_first_texts_are_kept_the_others_counted_and_an_opt_out_heeded(services: Services) -> None:
    for place in range(MAX_TEXTS + 5):
        bring(services, ALEX, f"Text {place}")
    with services.reading() as db:
        texts = db.scalars(select(Message).where(Message.direction == "in").order_by(Message.id)).all()
    assert [text.body for text in texts] == [f"Text {place}" for place in range(MAX_TEXTS)]
    assert texts[-1].note == strangers.NOT_KEPT

    person = person_at(services, ALEX)
    people.let_in(services, person.id)
    bring(services, ALEX, "At last")
    assert count_texts(services, state="waiting") == MAX_TEXTS + 1, "who was let in texts as they like"

    with services.transaction() as db:
        people.by_id(db, person.id).access = "waiting"
    for _ in range(3):
        bring(services, ALEX, "STOP")
    with services.reading() as db:
        assert people.by_id(db, person.id).opted_out_at is not None
        assert [text.body for text in db.scalars(select(Message).where(Message.body == "STOP"))] == ["STOP"]
        assert db.scalars(select(Consent.agrees).order_by(Consent.id)).all()[-1] is False


@with_allowlist
def test_so_many_strangers_are_told_in_a_day_and_then_the_operator_is(services: Services, clock: FrozenClock) -> None:
    with services.transaction() as db:
        marks.put(db, strangers.TOLD, clock.now(), number=MAX_TOLD - 1)
    for place in range(3):
        bring(services, number(place))
    assert told(services) == 1
    assert alerts(services) == {"strangers"}
    clock.advance(days=1)
    bring(services, number(3))
    assert told(services) == 2
    assert alerts(services) == set()
    with services.transaction() as db:
        marks.put(db, strangers.TOLD, clock.now(), number=MAX_TOLD)
    clock.advance(days=-2)
    bring(services, number(4))
    assert told(services) == 2, "a clock that is set back does not begin the day anew"


@with_allowlist
def test_beyond_the_limit_the_most_silent_make_room_whole_but_for_who_is_known_or_opted_out(services: Services) -> None:
    kinds = {number(1): "waiting", number(2): "allowed", number(3): "waiting", number(4): "blocked"}
    now = services.clock.now()
    with services.transaction() as db:
        known = [people.add(db, address, access=access, now=now) for address, access in kinds.items()]
        known[0].name, known[2].opted_out_at = "Maria", now
        db.add_all(_held(person.id, f"SM{place:032x}", services) for place, person in enumerate(known))
    bring(services, "BANK")
    add_strangers(services, MAX_STRANGERS)
    bring(services, number(9_000_000), "I am still here")
    bring(services, number(5))
    with services.reading() as db:
        left = set(db.scalars(select(Person.address)))
        orphans = select(func.count()).where(Message.person_id.not_in(select(Person.id)))
        assert db.scalar(orphans) == 0
    assert len(left) <= MAX_STRANGERS
    assert left >= {*kinds, number(9_000_000), number(5)}
    assert left.isdisjoint({"BANK", number(9_000_001)})


@open_to_all
def test_who_may_text_is_answered_in_a_flood(alex: Phone, claude: ClaudeServer, background: InlineBackground) -> None:
    now = alex.services.clock.now()
    claude.otherwise = say("Hi.")
    alex.text("Hello")
    with alex.services.transaction() as db:
        for place in range(strangers.MAX_NEW_AN_HOUR):
            people.add(db, number(place), access="allowed", now=now)
    bring(alex.services, number(8_000_000))
    newcomer = Phone(alex.services, background, number(8_000_000))
    assert [one.body for one in newcomer.messages("out")] == [kind_words.PLEASE_WAIT]
    assert alex.text("Hello again") == ["Hi."]
    with alex.services.reading() as db:
        assert notice_at(db, alex.person_id, "wait") is None


@with_allowlist
def test_one_whose_words_were_revealed_makes_room_like_others(services: Services) -> None:
    add_strangers(services, MAX_STRANGERS)
    with services.reading() as db:
        first = db.scalars(select(func.min(Person.id))).one()
    reveals.begin(services, "s" * 64, "dana", first, "Deciding on access")
    bring(services, number(1))
    with services.reading() as db:
        assert db.get(Person, first) is None


FAREWELLS = {"direction": "out", "body": kind_words.FAREWELL}


@pytest.mark.parametrize("told_before", [0, 10])
@with_allowlist
def test_r99_numbers_that_ask_for_no_more_texts_are_among_the_hundred_that_are_told_something_in_a_day(
    services: Services, told_before: int
) -> None:
    for place in range(told_before):
        bring(services, number(place))
    for place in reversed(range(MAX_TOLD + 10)):
        bring(services, number(place), "leave me alone")
    assert count_texts(services, **FAREWELLS) == MAX_TOLD - told_before
    with services.reading() as db:
        assert db.query(Person).filter(Person.opted_out_at.is_not(None)).count() == MAX_TOLD + 10


@pytest.mark.parametrize(("settings", "most"), [(ALLOWLIST, 1), (LIVE, 3)], indirect=["settings"])
def test_r15_who_opts_out_and_in_again_and_again_gets_few_farewells(
    services: Services, clock: FrozenClock, most: int
) -> None:
    bring(services, ALEX)
    for _ in range(20):
        bring(services, ALEX, "please stop texting me")
        bring(services, ALEX, "START")
    assert count_texts(services, **FAREWELLS) == most
    clock.advance(hours=1)
    bring(services, ALEX, "please stop texting me")
    assert count_texts(services, **FAREWELLS) == most + 1
    assert person_at(services, ALEX).opted_out_at == clock.now()


@with_allowlist
def test_a_stranger_who_opts_out_and_in_again_is_still_told_to_wait(services: Services) -> None:
    for body in ("please stop texting me", "START", "Hello"):
        bring(services, ALEX, body)
    assert count_texts(services, direction="out", body=kind_words.PLEASE_WAIT) == 1

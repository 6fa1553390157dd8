"""Each figure of an hour, counted from the rows by the job: once, also after the process was down and what is late."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, select, text, update

from app import memory
from app.clients.claude import ClaudeModel
from app.jobs import count_hours
from app.memory import NewFact, RuleWords
from app.models import Count, CountedHour, Message, Occurrence, PersonSpend, Routine, Spending, Turn
from app.operations.numbers.figures import ERROR, Cell
from app.operations.numbers.hours import KEPT_DAYS, LATEST, key_of
from app.services import Services
from app.store.db import Database
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.memory.remembering import BEN, TOLD, add_person
from tests.phoning import Phone
from tests.turns import add_ended_turn

HOUR = "2026-11-21T17"  # The hour at whose beginning the tests' clock stands.


def add_turn(services: Services, person_id: int, *, seconds: float = 4.0, **columns: Any) -> Turn:
    """Add a turn whose text came now and was answered after some seconds."""
    now = services.clock.now()
    sent = now + timedelta(seconds=seconds)
    with services.transaction() as db:
        turn = add_ended_turn(db, person_id, now, **{"outcome": "replied", **columns})
        of = {"person_id": person_id, "turn_id": turn.id, "carrier": "phone"}
        db.add(Message(**of, direction="in", state="answered", body="hi", created_at=now))
        db.flush()
        db.add(Message(**of, direction="out", state="sent", body="ho", created_at=sent, sent_at=sent))
    return turn


def add_spending(services: Services, person_id: int, cents: float, turn: Turn | None = None, *, day: int = 21) -> None:
    with services.transaction() as db:
        of = {"day": date(2026, 11, day), "person_id": person_id, "cents": cents, "at": services.clock.now()}
        db.add(Spending(**of, turn_id=turn.id if turn else None, is_background=turn is None))


def delivered(services: Services) -> None:
    with services.transaction() as db:
        db.execute(update(Message).where(Message.direction == "out").values(delivery="delivered"))


def count_in(services: Services, **later: float) -> None:
    services.clock.wait(timedelta(**later).total_seconds())
    count_hours.run(services)


def counts(services: Services, unit: str = "hour", began: str = HOUR) -> dict[str, Any]:
    """Count and sum of each figure with its label."""
    with services.reading() as db:
        rows = db.scalars(select(Count).where(Count.unit == unit, Count.began == began))
        return {f"{row.figure} {row.label}".strip(): (row.times, pytest.approx(row.total)) for row in rows}


def times(services: Services) -> dict[str, int]:
    return {label: count for label, (count, _) in counts(services).items()}


def spent(services: Services, unit: str) -> dict[tuple[str, int, str], Any]:
    with services.reading() as db:
        rows = db.scalars(select(PersonSpend).where(PersonSpend.unit == unit))
        return {(row.began, row.person_id, row.spent_on): pytest.approx(row.cents) for row in rows}


def everything(services: Services) -> list[tuple[object, ...]]:
    with services.reading() as db:
        columns = (Count.unit, Count.began, Count.figure, Count.label, Count.times, Count.total)
        spent = (PersonSpend.unit, PersonSpend.began, PersonSpend.person_id, PersonSpend.spent_on, PersonSpend.cents)
        return [tuple(row) for one in (columns, spent) for row in db.execute(select(*one).order_by(*one))]


def hours(services: Services) -> int:
    """Number of counted hours."""
    with services.reading() as db:
        return db.scalar(select(func.count()).select_from(CountedHour)) or 0


def test_an_hour_holds_each_figure_of_its_turns(services: Services, person_id: int) -> None:
    asked: dict[str, Any] = {"model": "m", "model_calls": 1, "recall_gate": "past"}
    tokens = {"memory_tokens": 90, "input_tokens": 100, "cache_read_tokens": 800, "cache_write_tokens": 100}
    hit = [{"kind": "episode", "id": 1, "score": 0.5}]
    add_turn(services, person_id, model_seconds=2.5, recalled=hit, recall_ms=12.0, **asked, **tokens)
    add_turn(services, person_id, seconds=8, model_seconds=7.5, recalled=[], **asked)
    add_turn(services, person_id, recalled=[], recall_ms=0.0, **{**asked, "recall_gate": "small talk"})
    add_turn(services, person_id, seconds=20, outcome="command", kind="command")
    count_in(services, minutes=1)
    assert counts(services) == {
        "reply_seconds": (4, 36.0),
        "model_seconds": (2, 10.0),
        "memory_tokens": (1, 90.0),
        "recall_ms": (2, 12.0),
        "recall hit: past": (1, 0.0),
        "recall miss: past": (1, 0.0),
        "recall skip: small talk": (1, 0.0),
        "cache_read": (1000, 800.0),
        "deliveries sent": (4, 0.0),
    }
    assert counts(services) == counts(services, "day", "2026-11-21") == counts(services, "month", "2026-11")


def test_percentiles_of_a_day_are_those_of_its_values(services: Services, clock: FrozenClock, person_id: int) -> None:
    for seconds in range(1, 101):
        clock.advance(hours=1 if seconds == 4 else 0)
        add_turn(services, person_id, seconds=float(seconds))
    count_in(services, minutes=5)
    with services.reading() as db:
        day = db.scalars(select(Count.shape).where(Count.unit == "day", Count.figure == "reply_seconds")).one()
    assert day is not None
    for share in (0.5, 0.95, 0.99):
        assert Cell(shape=day).quantile(share) == pytest.approx(100 * share + 1, rel=ERROR)


def test_what_memory_came_to_is_counted_from_its_changes(services: Services, person_id: int) -> None:
    memory.remember(services, person_id, [NewFact("Likes tea"), NewFact("Has a dog")], TOLD)
    memory.set_rule(services, person_id, RuleWords("always", None, "Be brief"), TOLD)
    memory.revise(services, person_id, 1, TOLD, fact="Likes green tea")
    memory.revise(services, person_id, 1, TOLD, fact="Likes black tea")
    memory.revise(services, person_id, 2, TOLD, pinned=True)
    memory.revise_rule(services, person_id, 1, TOLD, words=RuleWords("always", None, "Be very brief"))
    memory.revise_rule(services, person_id, 1, TOLD, paused=True)
    for _ in range(2):  # What is restored is not written twice.
        memory.forget(services, person_id, [2], TOLD)
        memory.restore(services, person_id, 2, TOLD)
    count_in(services, minutes=1)
    written = {"writes facts": (2, 0.0), "writes rules": (1, 0.0), "forgets facts": (2, 0.0), "repeated": (6, 1.0)}
    assert counts(services) == {**written, "corrections facts": (2, 0.0), "corrections rules": (1, 0.0)}


def test_what_was_sent_to_be_kept_and_was_known_is_a_duplicate_and_an_instruction_repeated(
    make_services: MakeServices, claude: ClaudeServer, claude_model: ClaudeModel, background: InlineBackground
) -> None:
    services = make_services(model=claude_model)
    alex = Phone(services, background)
    rule = {"trigger_kind": "always", "procedure": "Always answer briefly"}
    for facts in (["Likes tea"], ["Likes tea", "Has a cat"]):
        claude.queue(call("extract_memory", {"facts": [{"fact": one} for one in facts]}), say("Noted."))
        alex.text("I like tea and have a cat" if len(facts) > 1 else "I like tea")
    for _ in range(2):
        claude.queue(call("set_rule", rule), say("Will do."))
        alex.text("Always answer briefly")
    count_in(services, minutes=1)
    written = {"writes facts": 2, "writes rules": 1, "duplicates facts": 1, "duplicates rules": 1}
    assert written.items() <= times(services).items()
    assert counts(services)["repeated"] == (5, 2.0)


def test_texts_are_counted_by_how_far_they_came(services: Services, clock: FrozenClock, person_id: int) -> None:
    ends: list[dict[str, Any]] = [{"state": state} for state in ("queued", "unknown", "refused", "sent")]
    ends += [{"state": "sent", "delivery": one} for one in ("sent", "delivered", "read", "failed")]
    ends += [{"state": "refused", "carrier_code": 21610}]
    ends += [{"state": "sent", "delivery": "undelivered", "carrier_code": 30003}]
    of = {"person_id": person_id, "direction": "out", "carrier": "twilio", "created_at": clock.now(), "body": "x"}
    with services.transaction() as db:
        db.add_all(Message(**of, **end) for end in ends)
    count_in(services, minutes=1)
    once = ["to be sent", "in doubt", "refused", "refused: 21610", "undelivered", "undelivered: 30003"]
    expected = dict.fromkeys(once, 1) | {"sent": 2, "delivered": 2}
    assert times(services) == {f"deliveries {end}": count for end, count in expected.items()}


def test_routines_are_counted_in_the_hour_of_their_due(services: Services, clock: FrozenClock, person_id: int) -> None:
    ends = [("sent", 20), ("delivered", 179), ("late", 180), ("delivered", 900)]
    ends += [("missed", 0), ("skipped", 0), ("due", 0)]
    now = clock.now()
    how = {"does": "remind", "words": "Stretch", "schedule": {}, "state": "active", "useful_minutes": 60}
    whose = {"person_id": person_id, "number": 1, "at_night": False, "carrier": "phone", "source": "explicit"}
    with services.transaction() as db:
        routine = Routine(**how, **whose, created_at=now)
        db.add(routine)
        db.flush()
        of = {"routine_id": routine.id, "person_id": person_id}
        for minute, (state, late) in enumerate(ends):
            at = now + timedelta(minutes=minute)
            db.add(Occurrence(**of, run_at=at, due_at=at, state=state, late_seconds=late))
        early = now - timedelta(seconds=1)
        db.add(Occurrence(**of, run_at=early, due_at=early, state="missed"))
    count_in(services, minutes=30)
    expected = {"on time": 2, "late": 2, "missed": 1, "skipped": 1}
    assert times(services) == {f"routines {end}": count for end, count in expected.items()}


def test_what_was_spent_is_counted_by_model_and_person(services: Services, clock: FrozenClock, person_id: int) -> None:
    ben = add_person(services, BEN)
    sonnet, unfinished = add_turn(services, person_id, model="sonnet"), add_turn(services, ben)
    add_spending(services, person_id, 1.5, sonnet)
    add_spending(services, person_id, 0.25, sonnet)
    add_spending(services, person_id, 0.5)
    add_spending(services, ben, 4.0, unfinished)
    count_in(services, minutes=1)
    found = {label: count for label, count in counts(services).items() if label.startswith("spend")}
    assert found == {"spend sonnet": (2, 1.75), "spend background": (1, 0.5), "spend no answer": (1, 4.0)}
    ours = {(person_id, "sonnet"): 1.75, (person_id, "background"): 0.5, (ben, "no answer"): 4.0}
    assert spent(services, "day") == {("2026-11-21", *key): cents for key, cents in ours.items()}
    assert spent(services, "month") == {("2026-11", *key): cents for key, cents in ours.items()}

    with services.transaction() as db:  # It turned out cheaper, and who answered.
        db.execute(update(Spending).where(Spending.person_id == ben).values(cents=1.0, is_settled=True))
        db.execute(update(Turn).where(Turn.person_id == ben).values(model="haiku"))
    clock.advance(hours=1)
    add_spending(services, person_id, 3.0, sonnet)
    clock.advance(hours=30)
    add_spending(services, person_id, 7.0, sonnet, day=23)
    count_in(services, minutes=1)
    ours = {(person_id, "sonnet"): 4.75, (person_id, "background"): 0.5, (ben, "haiku"): 1.0}
    of_days = {("2026-11-21", *key): cents for key, cents in ours.items()}
    assert spent(services, "day") == of_days | {("2026-11-23", person_id, "sonnet"): 7.0}
    assert spent(services, "month")["2026-11", person_id, "sonnet"] == 11.75
    assert ("2026-11", ben, "no answer") not in spent(services, "month")


@pytest.mark.parametrize("after", [timedelta(minutes=40), LATEST - timedelta(hours=1)])
def test_what_comes_late_is_counted_in_its_hour(services: Services, person_id: int, after: timedelta) -> None:
    add_turn(services, person_id)
    count_in(services, minutes=1)
    services.clock.wait(after.total_seconds())
    delivered(services)
    count_in(services, seconds=(LATEST - after + timedelta(hours=1)).total_seconds())
    for unit, began in (("hour", HOUR), ("day", "2026-11-21"), ("month", "2026-11")):
        found = counts(services, unit, began)
        assert found["deliveries delivered"] == (1, 0.0)
        assert "deliveries sent" not in found


def test_hours_in_which_it_was_down_are_made_up_for_and_those_before_the_first_run_too(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    add_turn(services, person_id)
    clock.advance(days=5)
    add_turn(services, person_id)
    count_hours.run(services)
    assert "reply_seconds" in counts(services), "from before the first run"
    clock.advance(days=2)
    add_turn(services, person_id)
    count_in(services, days=3)
    assert "reply_seconds" in counts(services, "hour", "2026-11-28T17")
    assert hours(services) == 10 * 24 + 1
    assert counts(services, "month", "2026-11")["reply_seconds"] == (3, 12.0)


def test_hours_are_kept_100_days_and_months_for_ever(services: Services, clock: FrozenClock, person_id: int) -> None:
    add_spending(services, person_id, 1.5, add_turn(services, person_id, model="m"))
    count_hours.run(services)
    before = everything(services)
    clock.advance(days=KEPT_DAYS + 1)
    with services.transaction() as db:  # As if all hours until now had been counted.
        db.add(CountedHour(began=key_of(clock.now()), day="2027-03-02", counted_at=clock.now()))
    count_hours.run(services)
    kept = everything(services)
    assert kept == [row for row in before if row[0] == "month" or (row[0] == "day" and row[2] != person_id)]
    assert kept


@pytest.mark.parametrize("settings", [{"budget_timezone": "America/Los_Angeles"}], indirect=True)
def test_days_are_those_of_the_budgets_clock(services: Services, clock: FrozenClock, person_id: int) -> None:
    clock.advance(hours=14)  # 07:00 in UTC on the 22nd, 23:00 on the 21st there.
    add_turn(services, person_id)
    count_in(services, hours=1)
    assert "reply_seconds" in counts(services, "day", "2026-11-21")
    assert counts(services, "day", "2026-11-22") == {}


def test_a_run_stops_and_goes_on(services: Services, clock: FrozenClock, person_id: int, database: Database) -> None:
    def take_time(*_: object) -> None:
        clock.advance(seconds=count_hours.RUN_SECONDS / 2)

    add_turn(services, person_id)
    clock.advance(days=10)
    event.listen(database.engine, "commit", take_time)
    count_hours.run(services)
    assert 0 < (first := hours(services)) < 10 * 24
    count_hours.run(services)
    event.remove(database.engine, "commit", take_time)
    assert hours(services) > first


@pytest.mark.sqlite
def test_a_persons_day_takes_less_than_a_kilobyte(services: Services, clock: FrozenClock) -> None:
    turns = [add_turn(services, add_person(services, f"+1206555{number:04}"), model="sonnet") for number in range(40)]
    count_hours.run(services)
    with services.transaction() as db:
        for hour in range(24):
            for turn in turns:
                of = {"day": date(2026, 11, 21 + (hour > 6)), "person_id": turn.person_id, "cents": 0.5}
                for own in ({"turn_id": turn.id}, {"is_background": True}):
                    db.add(Spending(**of, **own, at=clock.now() + timedelta(hours=hour)))
    before = pages(services)
    count_in(services, days=1)
    assert len(spent(services, "day")) == 40 * 2 * 2
    assert 0 < (pages(services) - before) * 4096 / len(turns) < 1024


def pages(services: Services) -> int:
    """Number of used pages of the database."""
    with services.reading() as db:
        made, free = (db.execute(text(f"PRAGMA {what}")).scalar_one() for what in ("page_count", "freelist_count"))
        return int(made) - int(free)

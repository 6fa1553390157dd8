"""Each figure against a world made by hand: what an hour came to, counted from the rows by the job."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from app import memory
from app.clients.claude import ClaudeModel
from app.jobs import count_hours
from app.memory import NewFact, RuleWords
from app.memory.facts.selection import estimate_tokens
from app.models import Count, Message, Occurrence, Routine, Spending, Turn
from app.operations.numbers.shape import ERROR, quantile
from app.services import Services
from tests.claude_server import ClaudeServer, call, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.jobs.counting import TOLD, add_spending, add_turn, counts, spent
from tests.memory.remembering import BEN, add_person
from tests.phoning import Phone


@pytest.fixture
def person_id(services: Services) -> int:
    return add_person(services)


def test_an_hour_holds_each_figure_of_its_turns(services: Services, clock: FrozenClock, person_id: int) -> None:
    of_model: dict[str, Any] = {"model": "m", "model_calls": 1}
    add_turn(
        services,
        person_id,
        seconds=4,
        model_seconds=2.5,
        memory_tokens=90,
        input_tokens=100,
        cache_read_tokens=800,
        cache_write_tokens=100,
        recall_gate="past",
        recalled=[{"kind": "episode", "id": 1, "score": 0.5}],
        recall_ms=12.0,
        **of_model,
    )
    nothing = [{"kind": "nearest", "score": 0.1, "floor": 0.3}]
    add_turn(services, person_id, seconds=8, model_seconds=7.5, recall_gate="past", recalled=nothing, **of_model)
    add_turn(services, person_id, recall_gate="small talk", recalled=[], recall_ms=0.0, **of_model)
    add_turn(services, person_id, seconds=20, outcome="command", kind="command")
    clock.advance(minutes=1)

    count_hours.run(services)

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


def test_percentiles_of_a_day_are_those_of_its_values_and_not_of_its_hours(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    for seconds in (1.0, 2.0, 3.0):
        add_turn(services, person_id, seconds=seconds)
    clock.advance(hours=1)
    for seconds in range(4, 101):
        add_turn(services, person_id, seconds=float(seconds))
    clock.advance(minutes=5)
    count_hours.run(services)

    with services.reading() as db:
        day = db.scalars(select(Count.shape).where(Count.unit == "day", Count.figure == "reply_seconds")).one()
    assert day is not None
    for share in (0.5, 0.95, 0.99):
        assert quantile(day, share) == pytest.approx(100 * share + 1, rel=ERROR)


def test_what_memory_came_to_is_counted_from_its_changes(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    memory.remember(services, person_id, [NewFact("Likes tea"), NewFact("Has a dog")], TOLD)
    memory.set_rule(services, person_id, RuleWords("always", None, "Be brief"), TOLD)
    memory.revise(services, person_id, 1, TOLD, fact="Likes green tea")
    memory.revise(services, person_id, 1, TOLD, fact="Likes black tea")
    memory.revise(services, person_id, 2, TOLD, pinned=True)
    memory.revise_rule(services, person_id, 1, TOLD, words=RuleWords("always", None, "Be very brief"))
    memory.revise_rule(services, person_id, 1, TOLD, paused=True)
    memory.forget(services, person_id, [2], TOLD)
    clock.advance(minutes=1)

    count_hours.run(services)

    assert counts(services) == {
        "writes facts": (2, 0.0),
        "writes rules": (1, 0.0),
        "corrections facts": (2, 0.0),
        "corrections rules": (1, 0.0),
        "forgets facts": (1, 0.0),
        "repeated": (6, 1.0),
    }


def test_an_undone_and_a_restored_fact_is_not_written_twice(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    memory.remember(services, person_id, [NewFact("Likes tea")], TOLD)
    memory.forget(services, person_id, [1], TOLD)
    memory.restore(services, person_id, 1, TOLD)
    clock.advance(minutes=1)
    count_hours.run(services)
    assert counts(services) == {"writes facts": (1, 0.0), "forgets facts": (1, 0.0), "repeated": (1, 0.0)}


def test_what_was_sent_to_be_kept_and_was_known_is_a_duplicate_and_an_instruction_repeated(
    make_services: MakeServices,
    claude: ClaudeServer,
    claude_model: ClaudeModel,
    background: InlineBackground,
    clock: FrozenClock,
) -> None:
    services = make_services(model=claude_model)
    alex = Phone(services, background)
    tea, brief = {"facts": [{"fact": "Likes tea"}]}, {"trigger_kind": "always", "procedure": "Always answer briefly"}
    cat = {"facts": [{"fact": "Likes tea"}, {"fact": "Has a cat"}]}
    for arguments, said in ((tea, "I like tea"), (cat, "I like tea and have a cat")):
        claude.queue(call("extract_memory", arguments), say("Noted."))
        alex.text(said)
    for _ in range(2):
        claude.queue(call("set_rule", brief), say("Will do."))
        alex.text("Always answer briefly")
    clock.advance(minutes=1)

    count_hours.run(services)

    found = counts(services)
    assert found["writes facts"] == (2, 0.0)
    assert found["writes rules"] == (1, 0.0)
    assert found["duplicates facts"] == (1, 0.0)
    assert found["duplicates rules"] == (1, 0.0)
    assert found["repeated"] == (5, 2.0)


def test_a_turn_keeps_what_memory_added_to_its_last_request(
    make_services: MakeServices, claude: ClaudeServer, claude_model: ClaudeModel, background: InlineBackground
) -> None:
    alex = Phone(make_services(model=claude_model), background)
    claude.queue(call("extract_memory", {"facts": [{"fact": "Likes green tea"}]}), say("Noted."))
    alex.text("I like green tea")

    with alex.services.reading() as db:
        turn = db.scalars(select(Turn)).one()
    assert turn.memory_shown is not None
    assert "Likes green tea" in turn.memory_shown
    sent = claude.requests[-1]
    before, since = sent["system"][1]["text"], sent["messages"][-1]["content"][-1]["content"][1]["text"]
    assert since == turn.memory_shown != before
    assert turn.memory_tokens == estimate_tokens(before) + estimate_tokens(since)


def test_texts_are_counted_by_how_far_they_came(services: Services, clock: FrozenClock, person_id: int) -> None:
    ends: list[dict[str, Any]] = [
        {"state": "queued"},
        {"state": "unknown"},
        {"state": "refused", "carrier_code": 21610},
        {"state": "refused"},
        {"state": "sent"},
        {"state": "sent", "delivery": "sent"},
        {"state": "sent", "delivery": "delivered"},
        {"state": "sent", "delivery": "read"},
        {"state": "sent", "delivery": "undelivered", "carrier_code": 30003},
        {"state": "sent", "delivery": "failed"},
    ]
    with services.transaction() as db:
        of = {"person_id": person_id, "direction": "out", "carrier": "twilio", "created_at": clock.now(), "body": "x"}
        for end in ends:
            db.add(Message(**of, **end))
    clock.advance(minutes=1)
    count_hours.run(services)
    assert {label: times for label, (times, _) in counts(services).items()} == {
        "deliveries to be sent": 1,
        "deliveries in doubt": 1,
        "deliveries refused": 1,
        "deliveries refused: 21610": 1,
        "deliveries sent": 2,
        "deliveries delivered": 2,
        "deliveries undelivered": 1,
        "deliveries undelivered: 30003": 1,
    }


def test_routines_are_counted_in_the_hour_in_which_they_were_due(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    ends = [
        ("sent", 20),
        ("delivered", 179),
        ("late", 180),
        ("delivered", 900),
        ("missed", 0),
        ("skipped", 0),
        ("due", 0),
    ]
    with services.transaction() as db:
        routine = Routine(
            person_id=person_id,
            number=1,
            does="remind",
            words="Stretch",
            schedule={},
            state="active",
            useful_minutes=60,
            at_night=False,
            carrier="phone",
            source="explicit",
            created_at=clock.now(),
            changed_at=clock.now(),
        )
        db.add(routine)
        db.flush()
        for minute, (state, late) in enumerate(ends):
            at = clock.now() + timedelta(minutes=minute)
            of = {"routine_id": routine.id, "person_id": person_id, "run_at": at}
            db.add(Occurrence(**of, due_at=at, state=state, late_seconds=late))
        early = clock.now() - timedelta(seconds=1)
        db.add(Occurrence(routine_id=routine.id, person_id=person_id, run_at=early, due_at=early, state="missed"))
    clock.advance(minutes=30)
    count_hours.run(services)
    assert {label: times for label, (times, _) in counts(services).items()} == {
        "routines on time": 2,
        "routines late": 2,
        "routines missed": 1,
        "routines skipped": 1,
    }


def test_what_was_spent_is_counted_by_model_and_by_person(
    services: Services, clock: FrozenClock, person_id: int
) -> None:
    ben = add_person(services, BEN)
    sonnet, unfinished = add_turn(services, person_id, model="sonnet"), add_turn(services, ben)
    add_spending(services, person_id, 1.5, sonnet)
    add_spending(services, person_id, 0.25, sonnet)
    add_spending(services, person_id, 0.5)
    add_spending(services, ben, 4.0, unfinished)
    clock.advance(minutes=1)
    count_hours.run(services)
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
    clock.advance(minutes=1)
    count_hours.run(services)
    ours = {(person_id, "sonnet"): 4.75, (person_id, "background"): 0.5, (ben, "haiku"): 1.0}
    of_days = {("2026-11-21", *key): cents for key, cents in ours.items()}
    assert spent(services, "day") == of_days | {("2026-11-23", person_id, "sonnet"): 7.0}
    assert spent(services, "month")["2026-11", person_id, "sonnet"] == 11.75
    assert ("2026-11", ben, "no answer") not in spent(services, "month")

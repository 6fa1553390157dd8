"""An installation with made-up people, for tests of all pages at once, and for pictures of them."""

import json
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update

from app import memory
from app.memory import NewFact, Origin, RuleWords
from app.models import Message, Occurrence, Person, Routine, Spending, Turn
from app.operations.alerts import raise_alert
from app.routines import rows
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, set_routine
from app.routines.values import local_time
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn

OTHERS = (
    ("+442079460102", "Priya Raman", "Is it going to rain in Leeds tomorrow?", "Dry until four, then light rain."),
    ("+16465550147", "Jun Sato", "remind me to call the vet at 3", "I will remind you today at 15:00."),
    ("+353209100142", "Aoife Byrne", "What did I say about the boiler?", "That it was serviced on 3 November."),
    ("+12125550119", "Marcus Webb", "thanks!", "Any time."),
    ("+61255501234", "Lena Fischer", "I moved to Melbourne last week", "Good to know. Is your clock Melbourne's now?"),
)

MEMORY = """<user_memory>
  <profile>
    <name>Alex Rivera</name>
    <timezone>America/Los_Angeles</timezone>
  </profile>
  <facts>
    Allergic to peanuts. Has a dog named Max. Works at the harbour library.
  </facts>
</user_memory>"""


def fill(services: Services, clock: FrozenClock) -> Person:
    """Alex, whose pages have something of everything, and others around. The clock ends two hours on."""
    alex = add_person(services, name="Alex Rivera")
    clock.advance(hours=-24)
    _learn(services, clock, alex)
    clock.advance(hours=20)
    _ask(services, clock, alex)
    _others(services, clock)
    _trouble(services, clock, alex)
    clock.advance(minutes=4)
    _leave_what_is_past(services, clock)
    return alex


def _leave_what_is_past(services: Services, clock: FrozenClock) -> None:
    """Have each routine come next after now, as what begins routines leaves them."""
    with services.transaction() as db:
        for routine in db.scalars(select(Routine)):
            rows.work_out_next(db, routine, clock.now())


def _told(services: Services, turn: Turn, quote: str) -> Origin:
    with services.reading() as db:
        text = select(Message.id).where(Message.turn_id == turn.id, Message.direction == "in")
        return Origin("assistant", "explicit", turn_id=turn.id, message_id=db.scalar(text), quote=quote)


def _turn(services: Services, clock: FrozenClock, person: Person, said: str, reply: str, **columns: Any) -> Turn:
    values: dict[str, Any] = {
        "model_calls": 1,
        "input_tokens": 1834,
        "cache_read_tokens": 1204,
        "cache_write_tokens": 212,
        "output_tokens": 96,
        "cost_cents": 0.42,
        "model_seconds": 2.1,
        "recall_ms": 11.0,
        **columns,
    }
    turn = add_turn(services, person.id, said, reply, **values)
    with services.transaction() as db:
        db.execute(
            update(Message)
            .where(Message.turn_id == turn.id, Message.direction == "out")
            .values(sent_at=clock.now() + timedelta(seconds=3), delivery="delivered", segments=1, cost_cents=0.79)
        )
        db.add(
            Spending(
                day=clock.now().date(),
                person_id=person.id,
                turn_id=turn.id,
                cents=values["cost_cents"],
                is_settled=True,
                at=clock.now(),
            )
        )
    return turn


def _learn(services: Services, clock: FrozenClock, alex: Person) -> None:
    said = "I'm allergic to peanuts, and I have a dog named Max"
    facts = [NewFact("Allergic to peanuts", "health"), NewFact("Has a dog named Max", "pets")]
    stored = [{"id": number, "fact": one.fact} for number, one in enumerate(facts, 1)]
    result = json.dumps({"memory_updated": True, "stored": stored})
    turn = _turn(
        services,
        clock,
        alex,
        said,
        "Noted: no peanuts for you, and hello to Max!",
        model_calls=2,
        recall_gate="start",
        recalled=[],
        tools=[("extract_memory", {"facts": [{"fact": one.fact, "category": one.category} for one in facts]}, result)],
    )
    origin = _told(services, turn, said)
    memory.remember(services, alex.id, facts, origin)
    memory.remember(
        services, alex.id, [NewFact("Likes black coffee"), NewFact("Works at the harbour museum", "work")], origin
    )
    memory.revise(services, alex.id, 4, origin, fact="Works at the harbour library")
    memory.forget(services, alex.id, [3], origin)
    add_episode(services, turn, "Alex told about a peanut allergy and the dog Max.", topics=("health", "pets"))
    memory.set_rule(services, alex.id, RuleWords("phrase", "quick update", "Bullets only, at most three"), origin)
    memory.set_rule(services, alex.id, RuleWords("always", None, "Keep answers short"), origin, proposed=True)
    for words, at in (("Take the vitamins", "20:30"), ("Weather in Seattle", "12:15")):
        schedule = Schedule("daily", times=(local_time("times", at),))
        does = "run" if words.startswith("Weather") else "remind"
        set_routine(
            services, alex.id, NewRoutine(does, words, schedule, zone=None), Origin("person", "explicit"), "phone"
        )


def _ask(services: Services, clock: FrozenClock, alex: Person) -> None:
    turn = _turn(
        services,
        clock,
        alex,
        "Weather in Seattle",
        "Seattle: 9 °C, light rain until noon, then dry.",
        kind="routine",
        tools=[("get_weather", {"place": "Seattle"}, '{"now": "9 °C, light rain"}')],
        memory_shown=MEMORY,
    )
    with services.transaction() as db:
        db.execute(update(Message).where(Message.turn_id == turn.id, Message.direction == "in").values(turn_id=None))
        db.add(
            Occurrence(
                routine_id=2,
                person_id=alex.id,
                due_at=clock.now(),
                run_at=clock.now(),
                state="delivered",
                turn_id=turn.id,
                late_seconds=4,
                said_at=clock.now(),
            )
        )
    clock.advance(hours=2)
    _turn(
        services,
        clock,
        alex,
        "What snack could I bring to the office party?",
        "Fruit skewers or a cheese board: both without peanuts, so you can have some too.",
        recall_gate="new topic",
        recalled=[
            {"kind": "episode", "id": 1, "score": 0.462, "scale": "meaning", "floor": 0.33},
            {"kind": "fact", "id": 1, "score": 0.613, "scale": "meaning"},
            {"kind": "fact", "id": 4, "score": 0.298, "scale": "meaning", "carried": True},
        ],
        memory_shown=MEMORY,
    )
    clock.advance(minutes=35)
    _turn(
        services,
        clock,
        alex,
        "ok thanks",
        "Enjoy the party!",
        recall_gate="small talk",
        output_tokens=12,
        cost_cents=0.11,
    )
    _turn(services, clock, alex, "/memory", "I remember 3 facts about you.", kind="command", model=None, cost_cents=0.0)


def _others(services: Services, clock: FrozenClock) -> None:
    for address, name, said, reply in OTHERS:
        clock.advance(minutes=7)
        _turn(services, clock, add_person(services, address, name=name), said, reply)
    add_person(services, "+12025550163", name="Old Spam", access="blocked")


def _trouble(services: Services, clock: FrozenClock, alex: Person) -> None:
    stranger = add_person(services, "+13125550200", access="waiting")
    add_text(services, stranger.id, "Hi, this is Sam from the climbing gym. Alex gave me your number", state="held")
    late = add_person(services, "+15035550188", name="Dana Cole")
    add_text(services, late.id, "Are you there?", state="dead", note="Given up: it ended its process five times.")
    add_text(services, alex.id, "And a dessert?", state="waiting")
    add_text(services, late.id, "Sorry", direction="out", state="refused", note="The number cannot be reached (30003).")
    with services.transaction() as db:
        raise_alert(db, "dead_letters", "A text was given up after it had ended its process five times.", clock.now())

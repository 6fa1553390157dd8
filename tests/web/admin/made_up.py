"""An installation with made-up people, for tests of all pages at once, and for pictures of them."""

import json
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update

from app import memory
from app.memory import NewFact, Origin, RuleWords
from app.models import Message, Occurrence, Routine, Spending, Turn
from app.operations.alerts import raise_alert
from app.routines import rows
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.scenes import Someone, add_person

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

USUAL: dict[str, Any] = {
    "model_calls": 1,
    "input_tokens": 1834,
    "cache_read_tokens": 1204,
    "cache_write_tokens": 212,
    "output_tokens": 96,
    "cost_cents": 0.42,
    "model_seconds": 2.1,
    "recall_ms": 11.0,
}


def fill(services: Services, clock: FrozenClock) -> Someone:
    """Alex, whose pages have something of everything, and others around. The clock ends two hours on."""
    alex = add_person(services, name="Alex Rivera")
    clock.advance(hours=-24)
    _learn(clock, alex)
    clock.advance(hours=20)
    _ask(clock, alex)
    for address, name, said, reply in OTHERS:
        clock.advance(minutes=7)
        _turn(clock, add_person(services, address, name=name), said, reply)
    _trouble(services, clock, alex)
    clock.advance(minutes=4)
    with services.transaction() as db:
        for routine in db.scalars(select(Routine)):  # Each comes next after now, as what begins them leaves it.
            rows.schedule_next(db, routine, clock.now())
    return alex


def _turn(clock: FrozenClock, person: Someone, said: str, reply: str, **columns: Any) -> Turn:
    values = {**USUAL, **columns}
    turn, now = person.turn(said, reply, **values), clock.now()
    went = {"sent_at": now + timedelta(seconds=3), "delivery": "delivered", "segments": 1, "cost_cents": 0.79}
    spent = {"day": now.date(), "person_id": person.id, "cents": values["cost_cents"], "is_settled": True, "at": now}
    with person.services.transaction() as db:
        db.execute(update(Message).where(Message.turn_id == turn.id, Message.direction == "out").values(**went))
        db.add(Spending(turn_id=turn.id, **spent))
    return turn


def _learn(clock: FrozenClock, alex: Someone) -> None:
    services, said = alex.services, "I'm allergic to peanuts, and I have a dog named Max"
    facts = [NewFact("Allergic to peanuts", "health"), NewFact("Has a dog named Max", "pets")]
    stored = [{"id": number, "fact": one.fact} for number, one in enumerate(facts, 1)]
    given = {"facts": [{"fact": one.fact, "category": one.category} for one in facts]}
    called = ("extract_memory", given, json.dumps({"memory_updated": True, "stored": stored}))
    reply = "Noted: no peanuts for you, and hello to Max!"
    turn = _turn(clock, alex, said, reply, model_calls=2, recall_gate="start", recalled=[], tools=[called])
    with services.reading() as db:
        text = db.scalar(select(Message.id).where(Message.turn_id == turn.id, Message.direction == "in"))
    origin = Origin("assistant", "explicit", turn_id=turn.id, message_id=text, quote=said)
    memory.remember(services, alex.id, facts, origin)
    more = [NewFact("Likes black coffee"), NewFact("Works at the harbour museum", "work")]
    memory.remember(services, alex.id, more, origin)
    memory.revise(services, alex.id, 4, origin, fact="Works at the harbour library")
    memory.forget(services, alex.id, [3], origin)
    alex.episode("Alex told about a peanut allergy and the dog Max.", turn, topics=("health", "pets"))
    alex.rule("Bullets only, at most three", "quick update", origin)
    memory.set_rule(services, alex.id, RuleWords("always", None, "Keep answers short"), origin, proposed=True)
    alex.remind("Take the vitamins", "20:30")
    alex.remind("Weather in Seattle", "12:15", does="run")


def _ask(clock: FrozenClock, alex: Someone) -> None:
    said, reply = "Weather in Seattle", "Seattle: 9 °C, light rain until noon, then dry."
    called = ("get_weather", {"place": "Seattle"}, '{"now": "9 °C, light rain"}')
    turn = _turn(clock, alex, said, reply, kind="routine", tools=[called], memory_shown=MEMORY)
    came = {"routine_id": 2, "person_id": alex.id, "state": "delivered", "turn_id": turn.id, "late_seconds": 4}
    with alex.services.transaction() as db:
        db.execute(update(Message).where(Message.turn_id == turn.id, Message.direction == "in").values(turn_id=None))
        db.add(Occurrence(**came, due_at=clock.now(), run_at=clock.now(), said_at=clock.now()))
    clock.advance(hours=2)
    _turn(
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
    _turn(clock, alex, "ok thanks", "Enjoy the party!", recall_gate="small talk", output_tokens=12, cost_cents=0.11)
    _turn(clock, alex, "/memory", "I remember 3 facts about you.", kind="command", model=None, cost_cents=0.0)


def _trouble(services: Services, clock: FrozenClock, alex: Someone) -> None:
    add_person(services, "+12025550163", name="Old Spam", access="blocked")
    stranger = add_person(services, "+13125550200", access="waiting")
    stranger.text("Hi, this is Sam from the climbing gym. Alex gave me your number", state="held")
    late = add_person(services, "+15035550188", name="Dana Cole")
    late.text("Are you there?", state="dead", note="Given up: it ended its process five times.")
    alex.text("And a dessert?", state="waiting")
    late.text("Sorry", direction="out", state="refused", note="The number cannot be reached (30003).")
    with services.transaction() as db:
        raise_alert(db, "dead_letters", "A text was given up after it had ended its process five times.", clock.now())

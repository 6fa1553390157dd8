"""No page asks the database more often because there is more to show."""

from typing import Any

from app import memory, operators
from app.jobs import count_hours
from app.memory import NewFact
from app.models import Occurrence, Spending
from app.operations import alerts
from app.services import Services
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import TOLD, Someone, add_person

MOST = 12  # The session, what it may see, the person, what is listed, and a few more for what stands beside each row.
LISTS = "facts rules rules/1 episodes episodes/1 archived forgotten changes facts/1 facts/8 routines/1"
PAGES = [
    *("/", "/people", "/people/1", "/people/1?around=5", "/people/1/merge?numbers=7,8,9"),
    *(f"/people/1/{one}" for one in LISTS.split()),
    *("/memory", "/memory?person=1&words=word", "/memory?kind=episodes", "/memory?kind=rules", "/review", "/security"),
    *("/operators", "/numbers", "/numbers?over=day", "/routines", "/routines?day=2026-11-24", "/routines/history"),
    *("/settings", "/settings/prompt/1", "/log"),
]


def fill(services: Services, rows: int) -> tuple[Someone, Someone]:
    """Add two people, the first with `rows` rows of most kinds."""
    person = add_person(services, name="Alex")
    for number in range(rows):
        if number % 10 == 0:
            add_told(person)
        person.text(f"Text {number}")
        with services.transaction() as db:
            alerts.raise_alert(db, f"kind{number}", "Nothing goes out.", services.clock.now())
        add_person(services, f"+1646555{number:04d}", access=("allowed", "waiting")[number % 2])
        person.learn(f"Knows the word w{number}", category=f"c{number}")
    for number in range(4):
        person.rule(f"Praise poet {number}")
    memory.forget_rules(services, person.id, [3], TOLD)
    other = add_person(services, "+16465559999")
    for one in (person, other):
        add_routines(one, 3)
    memory.forget(services, person.id, list(range(1, rows // 2)), TOLD)
    memory.forget_episodes(services, person.id, [person.episode().number], TOLD)
    return person, other


def add_told(person: Someone) -> None:
    person.episode(of=person.turn("Hi", "Hello", tools=[("list_memories", {}, "{}")]))


def add_routines(person: Someone, rows: int) -> None:
    """Each with an occurrence that was skipped, and all with what was spent."""
    now = person.services.clock.now()
    for number in range(rows):
        routine = person.remind(f"w{person.id}x{number}x{rows}", "20:00")
        of = {"person_id": person.id, "due_at": now, "run_at": now, "state": "skipped"}
        with person.services.transaction() as db:
            db.add(Occurrence(routine_id=routine.id, **of))
            db.add(Spending(day=now.date(), person_id=person.id, cents=1.0, at=now))


def test_pages_with_two_hundred_rows_ask_like_ten(operator: Browser, services: Services, count_queries: Any) -> None:
    def asked() -> dict[str, int]:
        count_hours.run(services)
        counts = {}
        for path in PAGES:
            operator.get(path)  # What is asked only once, at the first look, is not counted.
            with count_queries() as statements:
                assert operator.client.get(f"/admin{path}").status_code == 200
            counts[path] = len(statements)
        return counts

    person, other = fill(services, 10)
    few = asked()
    add_more = [NewFact(f"Knows the word x{number}") for number in range(190)]
    for start in range(0, 190, 10):
        memory.remember(services, person.id, add_more[start : start + 10], TOLD)
        operators.add(services, f"operator{start}", "support")
        add_told(person)
        for number in range(start, start + 10):
            person.text(f"More {number}")
            add_person(services, f"+1917555{number:04d}", access=("allowed", "waiting")[number % 2])
    for number in range(40):
        person.rule(f"Praise painter {number}")
    memory.forget_rules(services, person.id, list(range(10, 30)), TOLD)
    for one in (person, other):
        add_routines(one, 20)
    memory.forget(services, person.id, list(range(20, 120)), TOLD)
    memory.forget_episodes(services, person.id, list(range(3, 18)), TOLD)
    assert asked() == few
    assert {path: count for path, count in few.items() if count > MOST} == {}

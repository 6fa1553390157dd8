"""No page asks the database more often because there is more to show."""

from datetime import time
from typing import Any

from app import memory, operators
from app.jobs import count_hours
from app.memory import NewFact, Origin, RuleWords
from app.models import Occurrence, Spending
from app.operations import alerts
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, set_routine
from app.services import Services
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn

ORIGIN = Origin(actor="assistant", source="explicit")
MOST = 12  # The session, what it may see, the person, what is listed, and a few more for what stands beside each row.

PAGES = [
    "/",
    "/people",
    "/people/1",
    "/people/1?around=5",
    "/people/1/facts",
    "/people/1/rules",
    "/people/1/rules/1",
    "/people/1/episodes",
    "/people/1/episodes/1",
    "/people/1/archived",
    "/people/1/forgotten",
    "/people/1/changes",
    "/people/1/facts/1",
    "/people/1/facts/8",
    "/people/1/merge?numbers=7,8,9",
    "/memory",
    "/memory?person=1&words=word",
    "/memory?kind=episodes",
    "/memory?kind=rules",
    "/review",
    "/security",
    "/operators",
    "/numbers",
    "/numbers?over=day",
    "/people/1/routines/1",
    "/routines",
    "/routines?day=2026-11-24",
    "/routines/history",
    "/settings",
    "/settings/prompt/1",
    "/log",
]


def fill(services: Services, rows: int) -> None:
    person = add_person(services, name="Alex")
    for number in range(rows):
        if number % 10 == 0:
            add_episode(services, add_turn(services, person.id, "Hi", "Hello", tools=[("list_memories", {}, "{}")]))
        add_text(services, person.id, f"Text {number}")
        with services.transaction() as db:
            alerts.raise_alert(db, f"kind{number}", "Nothing goes out.", services.clock.now())
        add_person(services, f"+1646555{number:04d}", access=("allowed", "waiting")[number % 2])
        memory.remember(services, person.id, [NewFact(f"Knows the word w{number}", f"c{number}")], ORIGIN)
    for number in range(4):
        memory.set_rule(services, person.id, RuleWords("always", None, f"Praise poet {number}"), ORIGIN)
    memory.forget_rules(services, person.id, [3], ORIGIN)
    add_routines(services, person.id, 3)
    add_routines(services, person.id + 1, 3)
    memory.forget(services, person.id, list(range(1, rows // 2)), ORIGIN)
    gone = add_episode(services, add_turn(services, person.id, "Hi", "Hello"))
    memory.forget_episodes(services, person.id, [gone.number], ORIGIN)


def add_routines(services: Services, person_id: int, rows: int) -> None:
    """Each with an occurrence that was skipped, and all with what was spent."""
    when, now = Schedule("daily", times=(time(20, 0),)), services.clock.now()
    for number in range(rows):
        new = NewRoutine("remind", f"w{person_id}x{number}x{rows}", when)
        routine = set_routine(services, person_id, new, ORIGIN, "phone")
        with services.transaction() as db:
            db.add(Occurrence(routine_id=routine.id, person_id=person_id, due_at=now, run_at=now, state="skipped"))
            db.add(Spending(day=now.date(), person_id=person_id, cents=1.0, at=now))


def test_pages_with_two_hundred_rows_ask_as_often_as_with_ten(
    operator: Browser, services: Services, count_queries: Any
) -> None:
    def asked() -> dict[str, int]:
        count_hours.run(services)
        counts = {}
        for path in PAGES:
            operator.get(path)  # What is asked only once, at the first look, is not counted.
            with count_queries() as statements:
                assert operator.client.get(f"/admin{path}").status_code == 200
            counts[path] = len(statements)
        return counts

    fill(services, 10)
    few = asked()
    add_more = [NewFact(f"Knows the word x{number}") for number in range(190)]
    for start in range(0, 190, 10):
        memory.remember(services, 1, add_more[start : start + 10], ORIGIN)
        operators.add(services, f"operator{start}", "support")
        add_episode(services, add_turn(services, 1, "Hi", "Hello", tools=[("list_memories", {}, "{}")]))
        for number in range(start, start + 10):
            add_text(services, 1, f"More {number}")
            add_person(services, f"+1917555{number:04d}", access=("allowed", "waiting")[number % 2])
    for number in range(40):
        memory.set_rule(services, 1, RuleWords("always", None, f"Praise painter {number}"), ORIGIN)
    memory.forget_rules(services, 1, list(range(10, 30)), ORIGIN)
    add_routines(services, 1, 20)
    add_routines(services, 2, 20)
    memory.forget(services, 1, list(range(20, 120)), ORIGIN)
    memory.forget_episodes(services, 1, list(range(3, 18)), ORIGIN)
    assert asked() == few
    assert {path: count for path, count in few.items() if count > MOST} == {}

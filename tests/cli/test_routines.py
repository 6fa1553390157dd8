"""Reminders and routines from the terminal."""

import json
from typing import Any

from app import people
from app.models import Message, Suggestion
from app.routines.schedule import Schedule
from app.routines.values import local_time
from app.services import Services
from tests.cli.conftest import Run
from tests.memory.remembering import ANNA, add_person


def printed(run: Run, *arguments: str) -> Any:
    result = run("routines", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_before_anything_is_scheduled_the_list_says_so(run: Run, services: Services) -> None:
    add_person(services)
    assert "Nothing is scheduled yet." in run("routines", "list").stderr


def test_what_is_added_is_listed_paused_resumed_and_cancelled(run: Run, services: Services) -> None:
    add_person(services)
    added = printed(run, "add", "Stretch", "--repeat", "daily", "--at", "10:00", "--until", "2099-01-01")
    assert (added["id"], added["state"], added["person"]) == (1, "active", ANNA)
    assert added["when"] == "daily at 10:00, until 1 January 2099"
    assert "1  Stretch  (daily at 10:00, until 1 January 2099; active, next " in run("routines", "list").stdout
    assert printed(run, "pause", "1")["state"] == "paused"
    assert printed(run, "resume", "1")["state"] == "active"
    assert printed(run, "show", "1")["occurrences"] == []
    assert printed(run, "cancel", "1")["cancelled"][0]["state"] == "cancelled"
    assert printed(run, "list") == []
    assert [one["state"] for one in printed(run, "list", "--all")] == ["cancelled"]


def test_an_instruction_may_be_added_for_a_span_from_now(run: Run, services: Services) -> None:
    add_person(services)
    assert printed(run, "add", "Ask about the day", "--run", "--in", "20")["does"] == "run"


def test_what_is_not_there_or_never_comes_is_said_with_what_to_do(run: Run, services: Services) -> None:
    add_person(services)
    for command in ("show", "pause", "resume", "cancel"):
        result = run("routines", command, "7")
        assert result.exit_code == 1
        assert f"{ANNA} has no routine 7. `keepsake routines list --person {ANNA}` shows all." in result.stderr
    assert run("routines", "add", "Stretch", "--at", "25:00").exit_code == 1


def test_nobody_becomes_known_for_the_sake_of_a_routine_that_is_refused(run: Run, services: Services) -> None:
    for refused in (["Stretch", "--at", "25:00"], ["Stretch", "--at", "10:00", "--zone", "Mars/X"], ["", "--in", "20"]):
        assert run("routines", "add", *refused, "--person", ANNA).exit_code == 1
    with services.reading() as db:
        assert people.everyone(db) == []


def test_what_was_suggested_is_listed_with_what_was_said_to_it(run: Run, services: Services) -> None:
    person_id = add_person(services)
    assert "Nothing was suggested yet." in run("routines", "suggestions").stderr
    now = services.clock.now()
    with services.transaction() as db:
        text = Message(
            person_id=person_id, direction="in", carrier="phone", state="answered", body="Weather?", created_at=now
        )
        db.add(text)
        db.flush()
        when = Schedule("daily", times=(local_time("times", "07:00"),))
        db.add(
            Suggestion(
                person_id=person_id,
                kind="routine",
                words="Weather?",
                message_id=text.id,
                times=4,
                schedule=when.as_dict(),
                state="accepted",
                made_number=1,
                **dict.fromkeys(("run_at", "created_at", "said_at"), now),
            )
        )
    listed = run("routines", "suggestions").stdout
    assert "Weather?, daily at 07:00  (routine; accepted, routine 1 on " in listed
    assert "1 suggested: 1 accepted, 0 declined, 0 without an answer" in listed
    [one] = printed(run, "suggestions")
    assert (one["state"], one["times"], one["made"]) == ("accepted", 4, 1)

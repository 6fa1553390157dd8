"""Reminders and routines from the terminal."""

from app.models import Message, Suggestion
from app.routines.schedule import Schedule
from app.routines.values import local_time
from app.services import Services
from tests.cli.conftest import Run


def test_what_is_added_is_listed_paused_resumed_and_cancelled(run: Run, alex: str) -> None:
    added = run.json("routines", "add", "Stretch", "--repeat", "daily", "--at", "10:00", "--until", "2099-01-01")
    assert (added["id"], added["state"], added["person"]) == (1, "active", alex)
    assert added["when"] == "daily at 10:00, until 1 January 2099"
    listed = run.printed("routines", "list")
    assert "1  Stretch  (daily at 10:00, until 1 January 2099; active, next " in listed
    assert run.json("routines", "pause", "1")["state"] == "paused"
    assert run.json("routines", "resume", "1")["state"] == "active"
    assert run.json("routines", "show", "1")["occurrences"] == []
    assert run.json("routines", "cancel", "1")["cancelled"][0]["state"] == "cancelled"
    assert run.json("routines", "list") == []
    assert [one["state"] for one in run.json("routines", "list", "--all")] == ["cancelled"]
    assert run.json("routines", "add", "Ask about the day", "--run", "--in", "20")["does"] == "run"


def test_what_was_suggested_is_listed_with_what_was_said_to_it(services: Services, run: Run, alex: str) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        text = Message(person_id=1, direction="in", carrier="phone", state="answered", body="Weather?", created_at=now)
        db.add(text)
        db.flush()
        suggestion = Suggestion(
            person_id=1,
            kind="routine",
            words="Weather?",
            message_id=text.id,
            times=4,
            schedule=Schedule("daily", times=(local_time("times", "07:00"),)).as_dict(),
            state="accepted",
            made_number=1,
            **dict.fromkeys(("run_at", "created_at", "said_at"), now),
        )
        db.add(suggestion)
    listed = run.printed("routines", "suggestions")
    assert "Weather?, daily at 07:00  (routine; accepted, routine 1 on " in listed
    assert "1 suggested: 1 accepted, 0 declined, 0 without an answer" in listed
    [one] = run.json("routines", "suggestions")
    assert (one["state"], one["times"], one["made"]) == ("accepted", 4, 1)

"""What comes by itself, on a person's pages."""

from datetime import timedelta

from app.memory import Origin
from app.models import Message, Person
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, cancel, pause, pause_all, revise_routine, set_routine
from app.routines.values import local_time
from app.services import Services
from app.web.admin.shown import as_stamp
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_suggestion


def test_before_anything_is_scheduled_the_page_says_what_will_stand_there(operator: Browser, alex: Person) -> None:
    page = operator.get(f"/people/{alex.id}/routines")
    assert "Nothing is scheduled" in page
    assert '<a href="/admin/people/1/routines" aria-current="page">Routines</a>' in page


def test_what_was_suggested_is_listed_with_what_was_said_to_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    assert "Suggestions" not in operator.get(f"/people/{alex.id}/routines")
    now = services.clock.now()
    with services.transaction() as db:
        text = Message(person_id=alex.id, direction="in", carrier="phone", state="answered", body="x", created_at=now)
        db.add(text)
        db.flush()
        add_suggestion(db, alex.id, text.id, now, words="shorter <b>", procedure="Keep answers short", state="declined")
    page = in_words(operator.get(f"/people/{alex.id}/routines"))
    assert "1 suggested: 0 accepted, 1 declined, 0 without an answer." in page
    assert "Keep answers short “shorter <b>” rule declined" in page


def test_a_routine_is_listed_with_state_schedule_and_quiet_hours(
    operator: Browser, services: Services, alex: Person
) -> None:
    when = Schedule("daily", times=(local_time("times", "10:00"),))
    new = NewRoutine("remind", "Stretch <b>", when, zone="America/New_York")
    set_routine(services, alex.id, new, Origin("person", "explicit"), "phone")
    page = operator.get(f"/people/{alex.id}/routines")
    assert "<b>" not in page.partition("Stretch")[2][:20]
    assert "Stretch <b> daily at 10:00, America/New_York active" in in_words(page)
    assert "Quiet hours: 22:00-07:00" in in_words(page)
    assert "Pause routine 1" in in_words(page)
    assert "Routine 1 is paused." in in_words(operator.act(f"/people/{alex.id}/routines/1/pause"))
    assert "Pause routine 1" not in in_words(operator.get(f"/people/{alex.id}/routines"))
    pause_all(services, alex.id)
    assert "All are paused since" in in_words(operator.get(f"/people/{alex.id}/routines"))


def test_until_when_a_person_has_paused_all_is_told(operator: Browser, services: Services, alex: Person) -> None:
    schedule = Schedule("daily", times=(local_time("times", "10:00"),))
    set_routine(services, alex.id, NewRoutine("remind", "Rest", schedule), Origin("person", "explicit"), "phone")
    until = services.clock.now() + timedelta(days=2)
    pause_all(services, alex.id, Origin("person", "explicit"), until)
    for page in ("routines", "routines/1"):
        told = in_words(operator.get(f"/people/{alex.id}/{page}"))
        assert f" until {as_stamp(until, alex.timezone)} ." in told
    assert "everything is paused since" in in_words(operator.get(f"/people/{alex.id}/changes"))


def test_those_that_are_over_are_not_counted_among_what_is_scheduled(
    operator: Browser, services: Services, alex: Person
) -> None:
    told, when = Origin("person", "explicit"), Schedule("daily", times=(local_time("times", "10:00"),))
    for words in ("Stretch", "Rest", "Drink"):
        set_routine(services, alex.id, NewRoutine("remind", words, when), told, "phone")
    pause(services, alex.id, 1, told)
    assert "3 routines and reminders Quiet" in in_words(operator.get(f"/people/{alex.id}/routines"))
    cancel(services, alex.id, [2], told)
    assert "2 routines and reminders and 1 that is over Quiet" in in_words(operator.get(f"/people/{alex.id}/routines"))
    cancel(services, alex.id, [3], told)
    assert "1 routine or reminder and 2 that are over Quiet" in in_words(operator.get(f"/people/{alex.id}/routines"))


def test_among_the_changes_a_routine_is_named_and_what_was_done_to_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    told = Origin("person", "explicit")
    when = Schedule("daily", times=(local_time("times", "10:00"),))
    set_routine(services, alex.id, NewRoutine("remind", "Stretch <b>", when), told, "phone")
    revise_routine(services, alex.id, 1, told, schedule=Schedule("daily", times=(local_time("times", "23:00"),)))
    pause(services, alex.id, 1, told)
    page = in_words(operator.get(f"/people/{alex.id}/changes"))
    assert "Stretch <b>, daily at 23:00 : scheduled" in page
    assert "Stretch <b>, daily at 23:00 : another time" in page
    assert "Stretch <b>, daily at 23:00 : paused" in page
    assert "at_night" not in page

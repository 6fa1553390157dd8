"""What comes to a person by itself, in their list and on each routine's own page."""

import re
from datetime import date, timedelta
from typing import Any

import pytest

from app.jobs import begin_routines
from app.memory import Origin
from app.models import Change, Message, Occurrence, Person, Routine
from app.people import consents
from app.routines import setting
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, cancel, pause, pause_all, revise_routine, set_routine
from app.routines.values import local_time
from app.services import Services
from app.web.admin.shown import as_stamp
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_suggestion, add_text


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


BY_PERSON = Origin("person", "explicit")


def form_of(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that has this button or action, without its token."""
    forms = [form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'{action}"' in form]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', forms[-1])
    return {name: value for name, value in fields if name != "csrf_token"}


class Known:
    """One routine of Alex, its page and its buttons."""

    def __init__(self, operator: Browser, services: Services, alex: Person, background: InlineBackground) -> None:
        self.operator, self.services, self.person, self._background = operator, services, alex, background
        self.path = f"/people/{alex.id}/routines/1"

    def set(
        self, *times: str, words: str = "Stretch", repeat: str = "daily", does: str = "remind", **when: Any
    ) -> None:
        schedule = Schedule(repeat, times=tuple(local_time("times", at) for at in times), **when)
        text = add_text(self.services, self.person.id, "Remind me to stretch")
        origin = Origin("person", "explicit", message_id=text.id, quote="Remind me to stretch")
        set_routine(self.services, self.person.id, NewRoutine(does, words, schedule), origin, "phone")

    def page(self) -> str:
        return self.operator.get(self.path)

    def press(self, what: str, **fields: str) -> str:
        """The page after the button that was on it."""
        return in_words(
            self.operator.act(f"{self.path}/{what}", **form_of(self.page(), f"{self.path}/{what}"), **fields)
        )

    def sent(self) -> list[str]:
        """What has come to the phone, once all that is due is dealt with."""
        self._background.run(within_seconds=0)
        with self.services.reading() as db:
            return [one.body for one in db.query(Message).filter(Message.direction == "out").order_by(Message.id)]

    def state(self) -> str:
        with self.services.reading() as db:
            return db.query(Routine).one().state


@pytest.fixture
def known(operator: Browser, services: Services, alex: Person, background: InlineBackground) -> Known:
    return Known(operator, services, alex, background)


def test_it_says_what_it_does_when_it_comes_and_where_it_came_from(known: Known) -> None:
    known.set("10:00")
    page = known.page()
    assert "Stretch active reminder daily at 10:00" in in_words(page)
    assert "Saturday, 21 Nov 2026, 10:00 PST Sunday, 22 Nov 2026, 10:00 PST Monday, 23 Nov 2026, 10:00 PST" in in_words(
        page
    )
    assert "It has not come yet." in page
    assert "person set, active" in in_words(page)
    assert f'href="/admin/people/{known.person.id}?around=1#message-1"' in page
    assert f'href="{"/admin" + known.path}"' in known.operator.get(f"/people/{known.person.id}/routines")


def test_a_number_that_no_routine_has_is_a_page_that_says_so(known: Known) -> None:
    assert known.operator.client.get(f"/admin{known.path}").status_code == 404
    for what in ("run", "pause", "resume", "skip"):
        assert known.operator.post(f"{known.path}/{what}", seen="0").status_code == 404
    assert "is not there to end" in known.operator.act(f"{known.path}/end")


def test_run_now_brings_it_once_and_says_so_in_the_history(known: Known) -> None:
    known.set("10:00")
    seen = form_of(known.page(), "run")
    assert "Routine 1 comes now" in in_words(known.operator.act(f"{known.path}/run", **seen))
    assert known.sent() == ["Reminder: Stretch"]
    begin_routines.run(known.services)
    page = in_words(known.page())
    assert "21 Nov 2026, 09:00 PST 09:00 PST on time sent run by an operator" in page
    assert re.search(r"Changes .* 21 Nov 2026, 09:00 PST operator run now, sent", page)
    # The same form once more, as a second click or a reload sends it.
    assert "has come since this page was shown" in in_words(known.operator.act(f"{known.path}/run", **seen))
    assert known.sent() == ["Reminder: Stretch"]


@pytest.mark.parametrize("seen", ["", "-1", "x", str(10**30)])
def test_a_form_that_does_not_say_what_was_seen_runs_nothing(known: Known, seen: str) -> None:
    known.set("10:00")
    assert "Look at what came of it first" in known.operator.act(f"{known.path}/run", seen=seen)
    assert known.sent() == []


def test_r74_who_opted_out_is_not_texted_whoever_clicks(known: Known) -> None:
    known.set("10:00")
    seen = form_of(known.page(), "run")
    consents.refuse_for(known.services, known.person.id, "by phone")
    said = in_words(known.operator.act(f"{known.path}/run", at_night="1", **seen))
    assert "The person opted out. So routine 1 was not run." in said
    assert not [one for one in known.sent() if "Stretch" in one]


def test_r74_in_quiet_hours_a_second_click_says_the_hour_there(known: Known, clock: FrozenClock) -> None:
    known.set("10:00")
    clock.advance(hours=14, minutes=14)
    known.operator.log_in()
    seen = form_of(known.page(), "run")
    answer = known.operator.post(f"{known.path}/run", **seen)
    assert answer.status_code == 403
    assert "It is 23:14 there, and their quiet hours are 22:00-07:00. Text them all the same?" in in_words(answer.text)
    assert "Run now, at 23:14 there" in in_words(answer.text)
    assert known.sent() == []
    second = form_of(answer.text, "run")
    known.operator.act(f"{known.path}/run", **{**second, "at_night": "1"})
    assert known.sent() == ["Reminder: Stretch"]


def test_pause_and_resume_are_changes_that_can_be_undone(known: Known) -> None:
    known.set("10:00")
    assert "Routine 1 is paused. Undo" in known.press("pause")
    assert known.state() == "paused"
    assert "operator active → paused" in in_words(known.page())
    assert "Routine 1 comes again. Undo" in known.press("resume")
    known.operator.undo_newest(known.person.id)
    assert known.state() == "paused"
    with known.services.reading() as db:
        assert {one.actor for one in db.query(Change)} == {"person", "operator"}


def test_what_comes_once_has_no_next_to_skip_and_is_not_resumed_once_its_day_is_over(
    known: Known, clock: FrozenClock
) -> None:
    known.set("10:00", repeat="once", starts=date(2026, 11, 21))
    assert "Skip the next" not in known.page()
    assert "has no next time to leave out" in known.operator.act(f"{known.path}/skip")
    known.press("pause")
    clock.advance(hours=48)
    known.operator.log_in()
    assert "That never comes" in known.press("resume")


def test_the_next_is_skipped_and_the_one_after_it_comes(known: Known) -> None:
    known.set("10:00")
    assert "Routine 1 is left out on Saturday 21 November. Undo" in known.press("skip")
    page = in_words(known.page())
    assert "Next Sunday, 22 Nov 2026, 10:00 PST" in page
    assert "when it comes: daily at 10:00 → daily at 10:00, except on 21 November 2026" in page


def test_a_skipped_occurrence_says_that_an_operator_did_it(known: Known, clock: FrozenClock) -> None:
    known.set("10:00")
    clock.advance(hours=1)
    begin_routines.run(known.services)
    with known.services.transaction() as db:
        db.query(Routine).one().next_due_at = clock.now()
    known.press("skip")
    with known.services.reading() as db:
        assert db.query(Occurrence).one().reason == "An operator skipped it."


def test_what_is_ended_comes_no_more_and_can_be_taken_back(known: Known) -> None:
    known.set("10:00")
    assert "Routine 1 has ended. Undo" in known.press("end")
    page = known.page()
    assert "Run now" not in page
    assert "It never came." in page
    assert known.state() == "cancelled"
    known.operator.undo_newest(known.person.id)
    assert known.state() == "active"


def test_all_of_a_person_is_paused_and_the_pause_ended_in_these_words(known: Known, clock: FrozenClock) -> None:
    known.set("10:00")
    known.set("11:00", words="Rest")
    setting.pause(known.services, known.person.id, 2, BY_PERSON)
    theirs = f"/people/{known.person.id}/routines"
    assert "Pause all" in known.operator.get(theirs)
    paused = in_words(known.operator.act(f"{theirs}/pause"))
    assert "All are paused: nothing comes to this person by itself." in paused
    assert "End the pause" in paused
    assert "All routines of this person are paused since" in in_words(known.page())
    assert "All routines of the person are paused." in in_words(known.page())
    clock.advance(hours=1)
    begin_routines.run(known.services)
    assert known.sent() == []
    ended = known.operator.act(f"{theirs}/end-pause")
    assert "All routines resumed. 1 is still paused on its own." in ended
    clock.advance(hours=24)
    begin_routines.run(known.services)
    assert known.sent() == ["Reminder: Stretch"]  # What they had paused by itself stays so.
    known.operator.log_in()
    assert known.operator.post("/people/999/routines/pause").status_code == 404


def test_the_history_of_a_routine_is_paged_without_a_gap(known: Known, clock: FrozenClock) -> None:
    known.set(*(f"{hour:02}:00" for hour in range(24)))
    for _ in range(30):
        clock.advance(hours=1)
        begin_routines.run(known.services)
    known.operator.log_in()
    first = known.page()
    assert first.count('<th scope="row">') == 20
    [older] = re.findall(rf'href="/admin({known.path}\?before=\d+)"', first)
    assert known.operator.get(older).count('<th scope="row">') == 10

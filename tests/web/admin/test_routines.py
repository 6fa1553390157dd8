"""A person's routines, in their list and on each routine's own page."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from app.jobs import begin_routines
from app.memory import Origin
from app.models import Message, Occurrence, Routine
from app.people import consents
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, cancel, pause_all, set_routine
from app.routines.values import local_time
from app.services import Services
from app.web.admin.shown import as_stamp
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import BY_PERSON, Someone, add_suggestion

AT_TEN = Schedule("daily", times=(local_time("times", "10:00"),))


def test_what_was_suggested_is_listed_with_the_answer(operator: Browser, services: Services, alex: Someone) -> None:
    assert "Suggestions" not in operator.get(f"{alex.path}/routines")
    text = alex.text("x")
    with services.transaction() as db:
        words, procedure = "shorter <b>", "Keep answers short"
        now = services.clock.now()
        add_suggestion(db, alex.id, text.id, now, words=words, procedure=procedure, state="declined")
    page = operator.read(f"{alex.path}/routines")
    assert "1 suggested: 0 accepted, 1 declined, 0 without an answer." in page
    assert "Keep answers short “shorter <b>” rule declined" in page


def test_routines_are_listed_with_state_schedule_and_quiet_hours_and_those_that_are_over_counted_apart(
    operator: Browser, services: Services, alex: Someone
) -> None:
    path = f"{alex.path}/routines"
    new = NewRoutine("remind", "Stretch <b>", AT_TEN, zone="America/New_York")
    set_routine(services, alex.id, new, BY_PERSON, "phone")
    for words in ("Rest", "Drink"):
        alex.remind(words)
    page = operator.get(path)
    assert "<b>" not in page.partition("Stretch")[2][:20]
    assert "Stretch <b> daily at 10:00, America/New_York active" in in_words(page)
    assert "Quiet hours: 22:00-07:00" in in_words(page)
    assert "Pause routine 1" in in_words(page)
    assert "Routine 1 is paused." in in_words(operator.act(f"{path}/1/pause"))
    page = operator.read(path)
    assert "Pause routine 1" not in page
    assert "3 routines and reminders Quiet" in page
    cancel(services, alex.id, [2], BY_PERSON)
    assert "2 routines and reminders and 1 that is over Quiet" in operator.read(path)
    cancel(services, alex.id, [3], BY_PERSON)
    assert "1 routine or reminder and 2 that are over Quiet" in operator.read(path)

    until = services.clock.now() + timedelta(days=2)
    pause_all(services, alex.id, BY_PERSON, until)
    for page in (path, f"{path}/1"):
        assert f" until {as_stamp(until, alex.row.timezone)} ." in operator.read(page)
    assert "All are paused since" in operator.read(path)
    assert "everything is paused since" in operator.read(f"{alex.path}/changes")


def form_of(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that has this button or action, without its token."""
    forms = [form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'{action}"' in form]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', forms[-1])
    return {name: value for name, value in fields if name != "csrf_token"}


class Known:
    """One routine of Alex, which comes at ten, its page and its buttons."""

    def __init__(self, operator: Browser, alex: Someone, background: InlineBackground, **when: Any) -> None:
        self.operator, self.person, self.services, self._background = operator, alex, alex.services, background
        self.path = f"{alex.path}/routines/1"
        text = alex.text("Remind me to stretch")
        origin = Origin("person", "explicit", message_id=text.id, quote=text.body)
        schedule = Schedule(when.pop("repeat", "daily"), times=AT_TEN.times, **when)
        set_routine(self.services, alex.id, NewRoutine("remind", "Stretch", schedule), origin, "phone")

    def page(self) -> str:
        return self.operator.get(self.path)

    def read(self) -> str:
        return self.operator.read(self.path)

    def act(self, what: str, **fields: str) -> str:
        """The words of the page after an action."""
        return in_words(self.operator.act(f"{self.path}/{what}", **fields))

    def press(self, what: str) -> str:
        """The words of the page after pressing its button."""
        return self.act(what, **form_of(self.page(), f"{self.path}/{what}"))

    def sent(self) -> list[str]:
        """Carry out everything due, and return the texts on the phone."""
        self._background.run(within_seconds=0)
        with self.services.reading() as db:
            return [one.body for one in db.query(Message).filter(Message.direction == "out").order_by(Message.id)]


@pytest.fixture
def set_one(operator: Browser, alex: Someone, background: InlineBackground) -> Callable[..., Known]:
    return lambda **when: Known(operator, alex, background, **when)


@pytest.fixture
def known(set_one: Callable[..., Known]) -> Known:
    return set_one()


def test_it_says_what_it_does_when_it_comes_and_where_it_came_from(known: Known) -> None:
    page = known.page()
    for words in (
        "Stretch active reminder daily at 10:00",
        "Saturday, 21 Nov 2026, 10:00 PST Sunday, 22 Nov 2026, 10:00 PST Monday, 23 Nov 2026, 10:00 PST",
        "It has not come yet.",
    ):
        assert words in in_words(page)
    assert f'href="/admin{known.person.path}?around=1#message-1"' in page
    assert f'href="/admin{known.path}"' in known.operator.get(f"{known.person.path}/routines")


def test_run_now_brings_it_once_and_says_so_in_the_history(known: Known) -> None:
    for seen in ("", "-1", "x", str(10**30)):
        assert "Look at what came of it first" in known.act("run", seen=seen)
    assert known.sent() == []
    shown = form_of(known.page(), "run")
    assert "Routine 1 comes now" in known.act("run", **shown)
    assert known.sent() == ["Reminder: Stretch"]
    begin_routines.run(known.services)
    assert "21 Nov 2026, 09:00 PST 09:00 PST on time sent run by an operator" in known.read()
    # The same form once more, as a second click or a reload sends it.
    assert "has come since this page was shown" in known.act("run", **shown)
    assert known.sent() == ["Reminder: Stretch"]


def test_r74_who_opted_out_is_not_texted_whoever_clicks(known: Known) -> None:
    seen = form_of(known.page(), "run")
    consents.opt_out_for(known.services, known.person.id, "by phone")
    assert "The person opted out. So routine 1 was not run." in known.act("run", at_night="1", **seen)
    assert not [one for one in known.sent() if "Stretch" in one]


def test_r74_in_quiet_hours_a_second_click_says_the_hour_there(known: Known, clock: FrozenClock) -> None:
    clock.advance(hours=14, minutes=14)
    known.operator.log_in()
    answer = known.operator.post(f"{known.path}/run", **form_of(known.page(), "run"))
    assert answer.status_code == 403
    assert "It is 23:14 there, and their quiet hours are 22:00-07:00. Text them all the same?" in in_words(answer.text)
    assert "Run now, at 23:14 there" in in_words(answer.text)
    assert known.sent() == []
    known.act("run", **{**form_of(answer.text, "run"), "at_night": "1"})
    assert known.sent() == ["Reminder: Stretch"]


def test_what_comes_once_has_no_next_to_skip_and_is_over(set_one: Callable[..., Known], clock: FrozenClock) -> None:
    known = set_one(repeat="once", starts=date(2026, 11, 21))
    assert "Skip the next" not in known.page()
    assert "has no next time to leave out" in known.act("skip")
    known.press("pause")
    clock.advance(hours=48)
    known.operator.log_in()
    assert "That never comes" in known.press("resume")


def test_the_next_is_skipped_and_the_one_after_it_comes(known: Known, clock: FrozenClock) -> None:
    assert "Routine 1 is left out on Saturday 21 November. Undo" in known.press("skip")
    assert "Next Sunday, 22 Nov 2026, 10:00 PST" in known.read()
    clock.advance(hours=25)
    begin_routines.run(known.services)
    with known.services.transaction() as db:
        db.query(Routine).one().next_due_at = clock.now()
    known.operator.log_in()
    known.press("skip")
    with known.services.reading() as db:
        assert db.query(Occurrence).one().reason == "An operator skipped it."


def test_a_second_click_skips_the_same_day_and_none_that_was_not_shown(known: Known, clock: FrozenClock) -> None:
    shown = form_of(known.page(), "skip")
    for _ in range(2):
        assert "Routine 1 is left out on Saturday 21 November." in known.act("skip", **shown)
    assert "Next Sunday, 22 Nov 2026, 10:00 PST" in known.read()
    shown = form_of(known.page(), "skip")
    clock.advance(hours=25, minutes=1)
    known.operator.log_in()
    begin_routines.run(known.services)
    known.sent()
    assert "Routine 1 has come meanwhile" in known.act("skip", **shown)
    assert "Next Monday, 23 Nov 2026, 10:00 PST" in known.read()

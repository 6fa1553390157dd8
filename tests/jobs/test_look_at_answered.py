"""What hooks note of replies is looked at within seconds; what they could not note is found in the rows."""

from datetime import timedelta

import pytest
from apscheduler.triggers.interval import IntervalTrigger

from app import people
from app.conversation import outage
from app.errors import ModelDown
from app.jobs import JOBS, look_at_answered, suggest_habits, summarise_quiet
from app.models import Suggestion
from app.services import Services, just_answered
from app.services.just_answered import JustAnswered, Noted
from tests.claude_server import ClaudeServer
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.keeping import EXAM, SUMMARY, keep, tell_of_the_exam
from tests.memory.talking import Talk
from tests.phoning import ALEX, Phone
from tests.routines.weeks import Weeks

EVERY_FOUR = pytest.mark.parametrize("settings", [{"episode_triggers": "count", "episode_messages": 4}], indirect=True)
QUESTIONS = ("What is a bond?", "How do vaccines work?", "Who was Ada Lovelace?")


def correct_thrice(weeks: Weeks) -> list[Suggestion]:
    """The suggestions once the job has looked at what was noted of the last reply alone."""
    for question in QUESTIONS:
        weeks.services.just_answered.take()
        weeks.text("10:00", question)
        weeks.phone.text("shorter please")
    return weeks.suggestions()


@pytest.fixture
def weeks(services: Services, background: InlineBackground) -> Weeks:
    with services.transaction() as db:
        people.add(db, ALEX, access="allowed", now=services.clock.now())
    return Weeks(Phone(services, background))


def test_it_looks_every_ten_seconds() -> None:
    assert look_at_answered in JOBS
    assert isinstance(look_at_answered.SCHEDULE, IntervalTrigger)
    assert look_at_answered.SCHEDULE.interval == timedelta(seconds=10)


@EVERY_FOUR
def test_a_conversation_that_a_reply_made_long_enough_is_an_episode_at_once(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(keep(SUMMARY))
    tell_of_the_exam(alex)
    look_at_answered.run(alex.services)
    assert [one.trigger for one in alex.episodes()] == ["count"]


@EVERY_FOUR
def test_one_that_goes_on_is_left(alex: Talk, claude: ClaudeServer) -> None:
    alex.say(EXAM)
    look_at_answered.run(alex.services)
    assert (alex.episodes(), claude.requests) == ([], [])


@EVERY_FOUR
def test_what_was_noted_in_a_process_that_died_is_found_in_the_rows(
    alex: Talk, claude: ClaudeServer, make_services: MakeServices
) -> None:
    claude.queue(keep(SUMMARY))
    tell_of_the_exam(alex)
    after_death = make_services(summariser=alex.services.summariser, just_answered=JustAnswered())
    look_at_answered.run(after_death)
    assert alex.episodes() == []
    summarise_quiet.run(after_death)
    assert [one.trigger for one in alex.episodes()] == ["count"]


@EVERY_FOUR
def test_while_the_model_is_down_nobody_is_asked(alex: Talk, claude: ClaudeServer) -> None:
    tell_of_the_exam(alex)
    with alex.services.transaction() as db:
        outage.note_failure(db, alex.person_id, ModelDown(), alex.clock.now())
    look_at_answered.run(alex.services)
    assert (alex.unsummarised(), claude.requests) == (1, [])


def test_a_correction_that_is_made_for_the_third_time_is_noticed_at_once(weeks: Weeks) -> None:
    assert correct_thrice(weeks) == []
    look_at_answered.run(weeks.services)
    [suggestion] = weeks.suggestions()
    assert suggestion.procedure == "Keep answers short"
    suggest_habits.run(weeks.services)
    assert len(weeks.suggestions()) == 1, "whoever looks again finds it known"


def test_words_that_are_part_of_no_habit_note_nobody(weeks: Weeks) -> None:
    weeks.services.just_answered.take()
    weeks.text("10:00", "My sister's name is Ana")
    assert weeks.services.just_answered.take().people == ()
    weeks.text("10:05", "Weather today?")
    assert weeks.services.just_answered.take().people == (weeks.phone.person_id,)


def test_a_routine_that_comes_by_itself_is_no_wish_of_the_persons(weeks: Weeks, clock: FrozenClock) -> None:
    weeks.text("10:00", "every day at 11 text me the weather")
    weeks.services.just_answered.take()
    assert weeks.look_at("11:00") != []
    noted = weeks.services.just_answered.take()
    assert noted.people == ()
    assert noted.conversations != (), clock.now()


def test_what_nobody_takes_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(just_answered, "AT_MOST", 3)
    answered = JustAnswered()
    for number in (1, 2, 2, 3, 4):
        answered.in_conversation(number)
        answered.by_person(number)
    assert answered.take() == Noted((1, 2, 3), (1, 2, 3))
    assert answered.take() == Noted((), ())

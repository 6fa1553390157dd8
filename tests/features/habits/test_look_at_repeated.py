"""Whoever repeats something is looked at within seconds of the reply."""

import pytest
from sqlalchemy import func
from sqlalchemy.orm import Session

from app import people
from app.features.habits import look_at_repeated, suggest_habits
from app.models import Message, Suggestion
from app.operations import marks
from app.store.postgres import PostgresDatabase
from tests import postgres
from tests.features.habits.weeks import Weeks

QUESTIONS = ("What is a bond?", "How do vaccines work?", "Who was Ada Lovelace?")


def correct_thrice(weeks: Weeks) -> list[Suggestion]:
    """The suggestions once the job has looked at what was noted of the last reply alone."""
    for question in QUESTIONS:
        weeks.services.just_answered.take()
        weeks.text("10:00", question)
        weeks.phone.text("shorter please")
    return weeks.suggestions()


def test_a_correction_that_is_made_for_the_third_time_is_noticed_at_once(weeks: Weeks) -> None:
    assert correct_thrice(weeks) == []
    look_at_repeated.run(weeks.services)
    [suggestion] = weeks.suggestions()
    assert suggestion.procedure == "Keep answers short"
    suggest_habits.run(weeks.services)
    assert len(weeks.suggestions()) == 1, "whoever looks again finds it known"


def test_words_that_are_part_of_no_habit_note_nobody(weeks: Weeks) -> None:
    weeks.services.just_answered.take()
    weeks.text("10:00", "My sister's name is Ana")
    assert weeks.services.just_answered.take() == ()
    weeks.text("10:05", "Weather today?")
    assert weeks.services.just_answered.take() == (weeks.phone.person_id,)


def test_a_routine_that_comes_by_itself_is_no_wish_of_the_persons(weeks: Weeks) -> None:
    weeks.text("10:00", "every day at 11 text me the weather")
    weeks.services.just_answered.take()
    assert weeks.look_at("11:00") != []
    assert weeks.services.just_answered.take() == ()


@pytest.mark.postgres
def test_who_is_kept_after_another_with_a_higher_id_is_looked_at_too(weeks: Weeks) -> None:
    correct_thrice(weeks)
    services, store, alex = weeks.services, weeks.services.store, weeks.phone.person_id
    assert isinstance(store, PostgresDatabase)
    with services.transaction() as db:
        ben = people.add(db, "+12125550177", access="allowed", now=services.clock.now()).id
        marks.put(db, suggest_habits.MARK, services.clock.now(), number=db.query(func.max(Message.id)).scalar())

    def keep(db: Session, person_id: int) -> None:
        of = {"person_id": person_id, "carrier": "phone", "created_at": services.clock.now()}
        db.add(Message(**of, direction="in", state="answered", body="Hi"))
        db.flush()

    def keep_beside() -> None:
        with services.transaction(ben) as db:
            keep(db, ben)

    with services.transaction(alex) as db:
        keep(db, alex)
        postgres.start(keep_beside).join()
        looking = postgres.start(lambda: suggest_habits.run(services))
        postgres.wait_for_a_waiting_writer(store.engine)
    looking.join()
    suggest_habits.run(services)
    assert weeks.states() == ["waiting"]

"""A restore brings back nothing that was refused, ended or forgotten after the backup was made."""

from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import select

from app import memory
from app.delivery.missed import take_in_missed
from app.memory import forgotten
from app.memory.episodes.retelling import forgotten_subjects
from app.models import Occurrence, Person, Routine
from app.people import by_address
from app.routines.schedule import Schedule
from app.services import Services
from app.store import open_database
from tests.cli.conftest import Run, listed_of
from tests.line import Line
from tests.twilio_server import NUMBER, PERSON

pytestmark = pytest.mark.sqlite

BLAIR, CASEY = "+12125550101", "+13105550102"
FILE = "monday.backup"
DONE: tuple[str, ...] = ("restore", FILE, "--replace")


def done(run: Run, *arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def later(line: Line) -> Line:
    """The same installation after a restore: a process anew, on the file that is there now."""
    services = replace(line.services, store=open_database(line.services.settings))
    return Line(services, line.background, line.clock, line.twilio).on(services.store)


def person_of(services: Services, address: str) -> Person:
    with services.reading() as db:
        person = by_address(db, address)
    assert person is not None
    return person


def test_r112_what_was_forgotten_after_the_backup_stays_forgotten_and_an_undo_still_brings_it_back(
    run: Run, alex: str
) -> None:
    for sentence in ("Likes tea", "Has a dog named Max", "Plays the cello"):
        done(run, "facts", "add", sentence, "--person", alex)
    done(run, "backup", FILE)
    done(run, "facts", "forget", "1", "2", "--person", alex)
    assert "1 had something forgotten" in done(run, *DONE)
    assert [fact["fact"] for fact in listed_of("facts", run)] == ["Plays the cello"]
    done(run, "text", "/undo", "--from", alex)
    assert len(listed_of("facts", run)) == 3


def test_r112_a_subject_that_was_forgotten_by_text_is_neither_known_nor_told_after_a_restore(
    line: Line, run: Run
) -> None:
    line.text("My sister Dana lives in Lisbon")
    line.text("I play the cello")
    assert "Lisbon" in done(run, "facts", "list", "--person", PERSON)
    done(run, "backup", FILE)
    line.text("Forget about my sister")
    line.services.close()
    done(run, *DONE)
    assert "Lisbon" not in done(run, "facts", "list", "--person", PERSON)
    line = later(line)
    person = line.person()
    found = memory.recall(line.services, person.id, "my sister Dana")
    assert "Lisbon" not in str(found)
    with line.services.reading() as db:
        assert [said for said, *_ in forgotten_subjects(db, person.id)] == ["my sister"]
    line.services.close()


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about my sister?",
        "Where does Dana live?",
        "What did I tell you about my sister?",
        "What do you know about me?",
        "Who lives in Lisbon?",
    ],
)
def test_r112_the_offline_model_quotes_nothing_after_a_restore_that_was_forgotten_before_it(
    line: Line, run: Run, question: str
) -> None:
    line.text("My sister Dana lives in Lisbon")
    line.text("I play the cello")
    done(run, "backup", FILE)
    line.text("Forget about my sister")
    line.services.close()
    done(run, *DONE)
    line = later(line)
    sent = len(line.went())
    line.text(question, sid="SM" + "7" * 32)
    answers = [text.body for text in line.went()[sent:]]
    assert answers != []
    assert [word for word in ("Lisbon", "Dana lives") if word in " ".join(answers)] == []
    line.text("What do I play?", sid="SM" + "8" * 32)
    assert "cello" in line.went()[-1].body
    line.services.close()


def test_r112_what_was_learned_and_forgotten_after_the_backup_is_not_learned_again_from_what_is_in_it(
    services: Services, run: Run, alex: str
) -> None:
    done(run, "backup", FILE)
    done(run, "facts", "add", "Likes tea", "--person", alex)
    done(run, "facts", "forget", "1", "--person", alex)
    services.close()
    done(run, *DONE)
    assert listed_of("facts", run) == []
    with closing(open_database(services.settings)) as store:
        services = replace(services, store=store)
        person = person_of(services, alex)
        with services.reading() as db:
            gone = [one.fact for one in forgotten.gone(db, person.id)]
    assert gone == ["Likes tea"]


def test_r112_rules_and_routines_that_were_ended_after_the_backup_do_not_come_back(run: Run, alex: str) -> None:
    done(run, "rules", "add", "Answer in Spanish", "--person", alex)
    for words in ("Take the pill", "Water the plants", "Call Dana"):
        done(run, "routines", "add", words, "--at", "09:00", "--repeat", "daily", "--person", alex)
    done(run, "backup", FILE)
    done(run, "rules", "forget", "1", "--person", alex)
    done(run, "routines", "cancel", "1", "--person", alex)
    done(run, "routines", "pause", "2", "--person", alex)
    done(run, *DONE)
    assert listed_of("rules", run) == []
    assert {one["id"]: one["state"] for one in listed_of("routines", run)} == {2: "paused", 3: "active"}


def test_r57_who_opted_out_after_the_backup_stays_out_and_their_words_are_kept(line: Line, run: Run) -> None:
    line.text("Hello")
    done(run, "backup", FILE)
    line.text("Please stop texting me", sid="SM" + "2" * 32)
    line.text("STOP", sender=BLAIR, sid="SM" + "3" * 32)
    line.services.close()
    assert "2 had said something on being texted" in done(run, *DONE)
    line = later(line)
    for number, words in ((PERSON, "Please stop texting me"), (BLAIR, "STOP")):
        assert line.person(number).opted_out_at is not None
        assert words in done(run, "people", "show", number)
    sent = len(line.went())
    line.text("Are you there?", sid="SM" + "4" * 32)
    assert len(line.went()) == sent
    line.text("START", sid="SM" + "5" * 32)
    line.text("And now?", sid="SM" + "6" * 32)
    assert len(line.went()) > sent
    line.services.close()


def test_r57_who_came_back_after_the_backup_is_answered_after_a_restore(line: Line, run: Run) -> None:
    line.text("Hello")
    line.text("STOP", sid="SM" + "2" * 32)
    done(run, "backup", FILE)
    line.text("START", sid="SM" + "3" * 32)
    line.services.close()
    done(run, *DONE)
    line = later(line)
    assert line.person().opted_out_at is None
    line.services.close()


def test_a_number_that_was_blocked_after_the_backup_stays_blocked(run: Run, alex: str) -> None:
    done(run, "backup", FILE)
    done(run, "people", "block", alex)
    done(run, "people", "allow", CASEY)
    done(run, "people", "block", CASEY)
    done(run, *DONE)
    assert {one["number"]: one["access"] for one in listed_of("people", run)} == {alex: "blocked", CASEY: "blocked"}


def test_r57_texts_of_the_time_after_the_backup_are_fetched_and_kept_but_answered_by_nobody_again(
    line: Line, run: Run
) -> None:
    take_in_missed(line.services)
    line.text("Hello")
    done(run, "backup", FILE)
    line.clock.advance(minutes=5)
    line.text("What time is it?", sid="SM" + "2" * 32)
    line.twilio.books.receive("What time is it?", sender=PERSON, to=NUMBER, sid="SM" + "2" * 32)
    stopped = line.twilio.books.receive("STOP", sender=BLAIR, to=NUMBER)
    line.clock.advance(minutes=5)
    line.services.close()
    done(run, *DONE)
    line = later(line)
    sent = len(line.went())
    take_in_missed(line.services)
    line.background.run()
    kept = {text.sid: (text.state, text.note) for text in line.came()}
    assert kept["SM" + "2" * 32][0] == "unanswered"
    assert "restored from a backup" in str(kept["SM" + "2" * 32][1])
    assert stopped in kept
    assert line.person(BLAIR).opted_out_at is not None
    assert len(line.went()) == sent
    line.services.close()


@pytest.mark.parametrize(("repeat", "state"), [("daily", "active"), ("once", "ended")])
def test_r57_a_reminder_that_came_after_the_backup_does_not_come_again(
    services: Services, run: Run, alex: str, repeat: str, state: str
) -> None:
    done(run, "routines", "add", "Take the pill", "--at", "09:00", "--repeat", "daily", "--person", alex)
    due_at = services.clock.now()  # Before the wall clock's now, whenever that is.
    with services.transaction() as db:
        routine = db.scalars(select(Routine)).one()
        routine.next_due_at = due_at
        if repeat == "once":
            routine.schedule = Schedule(repeat="once", instant=due_at).as_dict()
    done(run, "backup", FILE)
    services.close()
    done(run, *DONE)
    with closing(open_database(services.settings)) as store, store.reading() as db:
        routine = db.scalars(select(Routine)).one()
        assert routine.state == state
        assert (routine.next_due_at is None) == (repeat == "once")
        assert routine.next_due_at is None or routine.next_due_at > due_at
        assert db.scalars(select(Occurrence)).all() == []

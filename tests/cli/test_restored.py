"""A restore brings back nothing that was refused, ended or forgotten after the backup was made."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from sqlalchemy import select

from app import memory
from app.delivery import outbox
from app.delivery.ledger import take_in_missed
from app.memory import forgotten
from app.memory.forgotten import forgotten_subjects
from app.models import Occurrence, Routine
from app.people import by_address
from app.routines.schedule import Schedule
from app.services import Services
from app.store import open_database
from tests.cli.conftest import Run
from tests.line import Line
from tests.tables import rows
from tests.twilio_server import NUMBER, PERSON, TOO_MANY

pytestmark = pytest.mark.sqlite

BLAIR, CASEY = "+12125550101", "+13105550102"
SIDS = (f"SM{number:032}" for number in count(1))
Restore = Callable[[Line], Line]


@pytest.fixture
def restore(run: Run) -> Restore:
    """A function that stops the installation, restores the backup, and returns the line with a new process on it."""

    def restore(line: Line) -> Line:
        line.services.close()
        run.printed("restore", "monday.backup", "--replace")
        services = replace(line.services, store=open_database(line.services.settings))
        return Line(services, line.background, line.clock, line.twilio).on(services.store)

    return restore


def back_up(run: Run) -> None:
    run.printed("backup", "monday.backup")


def put_back(run: Run) -> str:
    return run.printed("restore", "monday.backup", "--replace")


def said(line: Line, words: str, **more: str) -> list[str]:
    """The replies to a text."""
    before = len(line.went())
    line.text(words, sid=next(SIDS), **more)
    return [text.body for text in line.went()[before:]]


def test_r112_what_was_forgotten_after_the_backup_stays_so_and_an_undo_brings_it_back(run: Run, alex: str) -> None:
    for sentence in ("Likes tea", "Has a dog named Max", "Plays the cello"):
        run.printed("facts", "add", sentence, "--person", alex)
    back_up(run)
    run.printed("facts", "forget", "1", "2", "--person", alex)
    assert "0 had consented, opted out or been blocked, and 1 had something forgotten: both hold." in put_back(run)
    assert [fact["fact"] for fact in run.json("facts", "list")] == ["Plays the cello"]
    run.printed("text", "/undo", "--from", alex)
    assert len(run.json("facts", "list")) == 3


def test_r112_a_subject_forgotten_by_text_is_unknown_after_a_restore(line: Line, run: Run, restore: Restore) -> None:
    said(line, "My sister Dana lives in Lisbon")
    said(line, "I play the cello")
    assert "Lisbon" in run.printed("facts", "list", "--person", PERSON)
    back_up(run)
    said(line, "Forget about my sister")
    line = restore(line)
    assert "Lisbon" not in run.printed("facts", "list", "--person", PERSON)
    person = line.person()
    assert "Lisbon" not in str(memory.recall(line.services, person.id, "my sister Dana"))
    with line.services.reading() as db:
        assert [one for one, *_ in forgotten_subjects(db, person.id)] == ["my sister"]
    for question in rows("asked_after_a_restore.txt"):
        answers = said(line, question)
        assert answers != []
        assert [word for word in ("Lisbon", "Dana lives") if word in " ".join(answers)] == [], question
    assert "cello" in said(line, "What do I play?")[-1]
    line.services.close()


def test_r112_what_was_learned_and_forgotten_after_the_backup_is_not_learned_again_from_what_is_in_it(
    services: Services, run: Run, alex: str
) -> None:
    back_up(run)
    run.printed("facts", "add", "Likes tea", "--person", alex)
    run.printed("facts", "forget", "1", "--person", alex)
    services.close()
    put_back(run)
    assert run.json("facts", "list") == []
    with closing(open_database(services.settings)) as store, store.reading() as db:
        person = by_address(db, alex)
        assert person is not None
        assert [one.fact for one in forgotten.forgotten_things(db, person.id)] == ["Likes tea"]


def test_r112_rules_and_routines_ended_and_a_number_blocked_after_the_backup_stay_so(run: Run, alex: str) -> None:
    run.printed("rules", "add", "Answer in Spanish", "--person", alex)
    for words in ("Take the pill", "Water the plants", "Call Dana"):
        run.printed("routines", "add", words, "--at", "09:00", "--repeat", "daily", "--person", alex)
    back_up(run)
    run.printed("rules", "forget", "1", "--person", alex)
    run.printed("routines", "cancel", "1", "--person", alex)
    run.printed("routines", "pause", "2", "--person", alex)
    run.printed("people", "allow", CASEY)
    for number in (alex, CASEY):
        run.printed("people", "block", number)
    put_back(run)
    assert run.json("rules", "list") == []
    assert {one["id"]: one["state"] for one in run.json("routines", "list")} == {2: "paused", 3: "active"}
    assert {one["number"]: one["access"] for one in run.json("people", "list")} == {alex: "blocked", CASEY: "blocked"}


def test_r57_who_opted_out_after_the_backup_stays_out_with_their_words_and_who_came_back_is_answered(
    line: Line, run: Run, restore: Restore
) -> None:
    said(line, "Hello")
    said(line, "STOP", sender=CASEY)
    back_up(run)
    said(line, "Please stop texting me")
    said(line, "STOP", sender=BLAIR)
    said(line, "START", sender=CASEY)
    said(line, "stop it", sender=CASEY)
    with line.services.transaction() as db:  # A notice that no turn has made does not count as a reply.
        outbox.queue(db, line.person(CASEY).id, None, "twilio", ["Too fast."], line.clock.now(), purpose="notice")
    line = restore(restore(line))
    assert (line.person(CASEY).opted_out_at, "last one" in said(line, "all of it", sender=CASEY)[0]) == (None, True)
    for number, words in ((PERSON, "Please stop texting me"), (BLAIR, "STOP")):
        assert line.person(number).opted_out_at is not None
        assert words in run.printed("people", "show", number)
    assert said(line, "Are you there?") == []
    assert said(line, "START") + said(line, "And now?") != []
    line.services.close()


def test_r57_texts_since_the_backup_are_fetched_and_not_answered_again(line: Line, run: Run, restore: Restore) -> None:
    take_in_missed(line.services)
    said(line, "Hello")
    back_up(run)
    line.clock.advance(minutes=5)
    sid = next(SIDS)
    line.text("What time is it?", sid=sid)
    line.twilio.ledger.receive("What time is it?", sender=PERSON, to=NUMBER, sid=sid)
    stopped = line.twilio.ledger.receive("STOP", sender=BLAIR, to=NUMBER)
    line.clock.advance(minutes=5)
    line = restore(line)
    sent = len(line.went())
    take_in_missed(line.services)
    line.background.run()
    kept = {text.sid: (text.state, text.note) for text in line.came()}
    assert kept[sid][0] == "unanswered"
    assert "restored from a backup" in str(kept[sid][1])
    assert stopped in kept
    assert line.person(BLAIR).opted_out_at is not None
    assert len(line.went()) == sent
    line.services.close()


@pytest.mark.parametrize(("repeat", "state"), [("daily", "active"), ("once", "ended")])
def test_r57_what_came_since_it_is_past(services: Services, run: Run, alex: str, repeat: str, state: str) -> None:
    run.printed("routines", "add", "Take the pill", "--at", "09:00", "--repeat", "daily", "--person", alex)
    due_at = services.clock.now()  # Before the wall clock's now, whenever that is.
    with services.transaction() as db:
        routine = db.scalars(select(Routine)).one()
        routine.next_due_at = due_at
        if repeat == "once":
            routine.schedule = Schedule(repeat="once", instant=due_at).as_dict()
    back_up(run)
    services.close()
    put_back(run)
    with closing(open_database(services.settings)) as store, store.reading() as db:
        routine = db.scalars(select(Routine)).one()
        assert routine.state == state
        assert (routine.next_due_at is None) == (repeat == "once")
        assert routine.next_due_at is None or routine.next_due_at > due_at
        assert db.scalars(select(Occurrence)).all() == []


@pytest.mark.parametrize("since", [["/memory forget name", "Call me Sam"], ["Call me Sam", "Forget about Alexandra"]])
def test_a_name_forgotten_since_stays_so_though_another_was_told(
    line: Line, run: Run, restore: Restore, since: list[str]
) -> None:
    said(line, "My name is Alexandra")
    back_up(run)
    for words in since:
        said(line, words)
    restore(line).services.close()
    assert run.json("people", "show", PERSON)["name"] is None


def test_who_moved_since_is_reminded_by_the_clock_where_they_are(line: Line, run: Run, restore: Restore) -> None:
    line.clock.set_back(days=3650)  # Before the wall clock's now, whenever that is.
    said(line, "My time zone is Pacific/Pago_Pago")
    today = run.json("routines", "add", "Call Dana", "--in", "1")["next_due_at"][:10]
    run.printed("routines", "add", "Call Dana", "--at", "13:30", "--on", today)
    said(line, "My time zone is Pacific/Kiritimati")  # There that was yesterday, at half past eleven of UTC.
    back_up(run)
    said(line, "My time zone is Pacific/Pago_Pago")
    restore(line).services.close()
    assert run.json("routines", "list")[-1]["next_due_at"][11:16] == "00:30", "13:30 in Pago Pago, still to come"
    assert "again Pacific/Kiritimati" in run.printed("text", "/undo", "--from", PERSON)


def test_texts_that_wait_in_the_replaced_database_are_answered_once(line: Line, run: Run, restore: Restore) -> None:
    said(line, "Hello")
    line.bring("Is it late?", sender=CASEY, sid="SM" + "8" * 32)
    back_up(run)
    line.background.woken.clear()
    said(line, "/memory off")
    line.bring("My sister lives in Lisbon", sid=next(SIDS))
    line.bring("Hi there", sender=BLAIR, sid="SM" + "9" * 32, NumMedia="1", MediaUrl0="https://api.twilio.com/x")
    before = len(line.went())
    line = restore(restore(line))
    line.sweep(minutes=1)
    assert sorted(text.to for text in line.twilio.accepted[before:]) == sorted([PERSON, BLAIR, CASEY])
    assert "Lisbon" not in run.printed("facts", "list", "--person", PERSON)
    line.services.close()


@pytest.mark.parametrize("backed_up", ["before the text", "before its answer", "with its answer"])
def test_a_reply_that_never_went_out_comes_after_a_restore(
    backed_up: str, line: Line, run: Run, restore: Restore
) -> None:
    if backed_up == "before the text":
        back_up(run)
    line.bring("Hello", sid=next(SIDS))
    if backed_up == "before its answer":
        back_up(run)
    line.twilio.next_faults = [TOO_MANY]
    line.background.run(within_seconds=0)
    assert (line.states(), line.twilio.accepted) == (["queued"], [])
    if backed_up == "with its answer":
        back_up(run)
    line.background.later.clear()
    line = restore(line)
    line.sweep(minutes=1)
    assert [text.to for text in line.twilio.accepted] == [PERSON]
    assert line.alerts() == []
    line.services.close()


def test_an_undo_whose_reply_never_went_out_is_not_done_again(line: Line, run: Run, restore: Restore) -> None:
    said(line, "I like tea")
    back_up(run)
    line.bring("/undo", sid=next(SIDS))
    line.twilio.next_faults = [TOO_MANY]
    line.background.run(within_seconds=0)
    line.background.later.clear()
    line = restore(line)
    line.sweep(minutes=1)
    assert len(line.twilio.accepted) == 1
    assert run.printed("facts", "list", "--person", PERSON) == "", "Twice undone, it would be known again."
    line.services.close()

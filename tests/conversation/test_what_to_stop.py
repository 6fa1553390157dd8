"""A person who wants something to stop without saying what is asked; until they answer, nothing comes unasked."""

import pytest

from app.conversation.turn import answer
from app.delivery import outbox
from app.jobs import tell_of_outage
from app.text import kind_words, sms_text
from tests.claude_server import ClaudeServer, overloaded, say
from tests.fakes import FrozenClock
from tests.faults.outages import pass_time
from tests.memory.remembering import add_person
from tests.phoning import ALEX, Phone
from tests.routines.routine_line import Coming

UNCLEAR = "leave me alone, I had a terrible day"
HOURLY = {"repeat": "hourly", "from_time": "08:00", "to_time": "20:00"}


@pytest.fixture
def coming(alex: Phone, claude: ClaudeServer) -> Coming:
    """Alex, a known person with reminders, at nine in the morning."""
    add_person(alex.services, ALEX)
    return Coming(alex)


def is_asked(phone: Phone) -> bool:
    return phone.person().stop_text_id is not None


def test_the_question_is_one_sentence_of_one_segment_that_names_stop() -> None:
    assert sms_text.segments(kind_words.WHAT_TO_STOP) == 1
    assert kind_words.WHAT_TO_STOP.count("?") == 1
    assert kind_words.WHAT_TO_STOP.endswith("?")
    assert "text STOP" in kind_words.WHAT_TO_STOP


@pytest.mark.parametrize("body", [UNCLEAR, "how do I unsubscribe", "stop everything", "can you stop?", "cancela todo"])
def test_an_unclear_wish_gets_the_question_without_the_model(body: str, alex: Phone, claude: ClaudeServer) -> None:
    assert alex.text(body) == [kind_words.WHAT_TO_STOP]
    assert claude.requests == []
    assert is_asked(alex)
    assert alex.person().opted_out_at is None
    assert [turn.outcome for turn in alex.turns()] == ["asked_what_to_stop"]
    assert [message.state for message in alex.messages("in")] == ["answered"]


@pytest.mark.parametrize("body", ["yes stop all", "Yes", "everything", "stop it", "sí, todo", "please stop texting me"])
def test_an_answer_that_means_all_ends_all_texts_at_once(body: str, alex: Phone, claude: ClaudeServer) -> None:
    alex.text("ugh stop it")
    assert alex.text(body) == [kind_words.FAREWELL]
    assert alex.person().opted_out_at is not None
    assert not is_asked(alex)
    assert claude.requests == []


@pytest.mark.parametrize("body", ["just the reminders", "no, keep going", "What's the weather?", "all good"])
def test_any_other_text_settles_it_and_the_model_sees_it(body: str, alex: Phone, claude: ClaudeServer) -> None:
    alex.text(UNCLEAR)
    claude.queue(say("All right."))
    assert alex.text(body) == ["All right."]
    assert not is_asked(alex)
    assert alex.person().opted_out_at is None
    shown = str(claude.requests[-1]["messages"])
    assert kind_words.WHAT_TO_STOP in shown
    assert UNCLEAR in shown
    claude.queue(say("Yes?"))
    assert alex.text("yes") == ["Yes?"]


def test_a_command_stop_and_start_settle_it_and_help_does_not(alex: Phone) -> None:
    alex.text("cancel everything")
    assert alex.text("/routines") != []
    assert not is_asked(alex)
    alex.text("cancel everything")
    assert alex.text("HELP") == []
    assert is_asked(alex)
    assert alex.text("START") == []
    assert not is_asked(alex)
    alex.text("cancel everything")
    assert alex.text("STOP") == []
    assert not is_asked(alex)
    assert alex.person().opted_out_at is not None


def test_a_text_under_way_is_answered_and_settles_none(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.queue(overloaded(), overloaded(), overloaded())
    alex.send("What is the capital of Peru?")
    answer(alex.services, alex.person_id)
    alex.send("stop everything")
    claude.queue(say("Lima."))
    pass_time(alex, clock, minutes=3)
    assert alex.received() == ["Lima.", kind_words.WHAT_TO_STOP]
    assert is_asked(alex)


def test_no_routine_comes_until_the_answer_and_then_they_go_on(coming: Coming, claude: ClaudeServer) -> None:
    coming.remind("drink", **HOURLY)
    assert coming.pass_time(hours=1) == ["Reminder: drink"]
    coming.phone.text("enough for today")
    assert [text for _ in range(4) for text in coming.pass_time(minutes=30)] == []
    assert {one.reason for one in coming.occurrences() if one.state != "sent"} == {
        "They were asked what is to stop, and have not said."
    }
    claude.queue(say("I go on."))
    coming.phone.text("no, keep going")
    assert [text for _ in range(4) for text in coming.pass_time(minutes=30)].count("Reminder: drink") >= 2


def test_a_queued_text_of_a_routine_waits_for_it(coming: Coming, claude: ClaudeServer, clock: FrozenClock) -> None:
    phone = coming.phone
    phone.send("stop everything")
    with phone.services.transaction() as db:
        outbox.queue(db, phone.person_id, None, "phone", ["Reminder: pills"], clock.now(), purpose="routine")
    phone.background.run()
    assert phone.received() == [kind_words.WHAT_TO_STOP]
    claude.queue(say("I go on."))
    phone.text("no, keep going")
    assert set(phone.received()) == {kind_words.WHAT_TO_STOP, "I go on.", "Reminder: pills"}


def test_no_outage_notice_comes_until_the_answer(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.otherwise = overloaded()
    alex.text("Hello")
    alex.send("stop everything")
    pass_time(alex, clock, minutes=10)
    tell_of_outage.run(alex.services)
    alex.background.run(within_seconds=0)
    assert kind_words.MODEL_DOWN not in [one.body for one in alex.messages("out")]

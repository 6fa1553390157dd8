"""What becomes of a text when it comes in: kept once, sorted, and nobody texted who should not be."""

import threading

import pytest
from sqlalchemy import func, select

from app import people
from app.delivery.inbox import IncomingText, take_in
from app.errors import DatabaseError
from app.models import Message, Person
from app.services import Services
from app.text import kind_words
from tests.claude_server import ClaudeServer, say
from tests.fakes import InlineBackground
from tests.phoning import ALEX, Phone
from tests.twilio_server import ALLOWLIST

with_allowlist = pytest.mark.parametrize("settings", [ALLOWLIST], indirect=True)


def count(services: Services, *where: object) -> int:
    with services.reading() as db:
        return db.scalar(select(func.count()).select_from(Message).where(*where)) or 0  # type: ignore[arg-type]


def test_r1_the_same_text_brought_twice_is_one_message_and_one_answer(
    alex: Phone, claude: ClaudeServer, background: InlineBackground
) -> None:
    claude.queue(say("Once."))
    sid = alex.send("Hello")
    alex.send("Hello", sid=sid)
    background.run()
    alex.send("Hello", sid=sid)
    background.run()
    assert alex.received() == ["Once."]
    assert len(alex.messages("in")) == 1


def test_r1_the_same_text_brought_twenty_times_at_once_is_one_message(alex: Phone) -> None:
    text = IncomingText("SM" + "a" * 32, ALEX, "keepsake", "Hello", "phone")
    threads = [threading.Thread(target=take_in, args=(alex.services, text)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(alex.services) == 1


def test_texts_that_come_at_once_from_many_people_are_all_kept(alex: Phone) -> None:
    texts = [IncomingText(f"SM{n:032x}", f"+1206555{n:04d}", "keepsake", f"Text {n}", "phone") for n in range(40)]
    threads = [threading.Thread(target=take_in, args=(alex.services, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(alex.services, Message.state == "waiting") == 40


def test_r4_a_text_that_cannot_be_kept_is_an_error_to_the_carrier_and_leaves_nothing(alex: Phone) -> None:
    alex.send("Hello")
    with pytest.raises(DatabaseError), alex.services.transaction():
        # The writer's turn is taken in this very thread: waiting for it would be for ever, so it is refused at once.
        raise DatabaseError("taken")
    assert count(alex.services) == 1


def test_r14_a_text_from_our_own_number_is_kept_and_never_answered(alex: Phone, background: InlineBackground) -> None:
    take_in(alex.services, IncomingText("SM" + "b" * 32, ALEX, ALEX, "Hello", "phone"))
    assert background.woken == []
    assert count(alex.services, Message.state == "unanswered") == 1


@pytest.mark.parametrize("sender", ["72975", "GOOGLE", "Your Bank", "rcs:acme_agent", "messenger:acme"])
def test_r14_a_text_from_a_machine_is_kept_and_never_answered(
    sender: str, alex: Phone, background: InlineBackground
) -> None:
    take_in(alex.services, IncomingText("SM" + "c" * 32, sender, "keepsake", "Your code is 123456", "phone"))
    assert background.woken == []
    assert count(alex.services, Message.state == "unanswered") == 1


@pytest.mark.parametrize("sender", ["whatsapp:+12065550100", "rcs:+12065550100", "messenger:1234567890123456"])
def test_a_person_on_another_channel_is_answered_there_and_is_somebody_else_than_by_sms(
    sender: str, alex: Phone, background: InlineBackground, claude: ClaudeServer
) -> None:
    claude.queue(say("Hello by SMS."), say("Hello there."))
    alex.text("Hi")
    elsewhere = Phone(alex.services, background, sender)
    assert elsewhere.text("Hi") == ["Hello there."]
    assert elsewhere.person_id != alex.person_id
    assert alex.received() == ["Hello by SMS."]


@pytest.mark.parametrize(
    "body", ["\U0001f600" * 800, "שלום עולם", "e\u0301", "\u200d\u200d", "   ", "\t\n", "x" * 1600]
)
def test_r16_a_strange_body_is_stored_as_it_came(body: str, alex: Phone) -> None:
    alex.send(body)
    assert [message.body for message in alex.messages("in")] == [body]


def test_r16_what_no_database_keeps_is_marked_unreadable(alex: Phone) -> None:
    alex.send("a\0b")
    assert [message.body for message in alex.messages("in")] == ["a\ufffdb"]


@pytest.mark.parametrize("word", ["STOP", "stop", " Stop ", "STOP.", "Unsubscribe", "CANCEL", "end", "Quit", "OPTOUT"])
def test_stop_is_recorded_never_answered_and_never_sent_to_the_model(
    word: str, alex: Phone, claude: ClaudeServer
) -> None:
    assert alex.text(word) == []
    assert alex.text("Hello?") == []
    assert claude.requests == []
    with alex.services.reading() as db:
        person = people.by_address(db, ALEX)
        assert person is not None
        assert person.opted_out_at == alex.services.clock.now()


def test_start_opens_the_way_back(alex: Phone, claude: ClaudeServer) -> None:
    alex.text("STOP")
    assert alex.text("START") == []
    claude.queue(say("Welcome back."))
    assert alex.text("Hello") == ["Welcome back."]


def test_yes_is_start_only_for_somebody_who_has_opted_out(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Good."))
    assert alex.text("yes") == ["Good."]
    alex.text("STOP")
    assert alex.text("Yes") == []
    claude.queue(say("Hello again."))
    assert alex.text("hi") == ["Hello again."]


def test_help_is_left_to_the_carrier(alex: Phone, claude: ClaudeServer) -> None:
    assert alex.text("HELP") == []
    assert claude.requests == []


def test_what_waited_is_not_answered_after_stop(alex: Phone, background: InlineBackground) -> None:
    alex.send("Hello")
    alex.send("STOP")
    background.run()
    assert alex.messages("out") == []
    assert [message.state for message in alex.messages("in")] == ["unanswered", "unanswered"]


def test_a_word_of_the_carrier_within_a_sentence_is_an_ordinary_text(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Sure."))
    assert alex.text("stop talking about the dog") == ["Sure."]


@with_allowlist
def test_r99_an_unknown_number_is_told_once_to_wait_and_costs_no_model_call(alex: Phone, claude: ClaudeServer) -> None:
    for number in range(20):  # No Twilio carries it here; the row is what counts.
        alex.text(f"Hello {number}", carrier="twilio")
    assert [message.body for message in alex.messages("out")] == [kind_words.PLEASE_WAIT]
    assert {message.state for message in alex.messages("in")} == {"held"}
    assert claude.requests == []


@with_allowlist
def test_what_was_texted_while_waiting_is_answered_once_the_operator_lets_the_person_in(
    alex: Phone, claude: ClaudeServer, background: InlineBackground
) -> None:
    alex.send("Hello", carrier="twilio")
    alex.send("Anybody there?", carrier="twilio")
    claude.queue(say("Yes, I am here."))
    people.let_in(alex.services, alex.person_id)
    background.run()
    assert [message.body for message in alex.messages("out")] == [kind_words.PLEASE_WAIT, "Yes, I am here."]


@with_allowlist
def test_a_blocked_number_is_kept_and_never_answered(alex: Phone, background: InlineBackground) -> None:
    alex.send("Hello", carrier="twilio")
    people.block(alex.services, alex.person_id)
    alex.send("Hello?", carrier="twilio")
    assert {message.state for message in alex.messages("in")} == {"unanswered"}


@with_allowlist
def test_the_phone_page_needs_no_letting_in(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Hi."))
    assert alex.text("Hello") == ["Hi."]


def test_a_new_person_has_a_key_that_tells_nothing_and_a_zone_from_the_number(alex: Phone) -> None:
    alex.send("Hello")
    with alex.services.reading() as db:
        person = db.scalars(select(Person)).one()
    assert (person.timezone, person.timezone_source) == ("America/Los_Angeles", "guessed")
    assert len(person.key) == 32
    assert ALEX.removeprefix("+") not in person.key


def test_r9_a_start_brought_again_after_a_later_stop_changes_nothing(alex: Phone) -> None:
    start = alex.send("START")
    alex.text("STOP")
    alex.send("START", sid=start)
    with alex.services.reading() as db:
        person = people.by_address(db, ALEX)
        assert person is not None
        assert person.opted_out_at is not None


def test_r16_a_lone_surrogate_is_marked_unreadable(alex: Phone) -> None:
    alex.send("a\ud800b")
    assert [message.body for message in alex.messages("in")] == ["a\ufffdb"]

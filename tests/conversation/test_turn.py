"""One text from the inbox to the answer on the phone, with the real SDK against a stand-in for Claude."""

from datetime import datetime

import pytest

from app.clients.claude import ClaudeModel
from app.conversation.turn import run_turn
from app.errors import Refused
from app.services import Services
from app.store.db import Database
from app.text import kind_words
from tests.asked_of_claude import conversation, words
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock, InlineBackground
from tests.line import Line
from tests.phoning import ALEX, DyingAfter, Killed, Phone
from tests.twilio_server import TOO_MANY, TwilioServer


def test_texts_sent_in_a_burst_are_one_turn_and_the_time_stands_before_them(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Lovely."))
    assert alex.text("I have a dog", "named Max", "he is five") == ["Lovely."]
    now = "<now>Saturday 21 November 2026, 09:00 (America/Los_Angeles)</now>"
    assert words(claude.requests[0]["messages"][-1]) == f"{now}\nI have a dog\nnamed Max\nhe is five"
    newest = claude.requests[0]["messages"][-1]["content"][-1]["text"]
    assert newest.startswith('<text at="Sat 21 Nov 09:00">I have a dog</text>')


def test_the_history_is_the_last_50_messages(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(*(say(f"answer {number}") for number in range(31)))
    for number in range(31):
        alex.text(f"text {number}")
    history = conversation(claude.requests[-1])
    assert len(history) == 50
    assert history[0] == ("user", "text 5")


def test_a_command_within_a_burst_has_a_turn_of_its_own(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Hello"), say("Bye"))
    answers = alex.text("hi", "/help", "bye")
    assert answers[0] == "Hello"
    assert answers[1].startswith("Text me like a friend")
    assert answers[2] == "Bye"


def test_no_transaction_is_open_while_the_model_thinks(alex: Phone, claude: ClaudeServer, database: Database) -> None:
    found: list[int] = []

    def look(_: dict[str, object]) -> Reply:
        with database.transaction():  # Would wait and fail if one were open.
            found.append(database.engine.pool.checkedout())  # type: ignore[attr-defined]
        return say("Hi")

    claude.queue(look)
    assert alex.text("Hello") == ["Hi"]
    assert found == [1]  # The writer's own; nobody is reading.


def test_a_part_that_is_ready_is_sent_before_the_model_is_asked_for_the_next_answer(
    live: Line, claude: ClaudeServer, twilio: TwilioServer, clock: FrozenClock
) -> None:
    alex = Phone(live.services, live.background)
    long = " ".join(f"word{number}" for number in range(300))
    sent_by_then: list[str] = []

    def look(_: dict[str, object]) -> Reply:
        sent_by_then.extend(twilio.bodies)
        return say("Another.")

    claude.queue(say(long), look)
    twilio.before_answering = lambda _: twilio.next_faults.append(TOO_MANY)  # For the second part.
    alex.send("Tell me a story", carrier="twilio")
    live.background.run(within_seconds=0.1)
    assert len(twilio.bodies) == 1
    twilio.before_answering = lambda _: None
    clock.advance(seconds=10)
    alex.text("And another", carrier="twilio")
    assert " ".join(sent_by_then) == long
    assert " ".join(twilio.bodies) == f"{long} Another."


def kill_in_mid_turn(phone: Phone, make_services: MakeServices, *, after: str | None = None) -> None:
    """Run until the model is asked, or until the command has done its work, and stop there as if killed."""

    class DyingClock(FrozenClock):
        def now(self) -> datetime:
            if after is not None and after in phone.work_done():
                raise Killed
            return super().now()

    make_services(model=DyingAfter(phone.services.model, 0), clock=DyingClock(phone.services.clock.now()))
    with pytest.raises(Killed):
        phone.background.run()
    make_services(model=phone.services.model)


def test_the_terminal_gets_the_answer_to_its_own_text_though_a_dead_process_left_another(
    alex: Phone, claude: ClaudeServer, make_services: MakeServices, background: InlineBackground
) -> None:
    alex.send("My dog is called Max")
    kill_in_mid_turn(alex, make_services)
    claude.queue(say("Nice dog."), say("Four."))
    assert run_turn(alex.services, ALEX, "What is 2+2?").text == "Four."
    background.wake(alex.person_id)
    background.run()
    assert [message.body for message in alex.messages("out") if message.carrier == "phone"] == ["Nice dog."]


@pytest.mark.parametrize(
    ("command", "work", "reply", "left"),
    [
        ("/undo", "undo", "Undone: no longer remembered: Likes rain.", ["Likes tea"]),
        ("/memory forget 1", "forget", "Forgotten: Likes tea. /undo brings it back.", ["Likes rain"]),
    ],
)
def test_r44_a_command_whose_process_dies_before_it_is_answered_does_its_work_once_and_tells_it(
    command: str, work: str, reply: str, left: list[str], alex: Phone, claude: ClaudeServer, make_services: MakeServices
) -> None:
    for fact in ("Likes tea", "Likes rain"):
        claude.queue(call("extract_memory", {"facts": [{"fact": fact}]}), say("I'll remember."))
        alex.text(fact.replace("Likes", "I like"))
    alex.send(command)
    kill_in_mid_turn(alex, make_services, after=work)
    alex.background.wake(alex.person_id)
    alex.background.run()
    assert alex.received()[-1] == reply
    assert alex.facts() == left


def test_the_terminal_heeds_the_carriers_words_and_an_opt_out(claude_services: Services, claude: ClaudeServer) -> None:
    with pytest.raises(Refused, match="never answered: STOP"):
        run_turn(claude_services, ALEX, "STOP")
    with pytest.raises(Refused, match="only START opens the way back"):
        run_turn(claude_services, ALEX, "Hello?")
    with pytest.raises(Refused, match="START"):
        run_turn(claude_services, ALEX, "start")
    claude.queue(say("Hello again."))
    assert run_turn(claude_services, ALEX, "Hello").text == "Hello again."


def test_without_a_feature_that_reads_files_a_picture_gets_a_plain_sentence_and_words_are_answered(
    make_services: MakeServices, claude_model: ClaudeModel, claude: ClaudeServer, background: InlineBackground
) -> None:
    alex = Phone(make_services(model=claude_model, features=()), background)
    claude.queue(say("Nice."), say("Sure."))
    alex.send_files("", ("https://api.twilio.com/x", "image/jpeg"))
    background.run()
    alex.send_files("My dog", ("https://api.twilio.com/x", "image/jpeg"))
    background.run()
    alex.text("Really?")
    assert alex.received() == [kind_words.NO_EYES, "Nice.", "Sure."]
    assert "My dog\n[sent a file]" in str(claude.requests[-1]["messages"]).replace("\\n", "\n")

"""A person who wants no more texts gets none, with Twilio's stand-in and Claude's real client."""

from typing import Any

import pytest
from sqlalchemy import select

from app.delivery import outbox
from app.models import Turn
from app.people import consents
from app.text import kind_words
from tests.asked_of_claude import memory_shown
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.line import Line
from tests.twilio_server import PERSON

COFFEE = {"facts": [{"fact": "Likes black coffee"}]}


@pytest.fixture
def talk(line_to_claude: Line) -> Line:
    return line_to_claude


def said(line: Line) -> list[tuple[bool, str, str | None]]:
    with line.services.reading() as db:
        return [(one.agrees, one.how, one.words) for one in consents.of(db, line.person().id)]


def queue(line: Line, words: str, **more: Any) -> None:
    """Something for the person that is about to be sent, as a routine's text is."""
    with line.services.transaction() as db:
        outbox.queue(db, line.person().id, None, "twilio", [words], line.clock.now(), **more)


@pytest.mark.parametrize(
    ("body", "opt_out_type", "how", "answers"),
    [
        ("stop", None, "carrier_word", []),
        ("Cancel", None, "carrier_word", []),
        ("ARR\u00caT", "STOP", "carrier_word", []),
        ("No m\u00e1s mensajes", None, "own_words", [kind_words.FAREWELL]),
        ("please quit texting me", None, "own_words", [kind_words.FAREWELL]),
    ],
)
def test_r27_an_opt_out_is_recorded_without_the_model_and_ends_all_that_was_to_be_sent(
    body: str, opt_out_type: str | None, how: str, answers: list[str], talk: Line, claude: ClaudeServer
) -> None:
    talk.bring("Hello")
    queue(talk, "Time for your pills", purpose="routine")
    talk.bring(body, **({"OptOutType": opt_out_type} if opt_out_type else {}))
    talk.background.run()
    talk.text("Are you there?")
    queue(talk, "Time for your walk", purpose="routine")
    talk.background.wake(talk.person().id)
    talk.background.run()
    assert talk.twilio.bodies == answers
    assert claude.requests == []
    assert talk.person().opted_out_at == talk.clock.now()
    assert said(talk) == [(True, "texted_first", "Hello"), (False, how, body)]
    assert {message.state for message in talk.came()} == {"unanswered"}
    routines = [message for message in talk.went() if message.purpose == "routine"]
    assert [(message.state, message.note) for message in routines] == [("refused", "The person opted out.")] * 2


@pytest.mark.parametrize("body", ["STOP", "please stop texting me"])
def test_r27_start_restores_and_nothing_of_before_comes_after(body: str, talk: Line, claude: ClaudeServer) -> None:
    talk.bring("Hello")
    queue(talk, "Time for your pills", purpose="routine")
    talk.text(body)
    talk.text("start texting me again")
    talk.text("START")
    claude.queue(say("Welcome back."))
    talk.text("Hi")
    assert talk.twilio.bodies[-1] == "Welcome back."
    assert len(claude.requests) == 1
    assert not {"Time for your pills"} & set(talk.twilio.bodies)
    assert said(talk)[-1] == (True, "carrier_word", "START")
    assert talk.person().opted_out_at is None


def test_r27_yes_comes_back_from_the_carriers_opt_out_and_not_from_own_words(talk: Line) -> None:
    talk.text("STOP")
    talk.text("Yes")
    assert talk.person().opted_out_at is None
    talk.text("leave me alone")
    talk.text("Yes")
    assert talk.person().opted_out_at is not None


@pytest.mark.parametrize("code", [21610, 30004])
def test_r27_a_number_that_twilio_refuses_as_opted_out_gets_nothing_more(
    code: int, talk: Line, claude: ClaudeServer
) -> None:
    claude.queue(say("Hi."))
    talk.twilio.account.refused_numbers[PERSON] = code
    for words in ("Hello", "Are you there?"):
        talk.text(words)
        assert (talk.twilio.bodies, talk.twilio.calls, len(claude.requests)) == ([], 1, 1)
        assert talk.person().opted_out_at == talk.clock.now()
    [refused] = talk.went()
    assert (refused.state, refused.carrier_code) == ("refused", code)
    with talk.services.reading() as db:
        [_, consent] = consents.of(db, talk.person().id)
    assert (consent.agrees, consent.how, consent.message_id) == (False, "carrier_refusal", refused.id)
    talk.twilio.account.refused_numbers.clear()
    talk.text("START")
    claude.queue(say("Welcome back."))
    talk.text("Hi")
    assert talk.twilio.bodies == ["Welcome back."]


def test_r27_what_only_sounds_like_an_opt_out_is_answered(talk: Line, claude: ClaudeServer) -> None:
    bodies = ["stop reminding me about the gym", "don't text me before 9", "my boss won't stop texting me"]
    claude.queue(*(say(f"About that {number}") for number, _ in enumerate(bodies)))
    for body in bodies:
        talk.text(body)
    assert talk.twilio.bodies == ["About that 0", "About that 1", "About that 2"]
    assert talk.person().opted_out_at is None


@pytest.mark.parametrize(("body", "answers"), [("STOP", []), ("stop texting me", [kind_words.FAREWELL])])
def test_r28_an_opt_out_while_the_reply_is_produced_ends_the_turn_and_nothing_of_it_has_an_effect(
    body: str, answers: list[str], talk: Line, claude: ClaudeServer
) -> None:
    def opted_out_meanwhile(_: dict[str, Any]) -> Reply:
        talk.bring(body)
        return call("extract_memory", COFFEE)

    claude.queue(opted_out_meanwhile)
    talk.text("I like black coffee")
    assert talk.twilio.bodies == answers
    assert len(claude.requests) == 1
    with talk.services.reading() as db:
        turn = db.scalars(select(Turn)).one()
    assert (turn.state, turn.outcome) == ("done", "opted_out")
    assert {message.state for message in talk.came()} == {"unanswered"}
    claude.queue(say("Nothing yet."))
    talk.text("START")
    talk.text("What do you know about me?")
    assert "black coffee" not in memory_shown(claude.requests[-1])
    assert talk.twilio.bodies == [*answers, "Nothing yet."]


@pytest.mark.parametrize("word", ["cancel", "end", "Quit", "revoke"])
def test_r29_a_carriers_word_is_shown_to_operators_not_answered(word: str, talk: Line, claude: ClaudeServer) -> None:
    claude.queue(say("Which reminder shall I drop?"))
    talk.text("Drop a reminder")
    talk.text(word)
    talk.text("the gym one")
    assert talk.twilio.bodies == ["Which reminder shall I drop?"]
    assert len(claude.requests) == 1
    assert talk.person().opted_out_at is not None
    notes = [message.note for message in talk.came()]
    assert notes[1] == (
        "A carrier's word, recorded and never answered: STOP. With it the carrier has opted the person out of "
        "everything."
    )
    assert notes[2] == "The person has opted out; only START opens the way back."

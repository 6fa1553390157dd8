"""Forwarded and quoted texts teach no fact without the person's own yes."""

from pathlib import Path

import pytest

from app.services import Services
from tests.claude_server import ClaudeServer, call, say
from tests.conversation.ruling import Ruler
from tests.fakes import InlineBackground
from tests.line import Line
from tests.phoning import Phone

NUTS = "Is allergic to nuts"
HANDED_ON_TSV = Path(__file__).parent.parent / "data" / "handed_on.tsv"
"""A text, with lines parted by `\\n`, and a fact that would be learned from it."""


@pytest.fixture
def alex(line_to_claude: Line, claude: ClaudeServer) -> Ruler:
    return Ruler(line_to_claude, claude)


def learns(alex: Ruler, body: str, *facts: str, **form: str) -> dict[str, object]:
    """A text in which the model calls `extract_memory`; what the tool answered."""
    alex.text(body, call("extract_memory", {"facts": [{"fact": one} for one in facts]}), say("Okay."), **form)
    return alex.last_result()


def known(alex: Ruler) -> list[str]:
    """What the next request shows of them."""
    alex.text("hello again", say("Hi."))
    shown = alex.shown().partition("<facts>")[2].partition("</facts>")[0]
    return [one.strip() for one in shown.strip().removesuffix(".").split(". ") if one.strip()]


HANDED_ON = [
    ("Fwd: I am allergic to nuts", NUTS),
    ("> I am allergic to nuts\nwhat does this mean?", NUTS),
    ("she wrote: I am allergic to nuts", NUTS),
    ('she wrote: "I am allergic to nuts"', NUTS),
    ("My sister wrote: “I am pregnant”", "Sister is pregnant"),
    *(line.replace("\\n", "\n").split("\t") for line in HANDED_ON_TSV.read_text().splitlines()[1:]),
]


@pytest.mark.parametrize(("body", "fact"), HANDED_ON)
def test_what_others_wrote_teaches_no_fact(alex: Ruler, body: str, fact: str) -> None:
    assert "is not what the person wrote" in str(learns(alex, body, fact)["refused"])
    assert known(alex) == []


def test_what_the_carrier_calls_forwarded_teaches_no_fact(alex: Ruler) -> None:
    assert "refused" in learns(alex, "I am allergic to nuts", NUTS, Forwarded="true")
    assert "refused" in learns(alex, "ok thanks", NUTS), "nor does it later"
    assert known(alex) == []


def test_what_was_forwarded_is_learned_once_they_say_yes(alex: Ruler) -> None:
    alex.text("Fwd: I am allergic to nuts", say("Shall I remember that you are allergic to nuts?"))

    assert learns(alex, "yes please", NUTS)["stored"] == [{"id": 1, "fact": NUTS}]


def test_what_was_forwarded_is_learned_where_their_own_words_ask_for_it(alex: Ruler) -> None:
    assert "stored" in learns(
        alex, "Remember what my sister wrote: I am allergic to nuts", "Sister is allergic to nuts"
    )


def test_no_yes_to_something_else_lets_it_in(alex: Ruler) -> None:
    alex.text("Fwd: I am allergic to nuts", say("Shall I look up the weather?"))

    assert "refused" in learns(alex, "yes please", NUTS)


@pytest.mark.parametrize(
    ("body", "fact"),
    [
        ('My sister wrote: "I am pregnant". I live in Lima now.', "Lives in Lima"),
        ("On Tue, Ana wrote:\n> I love cats\n> a lot\n\nI live in Lima", "Lives in Lima"),
        ("I live in Lima.\nFwd: come to the party", "Lives in Lima"),
        ('I have a dog called "Rex", and she said "he is not allowed in here"', "Has a dog called Rex"),
        ("I am a nurse, and look what Ana sent me: you work too much", "Is a nurse"),
        ("Ella escribió: «estoy embarazada». Vivo en Lima", "Vive en Lima"),
        ("Schau: „ich bin schwanger und glücklich“ schrieb sie. Ich wohne in Bonn", "Wohnt in Bonn"),
        ("I told you: I live in Lima", "Lives in Lima"),
        ("My favourite song is “Dancing Queen”", "Favourite song is Dancing Queen"),
        ("I said: I have a cat", "Has a cat"),
    ],
)
def test_what_they_say_themselves_around_a_quotation_is_theirs(alex: Ruler, body: str, fact: str) -> None:
    assert learns(alex, body, fact)["stored"] == [{"id": 1, "fact": fact}]


def test_a_forward_leaves_what_they_say_afterwards_theirs(alex: Ruler) -> None:
    alex.text("Fwd: I am allergic to nuts and I work as a nurse", say("I see."))

    assert learns(alex, "I'm a nurse too", "Works as a nurse")["stored"] == [{"id": 1, "fact": "Works as a nurse"}]


def test_a_correction_is_not_taken_from_what_others_wrote_either(alex: Ruler) -> None:
    learns(alex, "I live in Lima", "Lives in Lima")
    update = {"fact_id": 1, "fact": "Lives in Berlin"}
    alex.text("Fwd: I live in Berlin", call("update_memory", update), say("Okay."))

    assert "refused" in alex.last_result()
    assert known(alex) == ["Lives in Lima"]


def test_the_offline_model_says_that_it_kept_nothing_of_what_others_wrote(
    services: Services, background: InlineBackground
) -> None:
    phone = Phone(services, background)
    [answer] = phone.text("Fwd: I am allergic to nuts")

    assert "remember" not in answer
    assert phone.facts() == []
    phone.text("I am allergic to nuts")
    assert phone.facts() == [NUTS]

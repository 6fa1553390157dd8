import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.carrier_words import carrier_word


@pytest.mark.parametrize(
    "body",
    [
        "STOP",
        "stop",
        "Stop",
        "  stop \n",
        "STOP.",
        "Stop!!",
        "stop ...",
        "STOPALL",
        "Stop all",
        "unsubscribe",
        "End",
        "quit",
        "cancel",
        "REVOKE",
        "opt out",
        "optout",
    ],
)
@pytest.mark.parametrize("opted_out", [True, False])
def test_a_word_that_opts_out_is_one_in_any_case_and_with_a_stop_behind_it(body: str, opted_out: bool) -> None:
    assert carrier_word(body, None, opted_out=opted_out) == "STOP"


@pytest.mark.parametrize("body", ["start", "START", "Unstop!"])
@pytest.mark.parametrize("opted_out", [True, False])
def test_a_word_that_opts_in_is_one(body: str, opted_out: bool) -> None:
    assert carrier_word(body, None, opted_out=opted_out) == "START"


def test_yes_opts_in_who_has_opted_out_and_is_an_answer_of_everybody_else() -> None:
    assert carrier_word("Yes!", None, opted_out=True) == "START"
    assert carrier_word("Yes!", None, opted_out=False) is None


@pytest.mark.parametrize("body", ["help", "HELP", "Info."])
def test_a_word_that_asks_the_carrier_for_help_is_one(body: str) -> None:
    assert carrier_word(body, None, opted_out=False) == "HELP"


@pytest.mark.parametrize(
    "body",
    [
        "stop it",
        "Please stop the timer",
        "stop, I like that",
        "don't stop",
        "stops",
        "non-stop",
        "the end",
        "cancel my 8 o'clock",
        "help me with a letter",
        "/help",
        "/start",
        "start over",
        "S T O P",
        "",
        "!",
        "🛑",
    ],
)
def test_a_text_that_only_holds_such_a_word_is_an_ordinary_text(body: str) -> None:
    assert carrier_word(body, None, opted_out=False) is None


@pytest.mark.parametrize("found", ["STOP", "START", "HELP"])
def test_what_the_carrier_itself_has_found_counts_whatever_the_words_say(found: str) -> None:
    assert carrier_word("ARRÊT", found, opted_out=False) == found
    assert carrier_word("stop", found, opted_out=False) == found


@pytest.mark.parametrize("found", ["", "stop", "OTHER"])
def test_a_finding_that_is_none_of_the_carriers_leaves_it_to_the_words(found: str) -> None:
    assert carrier_word("stop", found, opted_out=False) == "STOP"
    assert carrier_word("hello", found, opted_out=False) is None


@given(st.text(), st.none() | st.text(), st.booleans())
def test_any_text_is_one_of_them_or_none(body: str, found: str | None, opted_out: bool) -> None:
    assert carrier_word(body, found, opted_out=opted_out) in {"STOP", "START", "HELP", None}

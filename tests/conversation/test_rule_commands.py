"""`/rules`: lists, pauses, keeps and forgets rules without the model."""

import pytest

from app.memory import Origin, RuleWords, revise_rule, set_rule
from app.memory.rules import spoken
from app.services import Services
from tests.memory.remembering import INFERRED, TOLD, add_person, rules_known
from tests.phoning import text
from tests.tables import rows

PEANUTS = RuleWords("always", None, "Never suggest peanuts")
QUICK = RuleWords("phrase", "quick update", "Bullets only")
TRIP = RuleWords("situation", "I plan a trip", "Check the weather")
QUICK_SPOKEN, TRIP_SPOKEN = 'On "quick update": Bullets only', "When I plan a trip: Check the weather"
WAITS = "waits for your yes: /rules keep 3 and it holds, /rules forget 3 and it goes."


@pytest.fixture
def person_id(services: Services) -> int:
    person_id = add_person(services)
    for words in (QUICK, PEANUTS):
        set_rule(services, person_id, words, TOLD)
    set_rule(services, person_id, TRIP, INFERRED, proposed=True)
    return person_id


@pytest.mark.parametrize("words", ["/rules", "/Rules", "/rules list", "/rule"])
def test_the_rules_are_listed_by_number_with_how_they_stand(services: Services, person_id: int, words: str) -> None:
    revise_rule(services, person_id, 2, TOLD, paused=True)

    assert text(services, words).splitlines() == [
        "Your rules:",
        '1. On "quick update": Bullets only',
        "2. Never suggest peanuts (paused)",
        "3. When I plan a trip: Check the weather (waits for your yes)",
        "Wrong? /rules forget or /rules pause and the number. Shall it hold? /rules keep 3.",
    ]


@pytest.mark.usefixtures("person_id")
def test_with_memory_off_the_list_says_so(services: Services) -> None:
    text(services, "/memory off")
    off = "Memory is off for this conversation, so none of them holds now (/memory on). Your rules:"
    assert text(services, "/rules").startswith(off)


@pytest.mark.parametrize(
    ("texts", "answer", "rule", "state"),
    [
        (["pause 1", "keep 1"], f"It is paused: {QUICK_SPOKEN}. /rules resume 1 and it holds again.", 1, "paused"),
        (["keep 3"], f"Kept, and it holds from now on: {TRIP_SPOKEN}.", 3, "active"),
        (["keep 3", "keep 3"], f"Kept, and it holds from now on: {TRIP_SPOKEN}.", 3, "active"),
        (["pause 3"], f"Rule 3 {WAITS}", 3, "proposed"),
        (["resume 3"], f"Rule 3 {WAITS}", 3, "proposed"),
    ],
)
def test_pausing_resuming_and_keeping_say_what_they_did(
    services: Services, person_id: int, texts: list[str], answer: str, rule: int, state: str
) -> None:
    assert [text(services, f"/RULES {words}") for words in texts][-1] == answer
    assert rules_known(services, person_id)[rule][1] == state


def test_keeping_is_a_yes_and_undo_takes_it_back(services: Services, person_id: int) -> None:
    text(services, "/rules keep 3")
    assert text(services, "/undo") == f"Undone: it is again a rule, waiting for your yes: {TRIP_SPOKEN}."
    assert rules_known(services, person_id)[3][1] == "proposed"
    assert "said yes" not in text(services, "/rules why 3")


def test_why_tells_no_words_that_were_taken_back(services: Services, person_id: int) -> None:
    revise_rule(services, person_id, 2, TOLD, words=RuleWords("always", None, "Peanuts are fine"))
    text(services, "/undo")
    assert "fine" not in text(services, "/rules why 2")


@pytest.mark.parametrize(("source", "how"), rows("rules_sources.jsonl"))
def test_why_tells_every_source_in_words_and_when_they_said_yes(services: Services, source: str, how: str) -> None:
    person_id = add_person(services)
    rule = set_rule(services, person_id, PEANUTS, Origin("assistant", source), proposed=True).rule

    assert text(services, "/rules why 1") == f"{spoken(rule)} (waits for your yes): {how} on 21 Nov 2026."
    services.clock.wait(2 * 86_400)
    text(services, "/rules keep 1")
    assert text(services, "/rules why 1").endswith(" You said yes to it on 23 Nov 2026.")

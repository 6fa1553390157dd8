"""Danger and despair in words that no rule knows: heard by meaning, and met with help lines."""

import pytest

from app.embeddings.local import LocalEmbedder
from app.features.offline.alarm import score
from app.features.offline.model import CANNOT_TELL as UNSURE
from app.features.offline.model import HELP_IS_NEAR, IF_IN_DANGER, IN_AN_EMERGENCY, MISSED, STILL_IN_NEED, OfflineModel
from app.features.offline.model import KEPT_AS_TEXT as KEPT
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.features.offline.asked import lines
from tests.features.offline.test_talk import Talk


@pytest.fixture
def alex(meaning: LocalEmbedder, make_services: MakeServices, clock: FrozenClock) -> Talk:
    return Talk(make_services(model=OfflineModel(clock, meaning)))


def test_most_alarms_are_heard_that_were_written_after_the_weights_and_few_calm_texts_are_taken_for_one(
    meaning: LocalEmbedder,
) -> None:
    heard: dict[str, list[bool]] = {"alarm": [], "calm": []}
    for label, text in (line.split("\t") for line in lines("alarm_unseen.tsv")):
        heard[label].append(score(meaning, float("inf"), text) > 0)
    assert sum(heard["alarm"]) > 0.8 * len(heard["alarm"])
    assert sum(heard["calm"]) < 0.04 * len(heard["calm"])


def test_alarming_words_that_are_not_understood_are_met_with_help(alex: Talk) -> None:
    assert alex.say("i wrote them all letters, they will find them when im gone") == HELP_IS_NEAR
    assert alex.say("should i worry if the baby is limp and blue?") == HELP_IS_NEAR
    assert alex.say("i feel dizzy since lunch") == f"{UNSURE} {IF_IN_DANGER}"
    assert IF_IN_DANGER not in alex.say("the roof was painted blue") + alex.say("I like tea")


def test_words_of_danger_that_do_not_sound_like_it_are_met_with_doubt_but_no_foreign_ones(alex: Talk) -> None:
    for text in ("fell off a ladder in 09 broke my hip, all good now", "this lab report makes me wanna die lol"):
        assert alex.say(text) == f"{UNSURE} {IF_IN_DANGER}"
    for text in ("I fell this morning and my hip hurts", "i want to die", "quiero morirme", "我不想活了"):
        assert alex.say(text).startswith(HELP_IS_NEAR)


def test_soon_after_an_alarm_a_fainter_one_is_enough_until_all_is_well(alex: Talk) -> None:
    assert alex.say("forget it. u dont care") == f"{MISSED} {KEPT}"
    assert alex.say("been sittin in the garage w the engine runnin. kinda peaceful") == HELP_IS_NEAR
    assert alex.say("no") == f"OK. {STILL_IN_NEED}"
    assert alex.say("forget it. u dont care") == f"{MISSED} {KEPT} {STILL_IN_NEED}"
    assert alex.say("Remind me to see a doctor in the morning.").endswith(IF_IN_DANGER)
    assert IF_IN_DANGER not in alex.say("the truck has new tires") + alex.say("i'm ok, my brother came over")
    assert alex.say("forget it. u dont care") == f"{MISSED} {KEPT}"


def test_faint_words_end_in_the_numbers_and_after_an_alarm_fainter_ones(alex: Talk, clock: FrozenClock) -> None:
    faint = "I feel odd tonight"
    assert alex.say(faint) == f"{MISSED} {KEPT} {IN_AN_EMERGENCY}"
    assert alex.say("the roof was painted blue") == f"{MISSED} {KEPT}"
    alex.say("been sittin in the garage w the engine runnin. kinda peaceful")
    assert alex.say("should we just open a window or what").endswith(STILL_IN_NEED)
    assert STILL_IN_NEED not in alex.say("forget my shoes")
    clock.advance(days=1)
    assert alex.say("should we just open a window or what").endswith(STILL_IN_NEED)
    clock.advance(days=7)
    assert STILL_IN_NEED not in alex.say("should we just open a window or what")


def test_without_the_weights_embedder_only_the_rules_hear(meaning: LocalEmbedder) -> None:
    text = "i want to disappear for good"
    assert score(meaning, float("inf"), text) > 0
    assert score(None, float("inf"), text) == score(meaning, -1.0, text) == float("-inf")


def test_an_alarming_text_is_not_said_back_beside_an_answer(alex: Talk) -> None:
    alex.say("Paul likes his eggs soft boiled")
    alex.say("I just want to be where Paul is now")
    alex.say("Paul had a cat as a boy")
    assert alex.say("Tell me about Paul") == (
        'You wrote: "Paul likes his eggs soft boiled". Later you wrote: "Paul had a cat as a boy".'
    )
    alex.say("gave my whole guitar collection to my brother Ted, wont need it where im going")
    assert "guitar" not in alex.say("where is Ted?")
    assert alex.say("what did i tell you about Ted?").endswith(f'where im going". {IF_IN_DANGER}')

"""When a conversation becomes an episode: each trigger alone, and together."""

from datetime import timedelta
from typing import Any

import pytest

from app.memory.episodes.triggers import (
    CONVERSATION_GAP,
    HISTORY_MESSAGES,
    LONGEST_PART_TOKENS,
    Rules,
    Standing,
    TurnSize,
    due,
    is_left_for_good,
    says_goodbye,
)
from app.settings import Settings

MINUTE = timedelta(minutes=1)


def rules(*triggers: str, **more: object) -> Rules:
    return Rules.of(Settings(episode_triggers=",".join(triggers) or "quiet,compaction", **more))  # type: ignore[arg-type]


def standing(turns: int = 3, *, tokens: int = 20, messages: int = 2, **more: object) -> Standing:
    sizes = tuple(TurnSize(number, messages, tokens) for number in range(1, turns + 1))
    values: dict[str, object] = {"last_words": "I see", "silent": 5 * MINUTE, "is_over": False, **more}
    return Standing(turns=sizes, **values)  # type: ignore[arg-type]


def test_the_gap_is_the_one_that_begins_a_new_conversation() -> None:
    assert Rules.of(Settings()).quiet == CONVERSATION_GAP


def test_a_conversation_is_due_when_it_has_been_quiet_for_half_an_hour() -> None:
    assert due(standing(silent=29 * MINUTE), rules()) is None
    found = due(standing(silent=30 * MINUTE), rules())
    assert found is not None
    assert (found.trigger, len(found.turns), found.is_cut, found.is_all) == ("quiet", 3, False, True)


def test_the_silence_is_a_setting() -> None:
    assert due(standing(silent=9 * MINUTE), rules("quiet", episode_quiet_minutes=10)) is None
    assert due(standing(silent=10 * MINUTE), rules("quiet", episode_quiet_minutes=10)) is not None


def test_a_conversation_that_another_has_followed_is_quiet() -> None:
    found = due(standing(silent=MINUTE, is_over=True), rules())
    assert found is not None
    assert found.trigger == "quiet"


def test_a_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    assert due(standing(silent=-45 * MINUTE), rules()) is not None
    assert due(standing(silent=-5 * MINUTE), rules()) is None


def test_a_goodbye_ends_a_conversation_a_minute_later_where_that_is_set() -> None:
    bye: dict[str, Any] = {"last_words": "ok thanks, talk later!"}
    assert due(standing(silent=timedelta(seconds=59), **bye), rules("ended")) is None
    found = due(standing(silent=MINUTE, **bye), rules("ended"))
    assert found is not None
    assert (found.trigger, found.is_cut) == ("ended", False)
    assert due(standing(silent=MINUTE, **bye), rules("quiet", "compaction")) is None
    assert due(standing(silent=MINUTE, is_busy=True, **bye), rules("ended")) is None


@pytest.mark.parametrize(
    "words", ["bye", "Ok bye!", "Good night", "gotta go", "that's all for today", "Bis morgen!", "Ciao"]
)
def test_a_farewell_is_a_goodbye(words: str) -> None:
    assert says_goodbye(words)


@pytest.mark.parametrize(
    "words", ["I have to go to the doctor", "see you tomorrow at the office then we talk", "I'll do it later", "", "ok"]
)
def test_what_says_more_is_none(words: str) -> None:
    assert not says_goodbye(words)


def test_so_many_messages_are_an_episode_where_that_is_set() -> None:
    assert due(standing(9, messages=2), rules("count", episode_messages=20)) is None
    found = due(standing(10, messages=2), rules("count", episode_messages=20))
    assert found is not None
    assert (found.trigger, found.is_cut, found.is_all) == ("count", True, True)


def test_a_conversation_that_outgrows_the_history_gives_its_oldest_part_away() -> None:
    assert due(standing(10, tokens=480), rules()) is None
    found = due(standing(11, tokens=480), rules())
    assert found is not None
    assert (found.trigger, found.is_cut, found.is_all) == ("compaction", True, False)
    assert [turn.turn_id for turn in found.turns] == [1, 2, 3, 4, 5, 6], "the newest 2,400 tokens stay as texts"


def test_many_short_texts_outgrow_it_as_well() -> None:
    assert due(standing(20, messages=2), rules()) is None
    found = due(standing(21, messages=2), rules())
    assert found is not None
    assert len(found.turns) == 21 - HISTORY_MESSAGES * 0.4 // 2


def test_nothing_is_taken_from_under_somebody_who_is_being_answered() -> None:
    assert due(standing(30, tokens=480, is_busy=True), rules()) is None
    assert due(standing(30, tokens=480, is_busy=True), rules("count")) is None


def test_quiet_comes_first_of_all_that_are_due() -> None:
    found = due(standing(30, tokens=300, silent=31 * MINUTE), rules("compaction", "count", "quiet"))
    assert found is not None
    assert (found.trigger, found.is_all) == ("quiet", True)


def test_what_is_too_long_for_one_episode_becomes_several() -> None:
    found = due(standing(100, tokens=1000, silent=31 * MINUTE), rules())
    assert found is not None
    assert (len(found.turns), found.is_cut, found.is_all) == (LONGEST_PART_TOKENS // 1000, True, False)
    one = due(standing(2, tokens=10**6, silent=31 * MINUTE), rules())
    assert one is not None
    assert len(one.turns) == 1


@pytest.mark.parametrize("trigger", ["quiet", "ended", "count", "compaction"])
def test_each_trigger_can_be_the_only_one(trigger: str) -> None:
    everything = standing(60, tokens=200, silent=31 * MINUTE, last_words="bye")
    found = due(everything, rules(trigger))
    assert found is not None
    assert found.trigger == trigger


def test_what_no_trigger_will_ever_take_is_left_for_good() -> None:
    assert is_left_for_good(standing(is_over=True), rules("count"))
    assert not is_left_for_good(standing(is_over=False), rules("count"))
    assert is_left_for_good(standing(is_over=False, silent=CONVERSATION_GAP), rules("count"))
    assert is_left_for_good(standing(is_over=False, silent=-CONVERSATION_GAP), rules("count")), "a clock was set back"
    assert not is_left_for_good(standing(is_over=True), rules("quiet"))
    assert not is_left_for_good(standing(is_over=True, is_busy=True), rules("count")), "it may be due in a moment"


def test_an_empty_conversation_is_never_due() -> None:
    assert due(standing(0, silent=31 * MINUTE), rules("quiet", "ended", "count", "compaction")) is None


@pytest.mark.parametrize("value", ["silence", "quiet,often", "quiet;count"])
def test_a_trigger_that_is_none_is_refused_at_the_start(value: str) -> None:
    with pytest.raises(Exception, match="EPISODE_TRIGGERS: must be some of quiet, ended, count and compaction"):
        Settings(episode_triggers=value)

"""Triggers that make an episode of a conversation: each alone, and together."""

from datetime import timedelta
from typing import Any

import pytest

from app.memory.episodes.triggers import (
    CONVERSATION_GAP,
    ConversationState,
    TurnSize,
    can_never_be_due,
    due,
    says_goodbye,
)
from app.settings import Settings

MINUTE = timedelta(minutes=1)


def rules(*triggers: str, **more: object) -> Settings:
    return Settings(episode_triggers=",".join(triggers) or "quiet,compaction", **more)  # type: ignore[arg-type]


def standing(turns: int = 3, *, tokens: int = 20, messages: int = 2, **more: object) -> ConversationState:
    sizes = tuple(TurnSize(number, messages, tokens) for number in range(1, turns + 1))
    values: dict[str, object] = {"last_words": "I see", "silent": 5 * MINUTE, "is_over": False, **more}
    return ConversationState(turns=sizes, **values)  # type: ignore[arg-type]


BYE: dict[str, Any] = {"last_words": "ok thanks, talk later!"}
HALF_AN_HOUR = 30 * MINUTE
WHEN: dict[str, tuple[ConversationState, Settings, tuple[str, int, bool, bool] | None]] = {
    "not quiet yet": (standing(silent=29 * MINUTE), rules(), None),
    "quiet": (standing(silent=HALF_AN_HOUR), rules(), ("quiet", 3, False, True)),
    "not so long as is set": (standing(silent=9 * MINUTE), rules("quiet", episode_quiet_minutes=10), None),
    "as is set": (standing(silent=10 * MINUTE), rules("quiet", episode_quiet_minutes=10), ("quiet", 3, False, True)),
    "another has followed": (standing(silent=MINUTE, is_over=True), rules(), ("quiet", 3, False, True)),
    "a clock was set far back": (standing(silent=-45 * MINUTE), rules(), ("quiet", 3, False, True)),
    "and a little": (standing(silent=-5 * MINUTE), rules(), None),
    "just after a goodbye": (standing(silent=timedelta(seconds=59), **BYE), rules("ended"), None),
    "a minute after it": (standing(silent=MINUTE, **BYE), rules("ended"), ("ended", 3, False, True)),
    "where it counts for nothing": (standing(silent=MINUTE, **BYE), rules("quiet", "compaction"), None),
    "and is being answered": (standing(silent=MINUTE, is_busy=True, **BYE), rules("ended"), None),
    "too few messages": (standing(9, messages=2), rules("count", episode_messages=20), None),
    "so many": (standing(10, messages=2), rules("count", episode_messages=20), ("count", 10, True, True)),
    "it fits": (standing(10, tokens=480), rules(), None),
    "it outgrows the history, 2,400 tokens stay": (standing(11, tokens=480), rules(), ("compaction", 6, True, False)),
    "short texts fit": (standing(20, messages=2), rules(), None),
    "short texts outgrow it, 20 stay": (standing(21, messages=2), rules(), ("compaction", 11, True, False)),
    "not from under somebody": (standing(30, tokens=480, is_busy=True), rules(), None),
    "whatever is set": (standing(30, tokens=480, is_busy=True), rules("count"), None),
    "quiet comes first": (
        standing(30, tokens=300, silent=31 * MINUTE),
        rules("compaction", "count", "quiet"),
        ("quiet", 30, False, True),
    ),
    "too long for one": (standing(100, tokens=1000, silent=31 * MINUTE), rules(), ("quiet", 12, True, False)),
    "one text too long for one": (standing(2, tokens=10**6, silent=31 * MINUTE), rules(), ("quiet", 1, True, False)),
    "nothing was said": (standing(0, silent=31 * MINUTE), rules("quiet", "ended", "count", "compaction"), None),
}


@pytest.mark.parametrize(("stands", "set_", "expected"), WHEN.values(), ids=WHEN)
def test_a_conversation_or_its_oldest_part_becomes_an_episode(
    stands: ConversationState, set_: Settings, expected: tuple[str, int, bool, bool] | None
) -> None:
    found = due(stands, set_)
    assert (found and (found.trigger, len(found.turns), found.is_cut, found.is_all)) == expected
    if found is not None:
        assert found.turns == stands.turns[: len(found.turns)], "the oldest"


@pytest.mark.parametrize(
    ("words", "is_one"),
    [
        *((one, True) for one in ("bye", "Ok bye!", "Good night", "gotta go", "that's all for today", "Bis morgen!")),
        *((one, False) for one in ("I have to go to the doctor", "I'll do it later", "", "ok")),
        ("Ciao", True),
        ("see you tomorrow at the office then we talk", False),
    ],
)
def test_a_farewell_and_nothing_more_is_a_goodbye(words: str, is_one: bool) -> None:
    assert says_goodbye(words) == is_one


def test_what_no_trigger_will_ever_take_is_left_for_good() -> None:
    assert can_never_be_due(standing(is_over=True), rules("count"))
    assert not can_never_be_due(standing(is_over=False), rules("count"))
    assert can_never_be_due(standing(is_over=False, silent=CONVERSATION_GAP), rules("count"))
    assert can_never_be_due(standing(is_over=False, silent=-CONVERSATION_GAP), rules("count")), "a clock was set back"
    assert not can_never_be_due(standing(is_over=True), rules("quiet"))
    assert not can_never_be_due(standing(is_over=True, is_busy=True), rules("count")), "it may be due in a moment"

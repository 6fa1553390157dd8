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
from tests.tables import rows

MINUTE = timedelta(minutes=1)


def rules(*triggers: str, **more: object) -> Settings:
    return Settings(episode_triggers=",".join(triggers) or "quiet,compaction", **more)  # type: ignore[arg-type]


def standing(turns: int = 3, *, tokens: int = 20, messages: int = 2, **more: object) -> ConversationState:
    sizes = tuple(TurnSize(number, messages, tokens) for number in range(1, turns + 1))
    values: dict[str, object] = {"last_words": "I see", "silent": 5 * MINUTE, "is_over": False, **more}
    return ConversationState(turns=sizes, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stands", "set_", "expected"), [pytest.param(*row, id=name) for name, *row in rows("when_an_episode_is_due.jsonl")]
)
def test_a_conversation_or_its_oldest_part_becomes_an_episode(
    stands: dict[str, Any], set_: dict[str, Any], expected: list[object] | None
) -> None:
    """`silent` is in seconds; `triggers` of the settings are those switched on."""
    silent, more = timedelta(seconds=stands.get("silent", 300)), {**set_}
    state = standing(**{**stands, "silent": silent})
    found = due(state, rules(*more.pop("triggers", ()), **more))
    assert (found and [found.trigger, len(found.turns), found.is_cut, found.is_all]) == expected
    if found is not None:
        assert found.turns == state.turns[: len(found.turns)], "the oldest"


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

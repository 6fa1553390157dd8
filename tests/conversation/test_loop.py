"""Every way the model can stop or stray, and what the person reads then: a whole reply, or a kind one."""

import pytest

from app.conversation.loop import MAX_MODEL_CALLS, MAX_TOOL_CALLS
from app.text import kind_words
from tests.claude_server import (
    ClaudeServer,
    Reply,
    call,
    error,
    html,
    overloaded,
    raw,
    say,
    several,
    text,
    tool,
    truncated,
)
from tests.phoning import Phone
from tests.web_searches import searched

COFFEE = {"facts": [{"fact": "Likes black coffee", "category": "food"}]}
TROUBLE = kind_words.apology(changed=False)


def thinking(words: str) -> dict[str, str]:
    return {"type": "thinking", "thinking": words, "signature": "c2ln"}


def also_learns(words: str, stop_reason: str) -> Reply:
    return several([text(words), tool("extract_memory", COFFEE)], stop_reason)


LEARNS = call("extract_memory", COFFEE)
LISTS = call("list_memories", {})
BREWING = {"does": "remind", "words": "Brew coffee", "schedule": {"repeat": "daily", "times": ["08:00"]}}
GARBLED, EMPTY, ENDLESS = raw(200, b"{}"), Reply(content=[]), Reply(content=[], stop_reason=None)
TOO_LARGE = error(413, "request_too_large")
STRANGE = say("Half a sen", stop_reason="meditating")
CALLS_CUT_OFF, CALLS_AND_ENDS = (several(LEARNS.content, why) for why in ("max_tokens", "end_turn"))
CALLS_IN_WORDS = say('<tool_call>{"name": "extract_memory", "arguments": {}}</tool_call>')
SILENT = several([thinking("Nothing to say.")])
SAVED = say("I've saved that. Enjoy your day!")
WRONG_UPDATE = call("update_memory", {"fact_id": 9, "fact": "Likes tea"}, "I've saved that you like tea!")
ENDINGS = {
    **{
        f"r36 broken once, {number}": ([fault, say("Here I am.")], "Here I am.")
        for number, fault in enumerate([html(), truncated(), overloaded(), error(500, "api_error"), GARBLED, EMPTY])
    },
    **{
        f"r36 broken for ever, {number}": ([fault] * 3, TROUBLE)
        for number, fault in enumerate([GARBLED, EMPTY, ENDLESS, STRANGE])
    },
    "r40 too long for ever": ([TOO_LARGE] * 2, TROUBLE),
    "r41 a call that was cut off": ([also_learns("Let me", "max_tokens"), say("Short answer.")], "Short answer."),
    "r41 cut off twice": (
        [say("Once upon a", "max_tokens"), say("Once upon a time there", "max_tokens")],
        kind_words.TOO_LONG,
    ),
    **{
        f"r41 a call that never ran, {number}, and then {at}": ([fault, then], TROUBLE)
        for number, fault in enumerate([CALLS_CUT_OFF, CALLS_AND_ENDS, CALLS_IN_WORDS])
        for at, then in enumerate([fault, SILENT, say(" ")])
    },
    "r41 refused": ([also_learns("I can't", "refusal")], kind_words.REFUSED),
    "r41 full window": ([also_learns("Le", "model_context_window_exceeded"), say("Hello")], "Hello"),
    "r42 a pause with nothing said": ([Reply(content=[], stop_reason="pause_turn"), say("Here.")], "Here."),
    "r42 a search that paused": ([several(searched("tea"), "pause_turn"), say("Hello")], "Hello"),
    "r42 paused for ever": ([several(searched("tea"), "pause_turn")] * MAX_MODEL_CALLS, TROUBLE),
    "r43 calls on when told not to": ([LISTS] * MAX_MODEL_CALLS, TROUBLE),
    "r43 calls on after scheduling": ([call("set_routine", BREWING), *[LISTS] * 5], kind_words.apology(changed=True)),
    "r46 an answer of thoughts": (
        [LISTS, several([thinking("They want their list.")]), say("You like tea.")],
        "You like tea.",
    ),
    "r46 an answer that stays thoughts": ([LISTS, SILENT, SILENT], kind_words.NOTHING_TO_SAY),
    "r46 an answer of thoughts as text": ([say("<think>Nothing to say.</think>")] * 2, kind_words.NOTHING_TO_SAY),
    "r46 a search that leads to nothing": ([several(searched("tea"))] * 2, kind_words.NOTHING_TO_SAY),
    "r52 an answer of white space": ([LISTS, say(" \n ")], kind_words.NOTHING_TO_SAY),
    "saved, which nothing was": ([SAVED, SAVED], f"Enjoy your day! {kind_words.NOT_DONE['saved']}"),
    "forgotten by a tool that failed": (
        [call("remove_memory", {"fact_ids": [7]}), *[say("I've forgotten that.")] * 2],
        kind_words.NOT_DONE["forgotten"],
    ),
    "words beside a call when the calls run out": ([WRONG_UPDATE] * MAX_MODEL_CALLS, TROUBLE),
    "an untrue claim that cannot be mended": (
        [say("Paris is the capital. I've saved that for you."), *[overloaded()] * 3],
        f"Paris is the capital. {kind_words.NOT_DONE['saved']}",
    ),
}


@pytest.mark.parametrize("settings", [{"web_search": "claude"}], indirect=True)
@pytest.mark.parametrize(("answers", "reply"), ENDINGS.values(), ids=ENDINGS)
def test_whatever_the_model_answers_the_person_reads_a_whole_reply_or_a_kind_one(
    answers: list[Reply], reply: str, alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(*answers)
    assert alex.text("I like black coffee") == [reply]
    assert alex.facts() == []
    assert len(claude.requests) == len(answers)


@pytest.mark.parametrize(
    ("answers", "reply"),
    [
        ([LEARNS, GARBLED, GARBLED, GARBLED], kind_words.apology(changed=True)),
        ([say("I've saved that."), LEARNS, say("Now I've saved that.")], "Now I've saved that."),
        ([call("extract_memory", COFFEE, "Black coffee, noted."), EMPTY], "Black coffee, noted."),
        ([call("save_memory", COFFEE), LEARNS, say("Noted.")], "Noted."),
    ],
    ids=["the model breaks after it", "a claim made true", "r46 words between calls", "r43 a tool that is made up"],
)
def test_what_was_learned_is_kept_and_said(answers: list[Reply], reply: str, alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(*answers)
    assert alex.text("An espresso, as always") == [reply]
    assert alex.facts() == ["Likes black coffee"]


def test_r43_forty_calls_in_one_answer_run_eight_and_the_rest_are_told_so(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(several([tool("list_memories", {})] * 40), say("Enough."))
    assert alex.text("Hello") == ["Enough."]
    results = claude.requests[1]["messages"][-1]["content"]
    assert [result.get("is_error", False) for result in results] == [False] * MAX_TOOL_CALLS + [True] * 32
    assert claude.requests[1]["tool_choice"] == {"type": "none"}


@pytest.mark.parametrize("body", ["caf\ud800", "a\0b"])
def test_r51_a_text_that_no_wire_carries_is_cleaned_and_answered(body: str, alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Understood."))
    assert alex.text(body) == ["Understood."]


def test_r46_thinking_is_never_sent(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(
        several([thinking("They want coffee."), tool("extract_memory", COFFEE)]),
        several([thinking("Now I answer."), text("I'll remember.")]),
    )
    assert alex.text("I like black coffee") == ["I'll remember."]
    [thought, *_] = claude.requests[1]["messages"][-2]["content"]
    assert (thought["type"], thought["thinking"]) == ("thinking", "They want coffee.")

"""Every way the model can stop or stray, and what the person reads then: a whole reply, or a kind one."""

import json

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
TROUBLE = kind_words.trouble(memory_changed=False)


def thinking(words: str) -> dict[str, str]:
    return {"type": "thinking", "thinking": words, "signature": "c2ln"}


@pytest.mark.parametrize(
    "fault", [html(), truncated(), overloaded(), error(500, "api_error"), raw(200, b"{}"), Reply(content=[])]
)
def test_r36_a_broken_answer_is_asked_for_again_and_then_answered(
    fault: Reply, alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(fault, say("Here I am."))
    assert alex.text("Hello") == ["Here I am."]


@pytest.mark.parametrize("fault", [raw(200, b"{}"), Reply(content=[]), Reply(content=[], stop_reason=None)])
def test_r36_answers_that_stay_broken_end_in_a_kind_sentence(fault: Reply, alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(fault, fault, fault)
    assert alex.text("Hello") == [TROUBLE]
    assert alex.turns()[0].outcome == "model"


def test_r36_an_unknown_stop_reason_sends_nothing_of_what_was_said(alex: Phone, claude: ClaudeServer) -> None:
    strange = say("Half a sen", stop_reason="meditating")
    claude.queue(strange, strange, strange)
    assert alex.text("Hello") == [TROUBLE]


def test_what_was_learned_before_the_model_broke_is_kept_and_said(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("extract_memory", COFFEE), *[raw(200, b"{}")] * 3)
    assert alex.text("I like black coffee") == [kind_words.trouble(memory_changed=True)]
    assert alex.facts() == ["Likes black coffee"]


def test_r40_a_context_too_long_is_asked_again_with_less_history(alex: Phone, claude: ClaudeServer) -> None:
    for number in range(4):
        claude.queue(say(f"answer {number}"))
        alex.text(f"text {number}")
    claude.queue(error(413, "request_too_large"), say("Shorter now."))
    assert alex.text("Hello") == ["Shorter now."]
    assert len(claude.requests[-1]["messages"]) < len(claude.requests[-2]["messages"])


def test_r40_a_context_that_stays_too_long_is_not_asked_for_ever(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(error(413, "request_too_large"), error(413, "request_too_large"))
    assert alex.text("Hello") == [TROUBLE]
    assert len(claude.requests) == 2


def test_r41_a_tool_call_cut_off_by_max_tokens_is_not_run_and_the_answer_is_asked_for_again(
    alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(several([text("Let me"), tool("extract_memory", COFFEE)], "max_tokens"), say("Short answer."))
    assert alex.text("I like black coffee") == ["Short answer."]
    assert alex.facts() == []


def test_r41_an_answer_cut_off_twice_is_never_sent_in_part(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Once upon a", "max_tokens"), say("Once upon a time there", "max_tokens"))
    assert alex.text("Tell me a story") == [kind_words.TOO_LONG]


def test_r41_a_refusal_runs_no_tool_and_sends_a_kind_sentence(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(several([text("I can't"), tool("extract_memory", COFFEE)], "refusal"))
    assert alex.text("I like black coffee") == [kind_words.REFUSED]
    assert alex.facts() == []


def test_r41_a_full_context_window_runs_no_tool_and_is_asked_again_shorter(alex: Phone, claude: ClaudeServer) -> None:
    full = several([text("Le"), tool("extract_memory", COFFEE)], "model_context_window_exceeded")
    claude.queue(full, say("Hello"))
    assert alex.text("I like black coffee") == ["Hello"]
    assert alex.facts() == []


@pytest.mark.parametrize("settings", [{"web_search": "claude"}], indirect=True)
def test_r42_a_paused_turn_is_resumed_a_bounded_number_of_times(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(*[several(searched("tea"), "pause_turn")] * MAX_MODEL_CALLS)
    assert alex.text("Hello") == [TROUBLE]
    assert len(claude.requests) == MAX_MODEL_CALLS


@pytest.mark.parametrize("settings", [{"web_search": "claude"}], indirect=True)
def test_r42_a_paused_turn_ends_with_its_answer(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(several(searched("tea"), "pause_turn"), say("Hello"))
    assert alex.text("Hello") == ["Hello"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("delete_everything", {}),
        ("extract_memory", {"facts": "Likes coffee"}),
        ("extract_memory", {}),
        ("update_memory", {"fact_id": "one", "fact": "x"}),
        ("remove_memory", {"fact_ids": [1], "why": "because"}),
    ],
)
def test_r43_a_call_that_cannot_be_run_comes_back_as_an_error_to_act_on(
    name: str, given: dict[str, object], alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(call(name, given), say("All right."))
    assert alex.text("Hello") == ["All right."]
    [result] = claude.requests[1]["messages"][-1]["content"]
    assert result["is_error"] is True
    assert name in result["content"]


def test_r43_forty_calls_in_one_answer_run_eight_and_the_rest_are_told_so(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(several([tool("list_memories", {})] * 40), say("Enough."))
    assert alex.text("Hello") == ["Enough."]
    results = claude.requests[1]["messages"][-1]["content"]
    assert [result.get("is_error", False) for result in results] == [False] * MAX_TOOL_CALLS + [True] * 32
    assert claude.requests[1]["tool_choice"] == {"type": "none"}


def test_r43_the_same_call_for_ever_is_ended_by_the_limit_and_the_answer_is_forced(
    alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(*[call("list_memories", {})] * (MAX_MODEL_CALLS - 1), say("I give up looking."))
    assert alex.text("Hello") == ["I give up looking."]
    choices = [request.get("tool_choice") for request in claude.requests]
    assert choices == [None] * (MAX_MODEL_CALLS - 1) + [{"type": "none"}]


def test_r43_a_model_that_calls_on_when_told_not_to_ends_in_a_kind_sentence(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(*[call("list_memories", {})] * MAX_MODEL_CALLS)
    assert alex.text("Hello") == [TROUBLE]


def test_r46_words_between_tool_calls_are_sent_when_the_last_message_has_none(
    alex: Phone, claude: ClaudeServer
) -> None:
    claude.queue(call("extract_memory", COFFEE, "Black coffee, noted."), Reply(content=[]))
    assert alex.text("I like black coffee") == ["Black coffee, noted."]


def test_r46_thinking_is_never_sent(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(
        several([thinking("They want coffee."), tool("extract_memory", COFFEE)]),
        several([thinking("Now I answer."), text("I'll remember.")]),
    )
    assert alex.text("I like black coffee") == ["I'll remember."]
    [thought, *_] = claude.requests[1]["messages"][-2]["content"]
    assert (thought["type"], thought["thinking"]) == ("thinking", "They want coffee.")


def test_r46_an_answer_of_thinking_alone_is_asked_for_again_in_words(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("list_memories", {}), several([thinking("They want their list.")]), say("You like tea."))
    assert alex.text("What do I like?") == ["You like tea."]


def test_r46_an_answer_that_stays_thinking_is_a_short_acknowledgement(alex: Phone, claude: ClaudeServer) -> None:
    silent = several([thinking("Nothing to say.")])
    claude.queue(call("list_memories", {}), silent, silent)
    assert alex.text("ok") == [kind_words.NOTHING_TO_SAY]


@pytest.mark.parametrize("body", ["caf\ud800", "a\0b"])
def test_r51_a_text_that_no_wire_carries_is_cleaned_and_answered(body: str, alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Understood."))
    assert alex.text(body) == ["Understood."]


def test_r52_an_answer_of_white_space_is_a_short_acknowledgement(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("list_memories", {}), say(" \n "))
    assert alex.text("Say nothing") == [kind_words.NOTHING_TO_SAY]


def test_saved_is_only_said_when_something_was(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("I've saved that. Enjoy your day!"), say("I've saved that. Enjoy your day!"))
    assert alex.text("I like tea") == [f"Enjoy your day! {kind_words.NOT_DONE['saved']}"]
    assert alex.turns()[0].outcome == "claim_corrected"


def test_a_claim_can_be_made_true_by_the_model_itself(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("I've saved that."), call("extract_memory", COFFEE), say("Now I've saved that."))
    assert alex.text("I like black coffee") == ["Now I've saved that."]


def test_a_failed_tool_bears_no_claim_out(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("remove_memory", {"fact_ids": [7]}), *[say("I've forgotten that.")] * 2)
    assert alex.text("Forget my dog") == [kind_words.NOT_DONE["forgotten"]]


def test_what_a_tool_was_given_and_answered_is_kept_with_the_turn(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("extract_memory", COFFEE), say("I'll remember."))
    alex.text("I like black coffee")
    [made] = alex.tool_calls()
    assert (made.name, made.input, made.is_error) == ("extract_memory", COFFEE, False)
    assert json.loads(made.result)["stored"] == [{"id": 1, "fact": "Likes black coffee"}]


def test_words_beside_a_tool_call_are_no_answer_when_the_calls_run_out(alex: Phone, claude: ClaudeServer) -> None:
    wrong = {"fact_id": 9, "fact": "Likes tea"}
    claude.queue(*[call("update_memory", wrong, "I've saved that you like tea!")] * MAX_MODEL_CALLS)
    assert alex.text("I like tea") == [TROUBLE]


def test_an_answer_that_could_not_be_mended_is_sent_without_its_untrue_claim(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(say("Paris is the capital. I've saved that for you."), *[overloaded()] * 3)
    assert alex.text("What is the capital of France?") == [f"Paris is the capital. {kind_words.NOT_DONE['saved']}"]


def test_r42_a_pause_with_nothing_said_is_asked_again(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(Reply(content=[], stop_reason="pause_turn"), say("Here."))
    assert alex.text("Hello") == ["Here."]

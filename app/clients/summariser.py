"""Episodes written by a model."""

import json
import re
from typing import TYPE_CHECKING, Any

from app import prompts
from app.services.model import Draft, Model, ModelRequest, Summariser, ToSummarise
from app.text.shown_texts import lines

if TYPE_CHECKING:
    from anthropic.types import Message

MAX_TOKENS = 4096  # An episode takes about 700; the rest is for a model that thinks first.
_JSON = re.compile(r"\{.*\}", re.DOTALL)

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_FACT = {
    "type": "object",
    "properties": {
        "fact": {**_TEXT, "description": "One short sentence in the third person without a subject."},
        "category": {
            **_TEXT,
            "description": "work, family, health, places, preferences or another word; may be empty.",
        },
        "quote": {**_TEXT, "description": "The person's own words that say it, copied."},
    },
    "required": ["fact", "category", "quote"],
}
KEEP_EPISODE: dict[str, Any] = {
    "name": "keep_episode",
    "description": "Keep what happened in the conversation that you were shown. Call it once, with all of it.",
    "input_schema": {
        "type": "object",
        "properties": {
            "summary": {**_TEXT, "description": "One or two sentences, at most 300 characters, dates absolute."},
            "narrative": {**_TEXT, "description": "What happened, in three to six sentences, dates absolute."},
            "topics": {**_TEXTS, "description": "Two to six words or short phrases."},
            "key_facts": {**_TEXTS, "description": "Sentences that stand alone; none is fine."},
            "importance": {"type": "number", "description": "0 to 1."},
            "facts": {"type": "array", "items": _FACT, "description": "Lasting facts in the person's own words."},
        },
        "required": ["summary", "narrative", "topics", "key_facts", "importance", "facts"],
    },
}


class ModelSummariser:
    """Asks a model for an episode through one tool; bare JSON is accepted too, for weak models."""

    def __init__(self, model: Model, otherwise: Summariser | None) -> None:
        self.name = model.name
        self.otherwise = otherwise
        self._model = model

    def summarise(self, conversation: ToSummarise) -> Draft:
        """As `Summariser.summarise`; an answer that is of no use gives an empty draft with its problem."""
        answer = self._model.complete(self._request(conversation))
        fields, problem = _read(answer)
        return Draft(
            fields=fields,
            written_by=answer.model if isinstance(answer.model, str) else self.name,
            cents=self._model.cost_cents(answer),
            problem=problem,
            is_final=answer.stop_reason == "refusal",
        )

    def reserve_cents(self, conversation: ToSummarise) -> float:
        """Highest possible cost of one attempt in US cents, from the model."""
        return self._model.reserve_cents(self._request(conversation))

    def close(self) -> None:
        """Close the connections kept for the next request."""
        getattr(self._model, "close", lambda: None)()

    def _request(self, conversation: ToSummarise) -> ModelRequest:
        instructions = {"type": "text", "text": prompts.render("summarise_conversation")}
        texts = prompts.render(
            "summarise_texts",
            person=conversation.person_name or "",
            before=conversation.before,
            texts=lines(conversation.texts),
            problem=conversation.problem,
        )
        return ModelRequest(
            system=[{**instructions, "cache_control": {"type": "ephemeral"}}],
            messages=[{"role": "user", "content": [{"type": "text", "text": texts}]}],
            tools=[KEEP_EPISODE],
            max_tokens=MAX_TOKENS,
            deadline=conversation.deadline,
            person_key=conversation.person_key,
            may_ask_again=conversation.may_ask_again,
        )


def _read(answer: "Message") -> tuple[dict[str, Any], str]:
    """The fields that the model gave, and the problem if they cannot be used."""
    if answer.stop_reason == "refusal":
        return {}, "The model refused."
    if answer.stop_reason not in {"tool_use", "end_turn", "stop_sequence"}:  # A cut-off answer is incomplete.
        return {}, "Your answer was cut off. Keep it shorter."
    for block in answer.content:
        if block.type == "tool_use" and block.name == KEEP_EPISODE["name"] and isinstance(block.input, dict):
            return dict(block.input), ""
    found = _JSON.search("\n".join(block.text for block in answer.content if block.type == "text"))
    try:
        fields = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        fields = None
    if isinstance(fields, dict):
        return fields, ""
    return {}, "There was no call of keep_episode. Call it once, with all fields."

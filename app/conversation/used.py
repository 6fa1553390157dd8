"""Which facts a turn used (its reply draws on them, or a search brought them back), and which episodes. Pure."""

from collections.abc import Sequence

from app.conversation.reply import Reply
from app.memory.facts import Known
from app.memory.facts.use import drawn_on
from app.models import Episode, Message
from app.models.turn import SPOKEN


def episodes_used(reply: Reply, shown: Sequence[Episode]) -> frozenset[int]:
    """Numbers of the episodes that were put before the model, or that a search of its own brought back."""
    found = {
        int(one["id"].removeprefix("ep"))
        for call in reply.tool_calls
        if call.name == "recall_memory" and call.answered
        for one in call.answered["episodes"]
    }
    return frozenset(found | {one.number for one in shown})


def facts_used(reply: Reply, shown: Sequence[Known], texts: Sequence[Message]) -> frozenset[int]:
    """Numbers of the facts that the turn used.

    A fact is drawn on when it was shown at the beginning or listed, and the reply speaks of it. What the turn itself
    learned or changed was told in it and is not use, also when another attempt at the same texts had learned it.
    An archived fact is used where a search brought it back and the reply speaks of it: use has it live again, and what
    merely came up beside something else, or in a list, stays where it is.
    """
    heard = {text.id for text in texts}
    learned = {fact.number for fact in shown if fact.message_id in heard}
    known = {fact.number: fact.sentence for fact in shown}
    found: set[int] = set()
    for call in reply.tool_calls:
        if not (result := call.answered):
            continue
        match call.name:
            case "extract_memory":
                learned |= {fact["id"] for fact in result["stored"]}
            case "update_memory":
                learned.add(result["fact"]["id"])
            case "list_memories":
                known |= {fact["id"]: fact["fact"] for fact in result["facts"] if not fact.get("archived")}
            case "recall_memory":
                current = [fact for fact in result["facts"] if fact["current"]]
                known |= {fact["id"]: fact["fact"] for fact in current if fact.get("archived")}
                found |= {fact["id"] for fact in current if not fact.get("archived")}
    drawn = drawn_on(reply.text, known) if reply.outcome in SPOKEN else set()
    return frozenset((drawn | found) - learned)

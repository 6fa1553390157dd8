"""Which facts are shown to the model when there are more than there is room for: pure."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from app.memory.facts import Known


def choose(facts: Sequence[Known], *, max_tokens: int) -> list[Known]:
    """The facts to show, by number, within `max_tokens`: each that has room, those that matter most first.

    The order of what is shown is that of their numbers whatever their rank, so that the model's cached prefix survives
    from turn to turn.
    """
    room = max_tokens
    chosen = []
    for fact in facts:
        cost = estimate_tokens(escape(fact.sentence) + ". ")  # As the prompt writes it: `&` takes five characters.
        if cost <= room:
            room -= cost
            chosen.append(fact)
    return sorted(chosen, key=lambda fact: fact.number)


def estimate_tokens(text: str) -> int:
    """Tokens of a text, seldom too few: a token for every three bytes of UTF-8.

    English has about four bytes a token; scripts of three-byte characters about one token a character. No tokenizer of
    Claude's is published, and asking the API to count would cost a call.
    """
    return -(-len(text.encode("utf-8", "replace")) // 3)

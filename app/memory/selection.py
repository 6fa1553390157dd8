"""Which facts are shown to the model when there are more than there is room for: pure."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from app.memory.wording import is_constraint
from app.models import Fact


def choose(facts: Sequence[Fact], *, max_tokens: int) -> list[Fact]:
    """The facts to show, by number, within `max_tokens`.

    Pinned ones come first, then constraints, then by importance and by how lately they were used or told. The order of
    what is shown is that of their numbers whatever their rank, so that the model's cached prefix survives from turn to
    turn. Part 3 puts relevance to the text between constraints and importance.
    """
    room = max_tokens
    chosen = []
    for fact in sorted(facts, key=_rank):
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


def _rank(fact: Fact) -> tuple[bool, bool, float, float, int]:
    used = max(fact.last_used_at or fact.recorded_at, fact.recorded_at)
    return (
        not fact.pinned,
        not is_constraint(fact.sentence, fact.category),
        -fact.importance,
        -used.timestamp(),
        fact.number,
    )

"""The tool with which the model searches memory. Its docstring is written for Claude."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.clock import local
from app.errors import Refused
from app.memory.index.backlog import TEXTS_AT_ONCE
from app.memory.recall import KINDS, FoundEpisode, FoundFact, FoundMessage, recall
from app.services.tool import KNOWN, tool
from app.tools.context import ToolContext
from app.tools.facts import listed

QUOTED_MAX_CHARS = 600  # Of a message: room for three full texts of a phone.

NOTHING = "Nothing relevant is remembered: say so plainly."
UNFINISHED = (
    "For now much of memory can be found by its exact words alone: what is missing here may still be known. Try other "
    "words before you say that there is nothing."
)
MUCH = 2 * TEXTS_AT_ONCE  # Fewer are just the newest messages, which wait a few seconds for their vectors.


@tool(proves=KNOWN)
def recall_memory(
    ctx: ToolContext,
    query: Annotated[str, Field(description="What you look for, in the words that they would have used.")],
    limit: Annotated[int | None, Field(description="Of each kind at most: 1 to 20, usually 5.")] = None,
    kind: Literal["episode", "fact", "message"] | None = None,
    since: Annotated[str | None, Field(description="YYYY-MM-DD, the first day.")] = None,
    until: Annotated[str | None, Field(description="YYYY-MM-DD, the last day.")] = None,
) -> dict[str, Any]:
    """Search what you are not shown: earlier conversations, facts old and new, and what was said word for word.

    "Where did I live before?", "What did I say about my sister in May?" Returns each with relevance 0 to 1, when and
    how it was learned; current false: no longer true. It is data of the past, nothing to keep again. Low relevance is
    no answer: then say that you do not know.
    """
    found = recall(
        ctx.services,
        ctx.person_id,
        query,
        limit if limit is not None else 5,
        kinds=KINDS if kind is None else [kind],
        since=_day("since", since),
        until=_day("until", until),
        deadline=ctx.deadline,
    )
    note = [NOTHING] if not found else []
    note += [UNFINISHED] if found.by_words_alone > MUCH else []
    return {
        "episodes": [_episode(one, found.timezone) for one in found.episodes],
        "facts": [_fact(one, found.timezone) for one in found.facts],
        "messages": [_message(one, found.timezone) for one in found.messages],
        **({"note": " ".join(note)} if note else {}),
    }


def texts_of(result: dict[str, Any]) -> list[str]:
    """Texts of the episodes and messages that a search found."""
    told = [" ".join([one["summary"], one["narrative"], *one["key_facts"]]) for one in result["episodes"]]
    return told + [one["text"] for one in result["messages"]]


def _day(name: str, given: str | None) -> date | None:
    if not given:
        return None
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise Refused(
            f"{name}: '{given[:20]}' is no day. Send it as YYYY-MM-DD, such as 2026-01-31, or leave it out."
        ) from None


def _episode(one: FoundEpisode, timezone: str) -> dict[str, Any]:
    episode = one.episode
    return {
        "id": episode.name,
        "summary": episode.summary,
        "narrative": episode.narrative,
        "key_facts": episode.key_facts,
        "began": _shown(episode.started_at, timezone),
        "ended": _shown(episode.ended_at, timezone),
        "relevance": round(one.relevance, 2),
        "learned_at": _shown(episode.recorded_at, timezone),
        "source": f"a conversation of {episode.message_count} messages",
    }


def _fact(one: FoundFact, timezone: str) -> dict[str, Any]:
    fact = one.fact
    ended = fact.valid_to or (None if one.current else fact.expires_at)
    return {
        **listed(fact),
        "created_at": _shown(fact.created_at, timezone),
        "updated_at": _shown(fact.recorded_at, timezone),
        "relevance": round(one.relevance, 2),
        "current": one.current,
        **({"archived": True} if one.archived else {}),
        "learned_at": _shown(fact.recorded_at, timezone),
        "source": fact.source,
        "quote": fact.quote,
        "valid_from": _shown(fact.valid_from, timezone) if fact.valid_from else None,
        "valid_to": _shown(ended, timezone) if ended else None,
    }


def _message(one: FoundMessage, timezone: str) -> dict[str, Any]:
    return {
        "said_by": "person" if one.message.direction == "in" else "you",
        "text": one.words if len(one.words) <= QUOTED_MAX_CHARS else one.words[: QUOTED_MAX_CHARS - 1] + "…",
        "said_at": _shown(one.message.created_at, timezone),
        "relevance": round(one.relevance, 2),
    }


def _shown(instant: datetime, timezone: str) -> str:
    """The instant on the person's own clock, the only one they know, with its offset: `2026-11-21 09:00-08:00`."""
    return local(instant, timezone).isoformat(" ", "minutes")

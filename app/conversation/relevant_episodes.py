"""What of the episodes that were found is put before the newest texts: at most three, within their tokens. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from app.clock import local
from app.conversation.shortened import shortened
from app.memory.facts.selection import estimate_tokens
from app.models import Episode
from app.text.despair import without_despair

MOST = 3
MAX_TOKENS = 600
LEAST_OF_NARRATIVE = 60  # Tokens: less of it says nothing that the summary does not.

_FRAME = (
    '  <episode id="ep{number}" timestamp="2026-01-22 09:30">\n    <summary>{summary}</summary>\n'
    "    <narrative>{narrative}</narrative>\n  </episode>\n"
)
_AROUND = estimate_tokens("<relevant_episodes>\n</relevant_episodes>\n")


@dataclass(frozen=True)
class ShownEpisode:
    """An episode, and what of it the prompt shows."""

    episode: Episode
    fields: dict[str, str]
    tokens: int
    """What that takes, estimated."""


def as_shown(found: Sequence[Episode], timezone: str) -> list[ShownEpisode]:
    """The best of them that fit, without what was said in despair; too long a narrative is shown by its ends."""
    room = MAX_TOKENS - _AROUND
    shown: list[ShownEpisode] = []
    for episode in found:
        summary, narrative = map(without_despair, (episode.summary, episode.narrative))
        left = room - _cost(episode, summary, "")
        written = estimate_tokens(escape(narrative))
        if written > left:  # As much of it as takes that room once it is escaped.
            narrative = shortened(narrative, left * estimate_tokens(narrative) // written)
            narrative = narrative if left >= LEAST_OF_NARRATIVE else ""
        cost = _cost(episode, summary, narrative)
        if len(shown) == MOST or not summary or not narrative or cost > room:
            continue
        room -= cost
        at = local(episode.started_at, timezone)
        fields = {"id": episode.name, "timestamp": f"{at:%Y-%m-%d %H:%M}", "summary": summary}
        shown.append(ShownEpisode(episode, {**fields, "narrative": narrative}, cost))
    return shown


def _cost(episode: Episode, summary: str, narrative: str) -> int:
    """Tokens, as the prompt writes it: `&` takes five characters there."""
    return estimate_tokens(_FRAME.format(number=episode.number, summary=escape(summary), narrative=escape(narrative)))

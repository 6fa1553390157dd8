"""The conversation as the model is shown it: earlier turns as far as they have room, and texts with their times."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy.orm import Session

from app import prompts
from app.clock import local
from app.conversation.claim import OpenTurn
from app.conversation.memory_shown import shortened
from app.memory import episodes, forgotten
from app.memory.facts.selection import estimate_tokens
from app.memory.forgotten import EarlierText
from app.models import Episode
from app.routines import occurrences, suggestions
from app.services import Services
from app.text.secrets import hide_addresses

# What one side of one earlier turn may take of the history's room, so that a page that was forwarded yesterday leaves
# three quarters to all else.
TURN_SHARE = 0.25
CACHE_MARK = {"type": "ephemeral"}
LEAST_OF_A_TEXT = 400  # Tokens: a full text of a phone. Of more such texts than have room the middle is left out.
NEWER_THAN_ALL = 2**63 - 1
SO_FAR_SHARE = 0.2  # Of the history's room, for the summaries at its head: one takes about 200 tokens.


def earlier(db: Session, services: Services, turn: OpenTurn, timezone: str) -> tuple[list[dict[str, Any]], int, str]:
    """The conversation before a turn, as far as it has room: messages oldest first, from the person's to ours.

    With them the id of the oldest text among them, or of this turn's first; and our last words, as they were sent.
    Ordered by turn: a text that came while the one before was being answered stands after that answer. Commands and
    what they print are left out, so that a listing of memory is never learned again from its own echo. What became an
    episode because this conversation outgrew its room stands at the head as its summary: the head then stays the same
    from turn to turn, instead of losing its first text with each.
    """
    max_tokens = services.settings.history_max_tokens
    compacted = episodes.compacted(db, turn.conversation_id) if turn.memory_on else []
    head, since = _so_far(compacted, int(max_tokens * SO_FAR_SHARE))
    off_in = None if turn.memory_on else turn.conversation_id
    rows = forgotten.texts_before(db, turn.person_id, turn.id, since=since, off_in=off_in)
    marks = _marks(db, {row.turn_id for row in rows if row.kind == "routine"})
    room = max_tokens - estimate_tokens(head)
    messages: list[tuple[str, str]] = []
    oldest, last_said = turn.texts[0].id if turn.texts else NEWER_THAN_ALL, ""
    said = _with_files(db, services, rows)
    for (direction, mark), texts in groupby(said, key=lambda row: (row.direction, marks.get(row.turn_id, ""))):
        run = list(texts)[::-1]
        words = tagged([(one.body, one.created_at) for one in run], int(max_tokens * TURN_SHARE), timezone)
        room -= estimate_tokens(words) + estimate_tokens(mark)
        if room < 0:
            break
        if direction == "out" and not last_said:
            last_said = "\n".join(one.body for one in run)
        messages.append(("user" if direction == "in" else "assistant", words))
        if mark:
            messages.append(("user", mark))
        oldest = min(oldest, run[0].id)
    # What follows something of the same role joins it: a text that got no reply stands before a routine's mark.
    runs = groupby(messages[::-1], key=lambda one: one[0])
    shown = from_a_user([{"role": role, "content": [block("\n".join(one[1] for one in run))]} for role, run in runs])
    if not shown:
        return [], oldest, ""
    if head:
        shown[0]["content"].insert(0, block(head))
    return [*shown[:-1], marked(shown[-1])], oldest, last_said


def _with_files(db: Session, services: Services, rows: Sequence[EarlierText]) -> list[EarlierText]:
    """The texts that say something; a mark stands for what came with each."""
    with_files = [row.id for row in rows if row.media_count]
    sent = dict.fromkeys(with_files, "[sent a file]")
    for feature in services.features:
        if with_files and feature.file_marks is not None:
            sent |= feature.file_marks(db, with_files)
    said = (row._replace(body="\n".join(filter(str.strip, (row.body, sent.get(row.id, ""))))) for row in rows)
    return [row for row in said if row.body]


def _marks(db: Session, turn_ids: Collection[int]) -> dict[int, str]:
    """What stands before the texts of these turns, in which nobody had texted, and says why they were said."""
    if not turn_ids:
        return {}
    numbers = occurrences.numbers_of(db, turn_ids)
    suggested = suggestions.in_turns(db, turn_ids)
    return {
        turn_id: prompts.render("suggestion_mark", kind=one.kind, times=one.times, quote=one.words)
        if (one := suggested.get(turn_id)) is not None
        else prompts.render("routine_mark", numbers=numbers.get(turn_id, "?"))
        for turn_id in turn_ids
    }


def _so_far(compacted: Sequence[Episode], max_tokens: int) -> tuple[str, int]:
    """What stands at the head of the history in the place of the texts up to a turn, and that turn.

    The newest part is what the texts go on from, and is told whole; of those before it the summary is enough.
    """
    if not compacted:
        return "", 0
    newest, room = compacted[-1], max_tokens
    parts = [newest.narrative if estimate_tokens(newest.narrative) <= max_tokens else newest.summary]
    for episode in reversed(compacted[:-1]):
        room -= estimate_tokens(parts[-1])
        if room < 0:
            break
        parts.append(episode.summary)
    return prompts.render("conversation_so_far", parts=parts[::-1]), newest.upto_turn_id


def tagged(texts: Sequence[tuple[str, datetime]], max_tokens: int, timezone: str) -> str:
    """Texts with when each was said, by the person's clock; nothing that anybody writes closes or opens a tag.

    Where they have no room, the longest are shortened to a fair share, and of very many the middle is left out.
    """
    said = [(hide_addresses(words), local(at, timezone)) for words, at in texts if words.strip()]
    fair = _fair_share([estimate_tokens(words) for words, _ in said], max_tokens)
    is_flood = fair < min(LEAST_OF_A_TEXT, max_tokens) and len(said) > 1
    share = LEAST_OF_A_TEXT if is_flood else fair
    shown = [prompts.text(shortened(words, share), f"{at:%a} {at.day} {at:%b %H:%M}") for words, at in said]
    return "\n".join(_both_ends(shown, max_tokens) if is_flood else shown)


def _fair_share(sizes: Sequence[int], room: int) -> int:
    """The most that each may take so that all together have room; what small ones leave over is for the others."""
    for place, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - place)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def _both_ends(texts: Sequence[str], max_tokens: int) -> list[str]:
    """The first and the last of the texts, as many as have room, with how many are left out between them."""
    sizes = [estimate_tokens(text) for text in texts]
    first, last = 0, len(texts)
    head = tail = max_tokens / 2
    while first < last and sizes[first] <= head:
        head -= sizes[first]
        first += 1
    while first < last and sizes[last - 1] <= tail:
        last -= 1
        tail -= sizes[last]
    left_out = [f"({last - first} texts between these are left out here.)"] if first < last else []
    return [*texts[:first], *left_out, *texts[last:]]


def from_a_user(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    first = next((place for place, one in enumerate(messages) if one["role"] == "user"), len(messages))
    kept = messages[first:]
    # The newest message is the person's too; a history that ends in theirs would leave an answer out.
    return kept if not kept or kept[-1]["role"] == "assistant" else kept[:-1]


def block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def marked(message: dict[str, Any]) -> dict[str, Any]:
    """The message with a cache mark at its end: all up to there is read from the cache by the next request.

    An answer that the model is to go on with is sent back as it came.
    """
    if message["role"] == "assistant" and "model" in message:
        return message
    *before, last = message["content"]
    return {**message, "content": [*before, {**last, "cache_control": CACHE_MARK}]}

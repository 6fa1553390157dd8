"""What was said in a conversation, as far as an episode may be made of it: rows in.

Left out are commands and what they print, what `spoken.py` leaves out, and what speaks of a thing that the person has
had forgotten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from app.clock import local
from app.memory.dates import relative_dates
from app.memory.facts import Gone
from app.memory.spoken import is_said, while_memory_was_off
from app.memory.triggers import LONGEST_SIDE_TOKENS, TurnSize
from app.memory.wording import MEASURES, normalise, subjects, things
from app.models import Conversation, Message, Turn
from app.sentences import sentences
from app.services import DatedPhrase, SaidText

WITH_A_FILE = "[sent a picture or another file]"
_BYTES_PER_TOKEN = 3  # As in `selection.estimate_tokens`.


@dataclass(frozen=True)
class Said:
    """One text that an episode is made of."""

    message_id: int
    turn_id: int
    by_person: bool
    words: str
    at: datetime


def turn_sizes(db: Session, conversation: Conversation, *, upto: int | None = None) -> list[TurnSize]:
    """The ended turns of the conversation that are in no closed episode, in order; none that ran with memory off."""
    side = func.min(func.octet_length(Message.body) / _BYTES_PER_TOKEN, LONGEST_SIDE_TOKENS)
    sizes = (
        select(Turn.id, func.count(Message.id), func.sum(case((is_said(), side), else_=0)))
        .join(Message, Message.turn_id == Turn.id)
        .where(*_ended(conversation), Turn.id > conversation.cut_to)
        .group_by(Turn.id)
        .order_by(Turn.id)
    )
    if upto is not None:
        sizes = sizes.where(Turn.id <= upto)
    was_off = while_memory_was_off(db, [conversation.id])
    found = [TurnSize(turn, count, int(tokens)) for turn, count, tokens in db.execute(sizes)]
    return [one for one in found if not was_off(conversation.id, one.turn_id)]


def last_turn(db: Session, conversation: Conversation) -> int:
    """The id of the last ended turn of the conversation; 0 for none."""
    return db.scalar(select(func.max(Turn.id)).where(*_ended(conversation))) or 0


def last_words(db: Session, conversation: Conversation) -> str:
    """What the person wrote last."""
    newest = select(Message.body).join(Turn, Turn.id == Message.turn_id)
    newest = newest.where(*_ended(conversation), Message.direction == "in")
    return db.scalars(newest.order_by(Message.id.desc()).limit(1)).one_or_none() or ""


def texts(db: Session, turns: Sequence[TurnSize]) -> list[Said]:
    """The texts of these turns, in the order in which they were exchanged."""
    rows = db.execute(
        select(Message.id, Message.turn_id, Message.direction, Message.body, Message.media_count, Message.created_at)
        .join(Turn, Turn.id == Message.turn_id)
        .where(Message.turn_id.in_([turn.turn_id for turn in turns]), is_said())
        .order_by(Message.turn_id, Message.direction, Message.id)
    )
    found = []
    for row in rows:
        files = [WITH_A_FILE] if row.media_count else []
        words = "\n".join(filter(str.strip, [row.body, *files]))
        if words:
            found.append(Said(row.id, row.turn_id, row.direction == "in", words, row.created_at))
    return found


def as_shown(said: Sequence[Said], timezone: str, forgotten: Sequence[Gone]) -> tuple[SaidText, ...]:
    """The texts as a summariser may see them: on the person's clock, with what their relative dates mean.

    Sentences that speak of what was forgotten since are left out; a text of which nothing stays is left out whole.
    """
    shown = []
    for one in said:
        words = without(one.words, _since(one.at, forgotten))
        if words:
            at = local(one.at, timezone)
            dates = tuple(DatedPhrase(date.start, date.end, date.means) for date in relative_dates(words, at))
            shown.append(SaidText(at, one.by_person, words, dates))
    return tuple(shown)


def was_forgotten(sentence: str, at: datetime, forgotten: Sequence[Gone]) -> bool:
    """Whether a sentence that was told at that time says again what was forgotten since."""
    since = _since(at, forgotten)
    return normalise(sentence) in {fact.normalised for fact in since} or not without(sentence, since)


def without(words: str, forgotten: Sequence[Gone]) -> str:
    """The words without the sentences that say all that one of the facts is about."""
    about = what_they_are_about(forgotten)
    told = sentences(words) if about else []
    kept = [one for one in told if not _says_one(subjects(one), about)]
    return "\n".join(kept) if len(kept) < len(told) else words


def what_they_are_about(forgotten: Sequence[Gone]) -> list[frozenset[str]]:
    """For each fact the subjects that a sentence has to name to say it."""
    return [things(fact.sentence) - MEASURES or subjects(fact.sentence) for fact in forgotten]


def say_one(words: str, about: Sequence[frozenset[str]]) -> bool:
    """Whether a sentence of the words says one of the facts."""
    return any(_says_one(subjects(one), about) for one in sentences(words))


def _says_one(said: frozenset[str], about: Sequence[frozenset[str]]) -> bool:
    return any(fact and fact <= said for fact in about)


def _since(at: datetime, forgotten: Sequence[Gone]) -> list[Gone]:
    """Those that were forgotten after that: what is told anew later is not forgotten."""
    return [fact for fact in forgotten if fact.at >= at]


def _ended(conversation: Conversation) -> tuple[ColumnElement[bool], ...]:
    return (Turn.conversation_id == conversation.id, Turn.kind == "reply", Turn.state == "done")

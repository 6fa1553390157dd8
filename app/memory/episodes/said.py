"""The texts of conversations, as far as an episode may be made of them or they may be found again: rows in.

Left out are commands and their answers, texts of ours that only say that something is in the way or that never went
out, what was said while memory was off, what speaks of a forgotten thing, and the wish to forget it.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from app.memory.episodes.triggers import LONGEST_SIDE_TOKENS, TurnSize
from app.memory.forgotten import Gone, Said, forgot_in, gone, tellable
from app.models import Conversation, Message, Turn
from app.text.own_words import Written
from app.text.secrets import without_despair, without_secrets

WITH_A_FILE = "[sent a picture or another file]"
_BYTES_PER_TOKEN = 3  # As in `memory_shown.estimate_tokens`.


_COLUMNS = (Message.id, Message.turn_id, Message.direction, Message.body, Message.created_at)
_TEXTS = (
    select(*_COLUMNS, Message.media_count, Message.forwarded)
    .join(Turn, Turn.id == Message.turn_id)
    .order_by(Message.turn_id, Message.direction, Message.id)
)


def is_said() -> ColumnElement[bool]:
    """Which messages, of turns that are joined, are the person's words, or the model's that went out."""
    went_out = Turn.outcome.in_(Turn.SPOKEN) & (Message.state != "refused")
    return Turn.memory_on & ((Message.direction == "in") | went_out)


def turn_sizes(db: Session, conversation: Conversation) -> list[TurnSize]:
    """The ended turns of the conversation that are in no closed episode, in order; none that ran with memory off."""
    length = func.octet_length(Message.body) / _BYTES_PER_TOKEN
    side = case((length < LONGEST_SIDE_TOKENS, length), else_=LONGEST_SIDE_TOKENS)
    sizes = (
        select(Turn.id, func.count(Message.id), func.sum(case((is_said(), side), else_=0)))
        .join(Message, Message.turn_id == Turn.id)
        .where(*_ended(conversation), Turn.memory_on, Turn.id > conversation.cut_to)
        .group_by(Turn.id)
        .order_by(Turn.id)
    )
    return [TurnSize(turn, count, int(tokens)) for turn, count, tokens in db.execute(sizes)]


def last_turn(db: Session, conversation: Conversation) -> int:
    """The id of the last ended turn of the conversation; 0 for none."""
    return db.scalar(select(func.max(Turn.id)).where(*_ended(conversation))) or 0


def last_words(db: Session, conversation: Conversation) -> str:
    newest = select(Message.body).join(Turn, Turn.id == Message.turn_id)
    newest = newest.where(*_ended(conversation), Message.direction == "in")
    return db.scalars(newest.order_by(Message.id.desc()).limit(1)).one_or_none() or ""


def texts(db: Session, turns: Sequence[TurnSize]) -> list[Said]:
    """The texts of these turns, in the order in which they were exchanged, without what asks to forget."""
    rows = db.execute(_TEXTS.where(Message.turn_id.in_([turn.turn_id for turn in turns]), is_said()))
    found = []
    for row in rows:
        words = "\n".join(filter(str.strip, [row.body, WITH_A_FILE if row.media_count else ""]))
        if words:
            found.append(Said(row.id, row.turn_id, row.direction == "in", words, row.created_at, row.forwarded))
    return tellable(found, (), forgot_in(db, [turn.turn_id for turn in turns]))


def before(db: Session, message: Message, count: int) -> list[Written]:
    """As many texts of the message's person that came before it while memory was on, the newest first."""
    rows = select(Message.body, Message.forwarded).join(Turn, Turn.id == Message.turn_id)
    rows = rows.where(Message.person_id == message.person_id, Turn.memory_on)
    newest = rows.where(Message.direction == "in", Message.id < message.id).order_by(Message.id.desc()).limit(count)
    return [Written(words, forwarded) for words, forwarded in db.execute(newest)]


def findable(db: Session, person_id: int, which: ColumnElement[bool]) -> list[Said]:
    """What of these messages of the person's conversations may be found and told again; no despair."""
    spoken_in = select(Message.id, Turn.id, Turn.conversation_id, Message.created_at)
    spoken_in = spoken_in.join(Turn, Turn.id == Message.turn_id)
    rows = db.execute(spoken_in.where(Message.person_id == person_id, which)).all()
    if not rows:
        return []
    ids, turns, conversations, times = map(set, zip(*rows, strict=True))
    forgotten = gone(db, person_id, since=min(times))
    # Whether a sentence goes on about what was forgotten is told by what was said before it.
    around = Turn.conversation_id.in_(conversations) if forgotten else Turn.id.in_(turns)
    found = [one for one in told_in(db, around, forgotten) if one.message_id in ids]
    return [replace(one, words=words) for one in found if (words := without_despair(one.words))]


def told_in(db: Session, which: ColumnElement[bool], forgotten: Sequence[Gone]) -> list[Said]:
    """What of the texts of these turns may be told, conversation by conversation; secrets never."""
    rows = db.execute(_TEXTS.add_columns(Turn.conversation_id).where(which, is_said())).all()
    asked = forgot_in(db, {row.turn_id for row in rows})
    found: list[Said] = []
    for _, together in groupby(sorted(rows, key=lambda row: row.conversation_id), key=lambda row: row.conversation_id):
        texts_ = [
            Said(row.id, row.turn_id, row.direction == "in", words, row.created_at)
            for row in together
            if (words := without_secrets(row.body).strip())
        ]
        found += tellable(texts_, forgotten, asked)
    return found


def _ended(conversation: Conversation) -> tuple[ColumnElement[bool], ...]:
    return (Turn.conversation_id == conversation.id, Turn.kind == "reply", Turn.state == "done")

"""Batch rows for texts that wait to be summarised: claim, finish, put off and cancel them.

A conversation waits until its `last_at` is the one summarised. Taking a part of it writes a batch row with a lease; the
number of attempts is a fencing token, so an overtaken process keeps nothing. Nothing is kept if the person stopped or
turned memory off while the model was writing. A person's conversations are taken in order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, case, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from app.memory import episodes, forgotten
from app.memory.episodes.triggers import (
    CONVERSATION_GAP,
    LONGEST_SIDE_TOKENS,
    ConversationState,
    Due,
    TurnSize,
    can_never_be_due,
    due,
)
from app.memory.forgotten import SPOKEN, ForgottenThing, Said, is_said, tellable_parts, turns_that_forgot
from app.models import Batch, Conversation, Episode, Message, Person, Turn
from app.settings import Settings

LEASE = timedelta(minutes=5)  # Three model calls take at most three minutes.
MOST_WAITING = 500  # Conversations per run, those that have waited longest first.
LATE = timedelta(minutes=5)  # A text that waited longer for its turn may belong to an earlier conversation.
PAUSE = timedelta(minutes=1)  # After the first failure; doubled after each further one.
LONGEST_PAUSE = timedelta(hours=1)
WITH_A_FILE = "[sent a picture or another file]"
_BYTES_PER_TOKEN = 3  # As in `memory_shown.estimate_tokens`.


@dataclass(frozen=True)
class LeasedPart:
    """A part of a conversation leased by this process, with its rows as they were when it was taken."""

    conversation: Conversation
    person: Person
    batch: Batch
    due: Due
    texts: tuple[Said, ...]
    before: str  # Summary of the part before this one; empty if there is none.
    reopens: bool  # True if the part is already an episode and gets a new version, as more was said.
    forgotten: tuple[ForgottenThing, ...]

    @property
    def upto(self) -> int:
        return self.due.turns[-1].turn_id


def waiting(db: Session, settings: Settings, now: datetime) -> list[int]:
    """Conversations that may be due, longest waiting first; of each person only the earliest."""
    earliest = select(func.min(Conversation.id)).where(Conversation.UNSUMMARISED).group_by(Conversation.person_id)
    resting = exists().where(Batch.conversation_id == Conversation.id, _rests(now))
    rows = select(Conversation).where(Conversation.id.in_(earliest), ~resting)
    found = []
    for one in db.scalars(rows.order_by(Conversation.last_at, Conversation.id)):
        state = _state_of(db, one, now)
        if not state.turns or due(state, settings) is not None or can_never_be_due(state, settings):
            found.append(one.id)
        if len(found) == MOST_WAITING:
            break
    return found


def lease_part(db: Session, conversation_id: int, settings: Settings, now: datetime) -> LeasedPart | None:
    """Lease the part that is due; None if none is. Texts that will never become an episode are put aside."""
    conversation = db.get_one(Conversation, conversation_id)
    if conversation.summarised_at == conversation.last_at or _waits_for_another(db, conversation, now):
        return None
    if not _may_be_kept(db, conversation_id):
        _put_aside(db, conversation, cut=True)
        return None
    if _moved_late_turns(db, conversation):
        return None  # The earlier conversation goes first; this one is looked at next time.
    part = _due(db, conversation, settings, now)
    if part is None:
        return None
    batch = db.get(Batch, conversation_id) or Batch(conversation_id=conversation_id, attempts=0, failures=0)
    batch.attempts += 1
    batch.leased_until, batch.retry_at = now + LEASE, None
    db.add(batch)
    db.flush()
    closed = [one for one in episodes.of_conversation(db, conversation.id) if one.upto_turn_id <= conversation.cut_to]
    return LeasedPart(
        conversation=conversation,
        person=db.get_one(Person, conversation.person_id),
        batch=batch,
        due=part,
        texts=_texts(db, part.turns),
        before=closed[-1].summary if closed else "",
        reopens=open_episode(db, conversation) is not None,
        forgotten=tuple(forgotten.forgotten_things(db, conversation.person_id)),
    )


def held(db: Session, taken: LeasedPart) -> Batch | None:
    """The batch row, read in this transaction; None if another process took the part or it may not be kept any more."""
    batch = db.get(Batch, taken.conversation.id)
    is_ours = batch is not None and batch.attempts == taken.batch.attempts
    return batch if is_ours and _may_be_kept(db, taken.conversation.id) else None


def postpone(
    db: Session, taken: LeasedPart, now: datetime, *, at_least: timedelta = timedelta(0), has_failed: bool = True
) -> None:
    """Retry the part later: the model failed, or the budget is spent (`has_failed` is false)."""
    batch = held(db, taken)
    if batch is not None:
        batch.failures += has_failed
        pause = min(PAUSE * 2 ** min(batch.failures - 1, 10), LONGEST_PAUSE)
        batch.retry_at, batch.leased_until = now + min(max(pause, at_least), LONGEST_PAUSE), now


def revoke_leases(db: Session, person_id: int, now: datetime) -> None:
    """Invalidate every lease on the person's conversations: a draft being written may tell of what is now forgotten."""
    theirs = select(Conversation.id).where(Conversation.person_id == person_id)
    away = update(Batch).where(Batch.conversation_id.in_(theirs))
    db.execute(away.values(attempts=Batch.attempts + 1, leased_until=now))


def reopen_from(db: Session, conversation_id: int, turn_id: int) -> None:
    conversation = db.get_one(Conversation, conversation_id)
    conversation.cut_to = min(conversation.cut_to, turn_id - 1)
    conversation.summarised_to = min(conversation.summarised_to, turn_id - 1)
    conversation.summarised_at = None
    db.flush()


def close_up_to(db: Session, conversation_id: int, turn_id: int) -> None:
    """Close the conversation up to this turn: later episodes cover neither it nor earlier ones."""
    conversation = db.get_one(Conversation, conversation_id)
    conversation.cut_to = max(conversation.cut_to, turn_id)
    db.flush()


def finish(db: Session, taken: LeasedPart) -> bool:
    """Mark the part as done, with or without an episode; False if it is no longer `held`."""
    batch = held(db, taken)
    if batch is None:
        return False
    conversation = db.get_one(Conversation, taken.conversation.id)
    if taken.due.is_cut:
        conversation.cut_to = max(conversation.cut_to, taken.upto)
    conversation.summarised_to = max(conversation.summarised_to, taken.upto)
    if taken.due.is_all:  # Texts sent meanwhile changed `last_at`, so they keep waiting.
        conversation.summarised_at = taken.conversation.last_at
    db.delete(batch)
    db.flush()
    return True


def open_episode(db: Session, conversation: Conversation) -> Episode | None:
    """The open episode that new texts of the conversation belong to; None if all are closed."""
    last = episodes.of_conversation(db, conversation.id)[-1:]
    return last[0] if last and last[0].upto_turn_id > conversation.cut_to else None


def _due(db: Session, conversation: Conversation, settings: Settings, now: datetime) -> Due | None:
    """The part of the conversation that is due; if nothing is or will be, the conversation is put aside."""
    state = _state_of(db, conversation, now)
    is_new = any(turn.turn_id > conversation.summarised_to for turn in state.turns)
    part = due(state, settings) if is_new else None
    if part is None and (not is_new or can_never_be_due(state, settings)):
        _put_aside(db, conversation, cut=False)
    return part


def _state_of(db: Session, conversation: Conversation, now: datetime) -> ConversationState:
    theirs = Conversation.person_id == conversation.person_id
    later = select(Conversation.id).where(theirs, Conversation.id > conversation.id).limit(1)
    busy = select(Turn.id).where(Turn.OPEN, Turn.person_id == conversation.person_id)
    return ConversationState(
        turns=_turn_sizes(db, conversation),
        last_words=_last_words(db, conversation),
        silent=now - conversation.last_at,
        is_over=db.scalar(later) is not None,
        is_busy=db.scalar(busy) is not None,
    )


def _may_be_kept(db: Session, conversation_id: int) -> bool:
    """True if it may be kept: the person did not stop and is not blocked, and memory is on."""
    wanted = select(Conversation.id).join(Person, Person.id == Conversation.person_id)
    wanted = wanted.where(Conversation.id == conversation_id, Conversation.memory_on)
    return db.scalar(wanted.where(Person.access == "allowed", Person.opted_out_at.is_(None))) is not None


def _waits_for_another(db: Session, conversation: Conversation, now: datetime) -> bool:
    """True if it is leased, rests after a failure, or must wait for an earlier conversation of the person."""
    resting = select(Batch.conversation_id).where(Batch.conversation_id == conversation.id, _rests(now))
    earlier = select(Conversation.id).where(Conversation.UNSUMMARISED, Conversation.person_id == conversation.person_id)
    earlier = earlier.where(Conversation.id < conversation.id).limit(1)
    return db.scalar(resting) is not None or db.scalar(earlier) is not None


def _rests(now: datetime) -> ColumnElement[bool]:
    soon = now + LONGEST_PAUSE  # A time further ahead than any pause comes from a wrong clock and is ignored.
    return or_(*(and_(now < until, until <= soon) for until in (Batch.leased_until, Batch.retry_at)))


def _put_aside(db: Session, conversation: Conversation, *, cut: bool) -> None:
    """Stop looking at the texts so far; with `cut`, later episodes do not cover them either."""
    last_turn = select(func.max(Turn.id)).where(*_ended(conversation))
    conversation.summarised_to = db.scalar(last_turn) or 0
    conversation.summarised_at = conversation.last_at
    if cut:
        conversation.cut_to = conversation.summarised_to
    db.execute(delete(Batch).where(Batch.conversation_id == conversation.id))
    db.flush()


def _moved_late_turns(db: Session, conversation: Conversation) -> bool:
    """Move late turns to the earlier conversation in which their texts were sent; True if any moved."""
    newest = func.max(Message.created_at)
    late = (
        select(Turn, newest)
        .join(Message, Message.turn_id == Turn.id)
        .where(Turn.conversation_id == conversation.id, Turn.state == "done", Turn.kind == "reply")
        .where(Turn.id > max(conversation.summarised_to, conversation.cut_to), Message.direction == "in")
        .group_by(Turn.id)
    )
    moved = False
    for turn, sent_at in db.execute(late).all():
        earlier = (Conversation.person_id == conversation.person_id, Conversation.id < conversation.id)
        # The late text may be the first of its conversation.
        begun = select(Conversation).where(*earlier, Conversation.started_at <= sent_at + CONVERSATION_GAP)
        home = db.scalars(begun.order_by(Conversation.id.desc()).limit(1)).one_or_none()
        if turn.started_at - sent_at > LATE and home is not None and sent_at - home.last_at < CONVERSATION_GAP:
            turn.conversation_id, home.summarised_at, moved = home.id, None, True
    db.flush()
    return moved


def _turn_sizes(db: Session, conversation: Conversation) -> tuple[TurnSize, ...]:
    """Ended turns of the conversation that are in no closed episode and ran with memory on, in order."""
    length = func.octet_length(Message.body) / _BYTES_PER_TOKEN
    side = case((length < LONGEST_SIDE_TOKENS, length), else_=LONGEST_SIDE_TOKENS)
    sizes = (
        select(Turn.id, func.count(Message.id), func.sum(case((is_said(), side), else_=0)))
        .join(Message, Message.turn_id == Turn.id)
        .where(*_ended(conversation), Turn.memory_on, Turn.id > conversation.cut_to)
        .group_by(Turn.id)
        .order_by(Turn.id)
    )
    return tuple(TurnSize(turn, count, int(tokens)) for turn, count, tokens in db.execute(sizes))


def _last_words(db: Session, conversation: Conversation) -> str:
    newest = select(Message.body).join(Turn, Turn.id == Message.turn_id)
    newest = newest.where(*_ended(conversation), Message.direction == "in")
    return db.scalars(newest.order_by(Message.id.desc()).limit(1)).one_or_none() or ""


def _texts(db: Session, turns: Sequence[TurnSize]) -> tuple[Said, ...]:
    """The texts of these turns in order, without requests to forget."""
    rows = db.execute(SPOKEN.where(Message.turn_id.in_([turn.turn_id for turn in turns]), is_said()))
    found = []
    for row in rows:
        words = "\n".join(filter(str.strip, [row.body, WITH_A_FILE if row.media_count else ""]))
        if words:
            found.append(Said(row.id, row.turn_id, row.direction == "in", words, row.created_at, row.forwarded))
    return tuple(tellable_parts(found, (), turns_that_forgot(db, [turn.turn_id for turn in turns])))


def _ended(conversation: Conversation) -> tuple[ColumnElement[bool], ...]:
    return (Turn.conversation_id == conversation.id, Turn.kind == "reply", Turn.state == "done")

"""Claim a person's waiting texts as one turn, or resume a turn that was begun before; `finish.py` ends it.

At most one turn per person runs at a time across all processes, which a partial unique index guarantees. If a process
dies, its turn is taken over with the claimed texts. Reasons: docs/decisions/0034-owners-of-turns.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, select
from sqlalchemy.orm import Session

from app.clock import has_come, same_local_day
from app.conversation import waiting
from app.memory.episodes.triggers import CONVERSATION_GAP
from app.models import Conversation, Message, Person, Routine, Suggestion, Turn, move
from app.routines import occurrences
from app.routines.occurrences import DueRoutine
from app.services import Services
from app.text import opt_out
from app.text.word_files import expressions, read_words

LEASE_MARGIN = timedelta(seconds=60)  # Added to the turn's time limit, for saving and starting to send.
NEWER_THAN_ALL = 2**63 - 1  # Stands in for the id of a turn or text that does not exist yet.
MAX_ATTEMPTS = 5  # A text that kills its process this often is not tried again; the person is told.

_SAYS = expressions(read_words(__file__, "plain_words.toml"))
MORE = "/more"
_IN_PLAIN_WORDS = {MORE: re.compile(_SAYS["more"]), "/who looked": re.compile(_SAYS["who_looked"])}

# Built once: every turn runs all of these, and building a statement takes longer than running it.
_BEGUN = select(Turn).where(Turn.OPEN, Turn.person_id == bindparam("person"))
_WAITING = (
    select(Message)
    .where(
        Message.UNDER_WAY,
        Message.person_id == bindparam("person"),
        Message.state == "waiting",
        Message.turn_id.is_(None),
    )
    .order_by(Message.id)
)
# Turns that overtook a text at rest, and whether memory was on until then: a command may have turned it on.
_OVERTOOK = (
    select(Turn.id, Message.id.label("text"), Turn.memory_on)
    .join(Message, Message.turn_id == Turn.id)
    .where(Message.person_id == bindparam("person"), Message.direction == "in", Message.id > bindparam("text"))
)
_LAST_REPLY_AT = (
    select(Message.created_at)
    .join(Turn, Turn.id == Message.turn_id)
    .where(Message.person_id == bindparam("person"), Message.direction == "out", Turn.kind == "reply")
    .order_by(Message.id.desc())
    .limit(1)
)
_PERSON_AND_CONVERSATION = (
    select(
        Person.timezone,
        Person.stop_text_id,
        exists().where(Suggestion.OPEN, Suggestion.person_id == Person.id),
        exists().where(Routine.state == "proposed", Routine.person_id == Person.id),
        Conversation.memory_on,
        _LAST_REPLY_AT.scalar_subquery(),
    )
    .join(Conversation, Conversation.person_id == Person.id)
    .where(Conversation.id == bindparam("conversation"))
)
_LAST_CONVERSATION = (
    select(Conversation).where(Conversation.person_id == bindparam("person")).order_by(Conversation.id.desc()).limit(1)
)


@dataclass(frozen=True)
class OpenTurn:
    """A claimed turn: the texts to answer together, and the deadline."""

    id: int
    person_id: int
    conversation_id: int
    carrier: str
    owner: str  # The token of this process, which claimed it.
    attempt: int
    memory_on: bool
    texts: tuple[Message, ...]
    deadline: float  # The value of `Clock.monotonic`, in seconds, by which the reply must be ready.
    first_of_day: bool = False  # True if its reply will be the first of the person's own day.
    more_waiting: bool = False  # True if texts were left for another turn.
    tries: int = 0  # Times it was put off because the model was down or refused the request.
    stop_text_id: int | None = None  # The text that asked to stop without saying what, until that is settled.
    has_suggestion: bool = False  # True if a suggestion waits to be said, or for its answer.
    has_proposal: bool = False  # True if a routine waits for the person's yes.
    taken_up: bool = False  # True if it was begun before: by a process that is gone, or by one that put it off.
    routine: DueRoutine | None = None  # The routine to carry out, if nobody texted; then there are no texts.

    @property
    def words(self) -> str:
        """The person's texts in order, or the words of the routine."""
        if self.routine is not None:
            return self.routine.words
        return "\n".join(text.body for text in self.texts if text.body.strip())

    @property
    def due_routine(self) -> DueRoutine:
        """The routine, for callers that know there is one."""
        assert self.routine is not None, self  # noqa: S101  (a fault of ours)
        return self.routine

    @property
    def command(self) -> str | None:
        """The command that the texts are, in lower case, or the one that they mean in plain words ("who looked?")."""
        words = " ".join(self.words.split()).casefold()
        if self.is_command:
            return words
        plain = words.rstrip(".!? ")
        return next((command for command, says in _IN_PLAIN_WORDS.items() if says.fullmatch(plain)), None)

    @property
    def is_command(self) -> bool:
        return self.routine is None and self.texts[0].is_command

    @property
    def is_for_code(self) -> bool:
        """True if code may have the answer: to a command, a wish to stop, or words that may answer code's own question.

        A turn that was begun before may have been answered by code then, and the question is no longer open.
        """
        was_asked = self.has_suggestion or self.stop_text_id is not None
        return was_asked or self.taken_up or _wishes_to_stop(self.texts) or self.command is not None

    @property
    def is_spent(self) -> bool:
        return self.attempt > MAX_ATTEMPTS


def claim(services: Services, person_id: int, *, terminal_text: int | None = None) -> OpenTurn | None:
    """The person's next turn; None if nothing waits, another process is answering them, or the model is down.

    A terminal passes the id of its own text and gets a turn of that text, after any turn left by a dead process.
    """
    now = services.clock.now()
    with services.reading() as db:  # Most calls find nothing, and a read does not queue for the writer.
        if not _waiting(db, person_id, now, terminal_text) and not has_open_turn(db, person_id):
            return None
        is_down = waiting.outage(db) is not None
    # During an outage the person who tries the model is chosen among all, so one person's lock is not enough.
    with services.transaction(None if is_down else person_id) as db:
        turn = db.scalars(_BEGUN, {"person": person_id}).one_or_none()
        if turn is not None:
            return _take_up(db, services, turn, now, is_down=is_down)
        return _begin(db, services, person_id, terminal_text, now, is_down=is_down)


def has_open_turn(db: Session, person_id: int) -> bool:
    """True if a turn of the person is open: running in some process, or postponed."""
    return db.scalars(_BEGUN, {"person": person_id}).one_or_none() is not None


def open_for_routine(
    db: Session, services: Services, person_id: int, carrier: str, now: datetime, *, outcome: str | None = None
) -> Turn:
    """A new turn without texts: open, or already ended if `outcome` is given."""
    ended = {} if outcome is None else {"state": "done", "outcome": outcome, "ended_at": now}
    conversation = _current_conversation(db, person_id, now, now)
    return _open(db, services, conversation, now, kind="routine", carrier=carrier, **ended)


def owns_turn(db: Session, turn: OpenTurn) -> bool:
    """True if this process still owns the turn."""
    return db.scalar(select(Turn.id).where(*ownership_conditions(turn))) is not None


def ownership_conditions(turn: OpenTurn) -> tuple[ColumnElement[bool], ...]:
    """The fence: conditions that this process still owns the turn, in the same attempt."""
    return (Turn.id == turn.id, Turn.state == "running", Turn.owner == turn.owner, Turn.attempts == turn.attempt)


def _take_up(db: Session, services: Services, turn: Turn, now: datetime, *, is_down: bool) -> OpenTurn | None:
    """Resume a turn that was postponed or left by a process that is gone; None if it is not yet free."""
    if is_down and turn.kind == "reply" and not _may_ask(db, services, turn.person_id, turn.carrier, now):
        return None
    mine = {"owner": services.process.token, "leased_until": now + _lease(services), "retry_at": None}
    if turn.state == "postponed":
        if not (turn.retry_at is None or has_come(turn.retry_at, now, waiting.PUT_OFF_LONGEST)):
            return None
    elif (
        # A lane never claims while it answers, so a turn with our own token is an earlier attempt of ours.
        turn.owner == services.process.token
        or has_come(turn.leased_until, now, waiting.LEASE_LONGEST)
        or services.process.is_gone(turn.owner)
    ):
        mine["attempts"] = turn.attempts + 1
    else:
        return None
    move(db, Turn, "running", Turn.id == turn.id, **mine)
    claimed = select(Message).where(Message.turn_id == turn.id, Message.direction == "in").order_by(Message.id)
    more = bool(_waiting(db, turn.person_id, now, None))
    return load_open_turn(db, services, turn, db.scalars(claimed).all(), now, more_waiting=more, taken_up=True)


def _begin(
    db: Session, services: Services, person_id: int, terminal_text: int | None, now: datetime, *, is_down: bool
) -> OpenTurn | None:
    """Start a turn with the waiting texts; None if none may be answered now."""
    texts_waiting = _waiting(db, person_id, now, terminal_text)
    if terminal_text is None:
        texts_waiting = waiting.admitted(db, services, person_id, texts_waiting, now)
    texts = _for_one_turn(texts_waiting)
    if not texts:
        return None
    overtook = min(db.execute(_OVERTOOK, {"person": person_id, "text": texts[0].id}), default=None)
    texts = [text for text in texts if overtook is None or text.id < overtook.text]
    carrier, is_command = texts[0].carrier, texts[0].is_command
    if is_down and not (is_command or _wishes_to_stop(texts)) and not _may_ask(db, services, person_id, carrier, now):
        return None
    conversation = _current_conversation(db, person_id, texts[0].created_at, now)
    memory_on = conversation.memory_on and (overtook is None or overtook.memory_on)
    kind = "command" if is_command else "reply"
    turn = _open(db, services, conversation, now, kind=kind, carrier=carrier, memory_on=memory_on)
    for text in texts:
        text.turn_id = turn.id
    return load_open_turn(db, services, turn, texts, now, more_waiting=len(texts_waiting) > len(texts))


def _may_ask(db: Session, services: Services, person_id: int, carrier: str, now: datetime) -> bool:
    """True if the person may try the model during an outage; at a terminal they want to see the failure themselves."""
    return carrier == "terminal" or waiting.claim_try(db, person_id, now, services.settings.turn_max_seconds)


def _waiting(db: Session, person_id: int, now: datetime, terminal_text: int | None) -> Sequence[Message]:
    texts = db.scalars(_WAITING, {"person": person_id}).all()
    if terminal_text is not None:
        return [text for text in texts if text.id == terminal_text]
    grace = waiting.TERMINAL_GRACE  # After this long the terminal has died.
    return [text for text in texts if text.carrier != "terminal" or has_come(text.created_at + grace, now, grace)]


def _for_one_turn(texts: Sequence[Message]) -> Sequence[Message]:
    """The texts of one turn: a command alone, or all up to the next command or the next text of another carrier."""
    if not texts or texts[0].is_command:
        return texts[:1]
    for place, text in enumerate(texts):
        if text.is_command or text.carrier != texts[0].carrier:
            return texts[:place]
    return texts


def _wishes_to_stop(texts: Sequence[Message]) -> bool:
    return any(opt_out.opt_out_wish(text.body) for text in texts)


def _open(db: Session, services: Services, conversation: Conversation, now: datetime, **columns: Any) -> Turn:
    turn = Turn(
        person_id=conversation.person_id,
        conversation_id=conversation.id,
        owner=services.process.token,
        leased_until=now + _lease(services),
        attempts=1,
        started_at=now,
        **{"state": "running", "memory_on": conversation.memory_on, **columns},
    )
    db.add(turn)
    db.flush()
    return turn


def load_open_turn(
    db: Session, services: Services, turn: Turn, texts: Sequence[Message], now: datetime, **known: bool
) -> OpenTurn:
    """The claimed turn with all it needs; `known` holds values for fields with a default."""
    ids = {"person": turn.person_id, "conversation": turn.conversation_id}
    state = db.execute(_PERSON_AND_CONVERSATION, ids).one()
    zone, stop_text_id, has_suggestion, has_proposal, memory_on, last_reply = state
    return OpenTurn(
        id=turn.id,
        person_id=turn.person_id,
        conversation_id=turn.conversation_id,
        carrier=turn.carrier,
        owner=turn.owner,
        attempt=turn.attempts,
        memory_on=turn.memory_on and memory_on,
        texts=tuple(texts),
        deadline=services.clock.monotonic() + services.settings.turn_max_seconds,
        first_of_day=last_reply is None or not same_local_day(last_reply, now, zone),
        tries=turn.model_calls,
        stop_text_id=stop_text_id,
        has_suggestion=has_suggestion,
        has_proposal=has_proposal,
        routine=occurrences.routine_of_turn(db, turn.id, now) if turn.kind == "routine" else None,
        **known,
    )


def _current_conversation(db: Session, person_id: int, sent_at: datetime, now: datetime) -> Conversation:
    """The conversation that continues with a text sent at `sent_at`, or a new one."""
    last = ongoing_conversation(db, person_id, sent_at, now)
    if last is not None:
        last.last_at = now
        return last
    conversation = Conversation(person_id=person_id, started_at=now, last_at=now, memory_on=True)
    db.add(conversation)
    db.flush()
    return conversation


def ongoing_conversation(db: Session, person_id: int, sent_at: datetime, now: datetime) -> Conversation | None:
    """The conversation that continues with a text sent at `sent_at`; None if a new one begins."""
    last = db.scalars(_LAST_CONVERSATION, {"person": person_id}).one_or_none()
    if last is None:
        return None
    # A text sent with memory off stays in that conversation, however long it waited and whatever overtook it.
    then = last
    if last.memory_on and sent_at < last.started_at:
        begun = _LAST_CONVERSATION.where(Conversation.started_at <= sent_at)
        then = db.scalars(begun, {"person": person_id}).one_or_none() or last
    if not then.memory_on and sent_at - then.last_at < CONVERSATION_GAP:
        return then
    return last if last.memory_on and now - last.last_at < CONVERSATION_GAP else None


def _lease(services: Services) -> timedelta:
    return timedelta(seconds=services.settings.turn_max_seconds) + LEASE_MARGIN

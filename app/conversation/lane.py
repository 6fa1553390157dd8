"""One lane for each person: their waiting texts claimed as one turn, and the turn ended with its reply.

At most one turn of a person runs at a time, in whatever process; a partial unique index holds that. A turn whose
process died is taken over with the texts it had claimed. Reasons: docs/decisions/0034-owners-of-turns.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from app.clock import same_local_day
from app.conversation import conversations, outage, rates
from app.conversation.reply import Reply
from app.delivery import due, outbox
from app.errors import ModelDown
from app.memory import episodes, facts
from app.models import Conversation, Message, Person, Spending, Turn
from app.models.message import UNDER_WAY
from app.models.states import move
from app.models.turn import OPEN
from app.operations.alerts import raise_alert
from app.routines import outcomes
from app.routines.outcomes import DueRoutine
from app.services import Services
from app.text import opt_out, sms_text

LEASE_MARGIN = timedelta(seconds=60)  # Beyond the turn's own limit, for saving and for sending to begin.
MAX_ATTEMPTS = 5  # A text that ends its process this often is not tried again; the person is told.
TERMINAL_GRACE = timedelta(seconds=120)  # The terminal answers its own text; after this it has died, and a server does.

DEAD_LETTER = (
    f"A text ended its process {MAX_ATTEMPTS} times and was given up; the person was told. "
    "Look at it on the operator's pages, and have it tried again once the cause is mended."
)

# Made once: each turn asks all of these, and to build a question takes longer than to answer it.
_BEGUN = select(Turn).where(OPEN, Turn.person_id == bindparam("person"))
_WAITING = (
    select(Message)
    .where(UNDER_WAY, Message.person_id == bindparam("person"), Message.state == "waiting", Message.turn_id.is_(None))
    .order_by(Message.id)
)
_LAST_REPLY_AT = (
    select(Message.created_at)
    .join(Turn, Turn.id == Message.turn_id)
    .where(Message.person_id == bindparam("person"), Message.direction == "out", Turn.kind == "reply")
    .order_by(Message.id.desc())
    .limit(1)
)
_MEMORY_ON = select(Conversation.memory_on).where(Conversation.id == bindparam("conversation"))
_TIMEZONE = select(Person.timezone).where(Person.id == bindparam("person"))
_HELD = select(Turn.id).where(
    Turn.id == bindparam("turn"),
    Turn.state == "running",
    Turn.owner == bindparam("owner"),
    Turn.attempts == bindparam("attempt"),
)


@dataclass(frozen=True)
class OpenTurn:
    """A turn in hand: the texts to be answered together, and until when."""

    id: int
    person_id: int
    conversation_id: int
    carrier: str
    owner: str
    """The token of the process that claimed it: this one."""
    attempt: int
    memory_on: bool
    texts: tuple[Message, ...]
    deadline: float
    """The instant of `Clock.monotonic`, in seconds, when the reply must be ready."""
    first_of_day: bool
    """Whether its reply will be the first of the person's own day."""
    more_waiting: bool
    """Whether texts were left for a turn of their own."""
    tries: int = 0
    """How often it was put off because the model was down, or refused what it was asked."""
    taken_up: bool = False
    """Whether it was begun before: by a process that is gone, or by one that put it off."""
    is_a_try: bool = False
    """Whether the model was down when it was claimed, and it is to show whether it is back."""
    routine: DueRoutine | None = None
    """What it carries out, where nobody texted; then there are no texts."""

    @property
    def words(self) -> str:
        """What the person said, in order; or what their routine is to do."""
        if self.routine is not None:
            return self.routine.words
        return "\n".join(text.body for text in self.texts if text.body.strip())

    @property
    def due_routine(self) -> DueRoutine:
        """What it carries out, for those that know that it does."""
        assert self.routine is not None, self  # noqa: S101  (a fault of ours)
        return self.routine

    @property
    def is_command(self) -> bool:
        return self.routine is None and _is_command(self.texts[0])

    @property
    def is_spent(self) -> bool:
        return self.attempt > MAX_ATTEMPTS

    @property
    def can_wait(self) -> bool:
        """Whether its reply still finds the person when the model is back; at a terminal somebody sits and waits."""
        return self.carrier != "terminal"


def claim(services: Services, person_id: int, *, terminal_text: int | None = None) -> OpenTurn | None:
    """The person's next turn, or None when nothing waits, another process is answering them, or the model is down.

    A terminal names its own text and gets a turn of that, after any turn that a dead process left.
    """
    now = services.clock.now()
    with services.reading() as db:  # Most calls find nothing, and a look costs no writer's turn.
        if not _waiting(db, person_id, now, terminal_text) and _begun(db, person_id) is None:
            return None
    with services.transaction() as db:
        is_down = outage.is_on(db)
        turn = _begun(db, person_id)
        if turn is not None:
            return _take_up(db, services, turn, now, is_down=is_down)
        return _begin(db, services, person_id, terminal_text, now, is_down=is_down)


def finish(services: Services, turn: OpenTurn, reply: Reply) -> list[Message]:
    """End the turn: reply queued, texts answered, what was done and used kept, in one transaction.

    Returns the queued texts; none when another process has taken the turn over meanwhile.
    """
    now = services.clock.now()
    parts = sms_text.split(reply.text)
    with services.transaction() as db:
        if not move(db, Turn, "done", *_still_ours(turn), ended_at=now, **reply.accounts()):
            return []
        conversations.go_on(db, turn.conversation_id, now)
        if turn.routine is not None:
            outcomes.note_said(db, turn.routine, now)
        else:
            move(db, Message, "dead" if turn.is_spent else "answered", Message.turn_id == turn.id)
        if turn.is_spent:
            raise_alert(db, "dead_letters", DEAD_LETTER, now)
        facts.count_use(db, turn.person_id, reply.facts_used, now)
        episodes.count_use(db, turn.person_id, reply.episodes_used, now)
        purpose = "reply" if turn.routine is None else "routine"
        return outbox.queue(db, turn.person_id, turn.id, turn.carrier, parts, now, purpose=purpose)


def end(db: Session, turn: OpenTurn, outcome: str, now: datetime) -> bool:
    """End a turn without a word; False when another process has taken it over, or it was ended, meanwhile."""
    return move(db, Turn, "done", *_still_ours(turn), ended_at=now, outcome=outcome) == 1


def put_off_until_it_is_back(services: Services, turn: OpenTurn, error: ModelDown) -> None:
    """The model is down: keep the turn with the texts it has claimed, for when it is back."""
    now = services.clock.now()
    with services.transaction() as db:
        # Due at once: while the outage lasts, nobody takes it up but to try.
        if move(db, Turn, "postponed", *_still_ours(turn), retry_at=now, model_calls=turn.tries + 1):
            outage.note_failure(db, turn.person_id, error, now)


def leave_unanswered(services: Services, text: Message, why: str) -> bool:
    """Have nobody answer a text that no turn has claimed; False when one has meanwhile."""
    with services.transaction(text.person_id) as db:
        unclaimed = (Message.id == text.id, Message.turn_id.is_(None))
        return move(db, Message, "unanswered", *unclaimed, note=why) == 1


def put_back(db: Session, turn: OpenTurn) -> bool:
    """Undo the claim of a turn that has said nothing yet: its texts wait as if it had never been begun.

    False when another process has taken the turn over meanwhile.
    """
    if not holds(db, turn):
        return False
    db.execute(update(Message).where(Message.turn_id == turn.id).values(turn_id=None))
    db.execute(update(Spending).where(Spending.turn_id == turn.id).values(turn_id=None))
    db.execute(delete(Turn).where(Turn.id == turn.id))
    return True


def postpone(services: Services, turn: OpenTurn, until: datetime, *, tried: bool = False) -> bool:
    """Put the turn off with the texts it has claimed; False when another process has taken it over meanwhile.

    `until` lies `due.PUT_OFF_LONGEST` ahead at most. `tried` counts it as one that the model was asked in vain.
    """
    with services.transaction(turn.person_id) as db:
        tries = turn.tries + int(tried)
        return move(db, Turn, "postponed", *_still_ours(turn), retry_at=until, model_calls=tries) == 1


def let_go(services: Services) -> int:
    """How many turns this process leaves unfinished at its end: whoever looks next takes them up, without a wait."""
    now = services.clock.now()
    with services.transaction() as db:
        ours = (Turn.state == "running", Turn.owner == services.process.token)
        return move(db, Turn, "running", *ours, leased_until=now)


def is_at_work(db: Session, person_id: int) -> bool:
    """Whether a turn of the person is open: under way in some process, or put off."""
    return _begun(db, person_id) is not None


def open_for_routine(
    db: Session, services: Services, person_id: int, carrier: str, now: datetime, *, outcome: str | None = None
) -> Turn:
    """A new turn in which nobody texted: open, or with its `outcome` ended already."""
    conversation = conversations.current(db, person_id, now, now)
    turn = _new(services, person_id, conversation, "routine", carrier, now)
    if outcome is not None:
        turn.state, turn.outcome, turn.ended_at = "done", outcome, now
    db.add(turn)
    db.flush()
    return turn


def in_hand_for_routine(db: Session, services: Services, turn: Turn, now: datetime) -> OpenTurn:
    return _in_hand(db, services, turn, (), now, more_waiting=False, taken_up=False, is_a_try=False)


def holds(db: Session, turn: OpenTurn) -> bool:
    """Whether the turn is still in this process's hand."""
    ours = {"turn": turn.id, "owner": turn.owner, "attempt": turn.attempt}
    return db.scalar(_HELD, ours) is not None


def _begun(db: Session, person_id: int) -> Turn | None:
    return db.scalars(_BEGUN, {"person": person_id}).one_or_none()


def _take_up(db: Session, services: Services, turn: Turn, now: datetime, *, is_down: bool) -> OpenTurn | None:
    """A turn that was begun before: put off until now, or left by a process that is gone."""
    if turn.kind == "reply" and not _may_ask(db, services, turn.person_id, turn.carrier, now, is_down=is_down):
        return None
    mine = {"owner": services.process.token, "leased_until": now + _lease(services), "retry_at": None}
    if turn.state == "postponed":
        if not (turn.retry_at is None or due.has_come(turn.retry_at, now, due.PUT_OFF_LONGEST)):
            return None
    elif _is_abandoned(services, turn, now):
        mine["attempts"] = turn.attempts + 1
    else:
        return None
    move(db, Turn, "running", Turn.id == turn.id, **mine)
    texts = _claimed_texts(db, turn.id)
    more = _waiting(db, turn.person_id, now, None)
    return _in_hand(db, services, turn, texts, now, more_waiting=bool(more), taken_up=True, is_a_try=is_down)


def _begin(
    db: Session, services: Services, person_id: int, terminal_text: int | None, now: datetime, *, is_down: bool
) -> OpenTurn | None:
    """A new turn of what waits."""
    waiting = _waiting(db, person_id, now, terminal_text)
    if terminal_text is None:
        waiting = rates.admitted(db, services, person_id, waiting, now)
    texts = _together(waiting)
    if not texts:
        return None
    if not _is_for_code(texts) and not _may_ask(db, services, person_id, texts[0].carrier, now, is_down=is_down):
        return None
    turn = _open(db, services, person_id, texts, now)
    more = len(waiting) > len(texts)
    return _in_hand(db, services, turn, texts, now, more_waiting=more, taken_up=False, is_a_try=is_down)


def _may_ask(db: Session, services: Services, person_id: int, carrier: str, now: datetime, *, is_down: bool) -> bool:
    if not is_down or carrier == "terminal":  # Whoever sits at a terminal wants to see for themselves.
        return True
    return outage.is_to_try(db, person_id, now, services.settings.turn_max_seconds)


def _still_ours(turn: OpenTurn) -> tuple[ColumnElement[bool], ...]:
    """The fence: the turn is in this process's hand, in the attempt that it was claimed for."""
    return (Turn.id == turn.id, Turn.state == "running", Turn.owner == turn.owner, Turn.attempts == turn.attempt)


def _waiting(db: Session, person_id: int, now: datetime, terminal_text: int | None) -> Sequence[Message]:
    waiting = db.scalars(_WAITING, {"person": person_id}).all()
    if terminal_text is not None:
        return [text for text in waiting if text.id == terminal_text]
    return [text for text in waiting if _is_for_a_server(text, now)]


def _is_for_a_server(text: Message, now: datetime) -> bool:
    """A terminal's text is its terminal's for a while."""
    return text.carrier != "terminal" or due.was_long_ago_at(text.created_at, now, TERMINAL_GRACE)


def is_for_servers(now: datetime) -> ColumnElement[bool]:
    """Which texts a server answers."""
    return or_(Message.carrier != "terminal", due.was_long_ago(Message.created_at, now, TERMINAL_GRACE))


def _claimed_texts(db: Session, turn_id: int) -> Sequence[Message]:
    texts = select(Message).where(Message.turn_id == turn_id, Message.direction == "in")
    return db.scalars(texts.order_by(Message.id)).all()


def _is_abandoned(services: Services, turn: Turn, now: datetime) -> bool:
    """Whether nobody works on it: a lane never claims while it answers, so our own token means an earlier attempt."""
    is_ours = turn.owner == services.process.token
    return is_ours or due.has_come(turn.leased_until, now, due.LEASE_LONGEST) or services.process.is_gone(turn.owner)


def _together(waiting: Sequence[Message]) -> Sequence[Message]:
    """The texts that make one turn: a command alone, others up to a command or to another carrier's text."""
    if not waiting or _is_command(waiting[0]):
        return waiting[:1]
    for place, text in enumerate(waiting):
        if _is_command(text) or text.carrier != waiting[0].carrier:
            return waiting[:place]
    return waiting


def _is_command(text: Message) -> bool:
    return text.body.lstrip().startswith("/")


def _is_for_code(texts: Sequence[Message]) -> bool:
    """Whether it is answered without the model, and so also while that is down."""
    return _is_command(texts[0]) or any(opt_out.wish_of(text.body) for text in texts)


def _open(db: Session, services: Services, person_id: int, texts: Sequence[Message], now: datetime) -> Turn:
    conversation = conversations.current(db, person_id, texts[0].created_at, now)
    kind = "command" if _is_command(texts[0]) else "reply"
    turn = _new(services, person_id, conversation, kind, texts[0].carrier, now)
    db.add(turn)
    db.flush()
    for text in texts:
        text.turn_id = turn.id
    return turn


def _new(
    services: Services, person_id: int, conversation: Conversation, kind: str, carrier: str, now: datetime
) -> Turn:
    return Turn(
        person_id=person_id,
        conversation_id=conversation.id,
        memory_on=conversation.memory_on,
        kind=kind,
        carrier=carrier,
        state="running",
        owner=services.process.token,
        leased_until=now + _lease(services),
        attempts=1,
        started_at=now,
    )


def _in_hand(
    db: Session,
    services: Services,
    turn: Turn,
    texts: Sequence[Message],
    now: datetime,
    *,
    more_waiting: bool,
    taken_up: bool,
    is_a_try: bool,
) -> OpenTurn:
    last_reply = db.scalar(_LAST_REPLY_AT, {"person": turn.person_id})
    zone = db.scalars(_TIMEZONE, {"person": turn.person_id}).one()
    return OpenTurn(
        id=turn.id,
        person_id=turn.person_id,
        conversation_id=turn.conversation_id,
        carrier=turn.carrier,
        owner=turn.owner,
        attempt=turn.attempts,
        memory_on=turn.memory_on and db.scalars(_MEMORY_ON, {"conversation": turn.conversation_id}).one(),
        texts=tuple(texts),
        deadline=services.clock.monotonic() + services.settings.turn_max_seconds,
        first_of_day=last_reply is None or not same_local_day(last_reply, now, zone),
        more_waiting=more_waiting,
        tries=turn.model_calls,
        taken_up=taken_up,
        is_a_try=is_a_try,
        routine=outcomes.in_turn(db, turn.id, now) if turn.kind == "routine" else None,
    )


def _lease(services: Services) -> timedelta:
    return timedelta(seconds=services.settings.turn_max_seconds) + LEASE_MARGIN

"""The ways a turn ends: with a reply, without a word, or postponed until it can be answered.

A request that Claude calls invalid is mostly invalid for everybody, but the cause may lie in one person's conversation.
So each refused turn waits for the operator's repair on its own and blocks nobody else's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import Table, bindparam, delete, exists, select, update
from sqlalchemy.orm import Session

from app.conversation import waiting
from app.conversation.claim import MAX_ATTEMPTS, OpenTurn, ownership_conditions, owns_turn
from app.delivery import outbox
from app.errors import ModelDown, RequestRefused
from app.memory import episodes, facts
from app.memory.episodes.retelling import shorten_quotes_of_turn
from app.memory.facts import KnownFact
from app.memory.forgotten import turns_that_forgot
from app.models import Alert, Conversation, Mark, Message, Spending, Turn, move
from app.operations.alerts import MODEL_REFUSED, clear, raise_alert
from app.people import claim_notice
from app.routines import occurrences
from app.services import Services
from app.services.tool import CallMade
from app.text import kind_words, sms_text
from app.text.wording import MEASURES, subjects, things

REFUSAL_NOTICE_APART = timedelta(days=1)
ENOUGH = 0.5  # "How is Max?" draws on the dog named Max; "see you at work" on no software engineer.
_COMMON_SUBJECTS = subjects("live work")  # These occur in so many facts that alone they point to none.

DEAD_LETTER = (
    f"A text ended its process {MAX_ATTEMPTS} times and was given up; the person was told. "
    "Look at it on the operator's pages, and have it tried again once the cause is mended."
)

_CONVERSATIONS = cast("Table", Conversation.__table__)
_MARK_ACTIVE = update(_CONVERSATIONS).where(_CONVERSATIONS.c.id == bindparam("conversation"))
_REFUSED = exists().where(Alert.kind == MODEL_REFUSED, Alert.cleared_at.is_(None))
_TROUBLE = select(exists().where(Mark.name == waiting.DOWN) | _REFUSED)
"""Built once: every turn runs these, and building a statement takes longer than running it."""

_NOT_COLUMNS = frozenset({"text", "tool_calls", "facts_used", "episodes_used"})  # They are stored in rows of their own.


@dataclass
class Reply:
    """The answer to one turn, with its costs and how it was made."""

    text: str = ""
    outcome: str = "replied"  # `replied`, or the reason for sending a kind sentence instead.
    model: str | None = None
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_cents: float = 0.0
    model_seconds: float = 0.0
    memory_shown: str | None = None
    memory_tokens: int = 0
    tool_calls: list[CallMade] = field(default_factory=list)
    recall_gate: str | None = None
    recalled: list[dict[str, Any]] | None = None
    recall_ms: float | None = None  # The same as the turn's column.
    episodes_used: frozenset[int] = frozenset()
    """Numbers of the episodes that were shown, or found by a search."""
    facts_used: frozenset[int] = frozenset()
    """Numbers of the facts that the reply draws on, or that a search found."""

    @property
    def searches(self) -> list[dict[str, Any]]:
        """The results of the model's own searches of memory."""
        return [call.answered for call in self.tool_calls if call.name == "recall_memory" and call.answered]

    def columns(self) -> dict[str, Any]:
        """Values for the turn's columns."""
        kind = {"kind": "command"} if self.outcome == "command" else {}
        return {name: value for name, value in vars(self).items() if name not in _NOT_COLUMNS} | kind


def finish(services: Services, turn: OpenTurn, reply: Reply) -> list[Message]:
    """End the turn in one transaction: queue the reply, mark the texts answered, store the turn's costs and uses.

    Returns the queued texts; none if another process has taken the turn over meanwhile.
    """
    now = services.clock.now()
    parts = sms_text.split(reply.text)
    with services.transaction(turn.person_id) as db:
        if not move(db, Turn, "done", *ownership_conditions(turn), ended_at=now, **reply.columns()):
            return []
        db.connection().execute(_MARK_ACTIVE, {"conversation": turn.conversation_id, "last_at": now})
        if turn.routine is not None:
            occurrences.note_said(db, turn.routine, now)
        else:
            move(db, Message, "dead" if turn.is_spent else "answered", Message.turn_id == turn.id)
        if reply.tool_calls and turns_that_forgot(db, [turn.id]):
            shorten_quotes_of_turn(db, turn.person_id, turn.id, turn.texts[0].created_at)
        if turn.is_spent:
            raise_alert(db, "dead_letters", DEAD_LETTER, now)
        facts.count_use(db, turn.person_id, reply.facts_used, now)
        if reply.episodes_used:
            episodes.count_use(db, turn.person_id, reply.episodes_used, now)
        purpose = "reply" if turn.routine is None else "routine"
        return outbox.queue(db, turn.person_id, turn.id, turn.carrier, parts, now, purpose=purpose)


def end(db: Session, turn: OpenTurn, outcome: str, now: datetime) -> bool:
    """End a turn without a text; False if another process has taken it over or ended it meanwhile."""
    return move(db, Turn, "done", *ownership_conditions(turn), ended_at=now, outcome=outcome) == 1


def put_off_for_outage(services: Services, turn: OpenTurn, error: ModelDown) -> None:
    """Keep the turn and its claimed texts until the model is back."""
    now = services.clock.now()
    with services.transaction() as db:
        if postpone(db, turn, now, tried=True):  # Due at once: during an outage a turn is taken up only as a try.
            waiting.note_model_down(db, turn.person_id, error, now)


def undo_claim(db: Session, turn: OpenTurn) -> bool:
    """Undo the claim of a turn that has said nothing yet: its texts wait as if it had never begun.

    Returns False if another process has taken the turn over meanwhile.
    """
    if not owns_turn(db, turn):
        return False
    db.execute(update(Message).where(Message.turn_id == turn.id).values(turn_id=None))
    db.execute(update(Spending).where(Spending.turn_id == turn.id).values(turn_id=None))
    db.execute(delete(Turn).where(Turn.id == turn.id))
    return True


def postpone(db: Session, turn: OpenTurn, until: datetime, *, tried: bool = False) -> bool:
    """Postpone the turn with its claimed texts; False if another process has taken it over meanwhile.

    `until` is at most `waiting.PUT_OFF_LONGEST` ahead. `tried` counts one more failed try at the model.
    """
    tries = turn.tries + int(tried)
    return move(db, Turn, "postponed", *ownership_conditions(turn), retry_at=until, model_calls=tries) == 1


def end_leases(services: Services) -> int:
    """End the leases of this process's running turns, so that others take them up at once. Returns their count."""
    now = services.clock.now()
    with services.transaction() as db:
        ours = (Turn.state == "running", Turn.owner == services.process.token)
        return move(db, Turn, "running", *ours, leased_until=now)


def put_off_for_refusal(services: Services, turn: OpenTurn, error: RequestRefused) -> None:
    """Keep the turn with its texts, and tell the person so, at most once a day."""
    tell_operator_of_refusal(services, error)
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        is_kept = postpone(db, turn, now + waiting.PUT_OFF_LONGEST, tried=True)
        # Only the first try: it follows the person's text, so they are awake. Later tries come at any hour.
        is_first = is_kept and not turn.tries
        if is_first and claim_notice(db, turn.person_id, waiting.NOTICE, now, every=REFUSAL_NOTICE_APART):
            outbox.queue(db, turn.person_id, None, turn.carrier, [kind_words.MODEL_DOWN], now, purpose="notice")


def tell_operator_of_refusal(services: Services, error: RequestRefused) -> None:
    """Raise the operator's alert, quoting the server's error."""
    says = f"Claude refuses requests as they are made; the texts are kept and tried again. {error}"
    with services.transaction() as db:
        raise_alert(db, MODEL_REFUSED, says, services.clock.now())


def is_model_in_trouble(db: Session) -> bool:
    """True if the model was down or refused requests when it was last asked."""
    return db.scalar(_TROUBLE) or False


def end_trouble(services: Services, turn: OpenTurn, now: datetime) -> None:
    """End the outage, as the model has answered; end the refusal alert too unless another turn still waits for it."""
    with services.transaction() as db:
        was_down = waiting.end_outage(db, now)
        waits = select(Turn.id).where(Turn.OPEN, Turn.state == "postponed", Turn.model_calls > 0, Turn.id != turn.id)
        if db.scalar(waits.limit(1)) is None:
            clear(db, MODEL_REFUSED, now)
    if was_down:
        waiting.wake_waiting(services, quiet_seconds=0)


def episodes_found(reply: Reply) -> frozenset[int]:
    """Numbers of the episodes that the model's own searches found."""
    return frozenset(int(one["id"].removeprefix("ep")) for found in reply.searches for one in found["episodes"])


def facts_used(reply: Reply, shown: Sequence[KnownFact], texts: Sequence[Message]) -> frozenset[int]:
    """Numbers of the facts that the turn used.

    A fact that was shown at the start or listed counts as used if the reply mentions it. A fact that this turn learned
    or changed does not count, even if an earlier attempt at the same texts learned it. An archived fact counts if a
    search found it and the reply mentions it: use makes it live again, so merely turning up is not enough.
    """
    heard = {text.id for text in texts}
    learned = {fact.number for fact in shown if fact.message_id in heard}
    known = {fact.number: fact.sentence for fact in shown}
    found: set[int] = set()
    for call in reply.tool_calls:
        if not (result := call.answered):
            continue
        match call.name:
            case "extract_memory":
                learned |= {fact["id"] for fact in result["stored"]}
            case "update_memory":
                learned.add(result["fact"]["id"])
            case "list_memories":
                known |= {fact["id"]: fact["fact"] for fact in result["facts"] if not fact.get("archived")}
            case "recall_memory":
                current = [fact for fact in result["facts"] if fact["current"]]
                known |= {fact["id"]: fact["fact"] for fact in current if fact.get("archived")}
                found |= {fact["id"] for fact in current if not fact.get("archived")}
    drawn = _mentioned(reply.text, known) if reply.outcome in Turn.SPOKEN else set()
    return frozenset((drawn | found) - learned)


def _mentioned(reply: str, sentences: Mapping[int, str]) -> set[int]:
    """Numbers of the sentences of which the reply names at least a share of `ENOUGH` of the things, in any form."""
    said = subjects(reply)
    about = {number: things(one) - MEASURES for number, one in sentences.items()}
    return {
        number
        for number, named in about.items()
        if said & named - _COMMON_SUBJECTS and len(said & named) >= ENOUGH * len(named)
    }

"""The steps of a turn, kept as they happen: what the model said, and what its tools came to."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from app.conversation import waiting
from app.conversation.budget import Answered
from app.conversation.claim import OpenTurn, holds
from app.conversation.finish import end_refusal_if_nobody_waits
from app.errors import Overtaken
from app.models import ModelAnswer, ToolCall
from app.services import Services
from app.services.tool import CallMade

if TYPE_CHECKING:
    from anthropic.types import Message as ModelMessage


@dataclass(frozen=True)
class Kept:
    """What an earlier attempt at a turn left, in order."""

    answers: "tuple[tuple[ModelMessage, float], ...]" = ()
    """What the model said, each with the seconds it took."""
    calls: tuple[CallMade, ...] = ()


def kept_earlier(services: Services, turn: OpenTurn) -> Kept:
    """Nothing, for nearly every turn; else what was kept before its process died or the model went away."""
    if not turn.taken_up:
        return Kept()
    with services.reading() as db:
        said = select(ModelAnswer).where(ModelAnswer.turn_id == turn.id).order_by(ModelAnswer.ordinal)
        answers = db.scalars(said).all()
        if not answers:
            return Kept()
        calls = db.scalars(select(ToolCall).where(ToolCall.turn_id == turn.id).order_by(ToolCall.ordinal)).all()
    from anthropic.types import Message as ModelMessage  # noqa: PLC0415  (it takes most of a second to load)

    return Kept(
        tuple((ModelMessage.construct(**kept.answer), kept.seconds) for kept in answers),
        tuple(CallMade(call.name, call.input, call.result, call.is_error) for call in calls),
    )


def keep_answer(services: Services, turn: OpenTurn, ordinal: int, answered: Answered) -> None:
    """Keep what the model said and what it cost, before anything is done with it.

    Raises:
        Overtaken: another process has taken the turn over; that it cost something is kept all the same.
    """
    now = services.clock.now()
    said = answered.answer.to_dict(mode="json", warnings=False)
    with services.transaction() as db:
        answered.settle(db)
        is_ours = holds(db, turn)
        was_down = waiting.end_outage(db, now) if is_ours else False
        if is_ours:
            end_refusal_if_nobody_waits(db, turn.id, now)
            db.add(ModelAnswer(turn_id=turn.id, ordinal=ordinal, answer=said, seconds=answered.seconds, at=now))
    if not is_ours:
        raise Overtaken
    if was_down:
        waiting.wake_after_outage(services)


def keep_call(services: Services, turn: OpenTurn, ordinal: int, call: CallMade) -> None:
    """Keep what a tool was asked and what came back.

    Raises:
        Overtaken: another process has taken the turn over.
    """
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        if not holds(db, turn):
            raise Overtaken
        db.add(ToolCall(turn_id=turn.id, ordinal=ordinal, at=now, **call.columns()))

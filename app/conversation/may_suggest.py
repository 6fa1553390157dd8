"""Whether a suggestion may be said now: asked at the moment at which it would be sent. It waits for a good one."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import budget, claim, may_come, outage
from app.conversation.may_come import LANE_PAUSE, MOST_A_DAY, Verdict
from app.memory.episodes.triggers import CONVERSATION_GAP
from app.models import Conversation, Message, Person, Suggestion
from app.routines import habits, suggestions, wishes
from app.routines.wall_time import instant_of
from app.services import Services

BEGIN, END = time(9), time(20)  # A question that can wait is no reason to look at a phone at breakfast or in the night.
QUIET_FOR = timedelta(minutes=30)  # Not into a conversation: a yes or a no would be to something else.
AFTER_A_QUESTION = timedelta(hours=2)  # Of ours, which was not answered: the same.
AFTER_WHAT_IS_HARD = timedelta(hours=24)
TEXTS_LOOKED_AT = 200
OUTAGE_PAUSE = timedelta(minutes=10)


def ask(
    db: Session, services: Services, suggestion: Suggestion, person: Person, carrier: str, now: datetime
) -> Verdict:
    """What is to become of it now: `go`, `wait` with an instant, or `skipped` for good."""
    return (
        may_come.of_the_person(person, carrier, now)
        or _of_itself(db, suggestion, now)
        or may_come.until_they_text(db, person, carrier, now)
        or _of_the_conversation(db, person, now)
        or _of_the_day(db, services, person, now)
        or may_come.GO
    )


def _of_itself(db: Session, suggestion: Suggestion, now: datetime) -> Verdict | None:
    if now - suggestion.created_at > suggestions.STALE:
        return Verdict("skipped", f"It could not be said within {suggestions.STALE.days} days.")
    habit = suggestions.as_habit(suggestion)
    if habits.is_known(habit, suggestions.held(db, suggestion.person_id)):
        return Verdict("skipped", "The person has set it up themselves.")
    return None


def _of_the_conversation(db: Session, person: Person, now: datetime) -> Verdict | None:
    if claim.is_at_work(db, person.id):
        return Verdict("wait", "The person was being answered.", now + LANE_PAUSE)
    last = select(Conversation).where(Conversation.person_id == person.id).order_by(Conversation.id.desc()).limit(1)
    conversation = db.scalars(last).one_or_none()
    if conversation is not None and not conversation.memory_on and now - conversation.last_at < CONVERSATION_GAP:
        return Verdict("wait", "Memory was off.", conversation.last_at + CONVERSATION_GAP)
    texts = select(Message).where(Message.person_id == person.id).order_by(Message.id.desc()).limit(TEXTS_LOOKED_AT)
    recent = db.scalars(texts).all()
    for text in recent[:1]:
        if now - text.created_at < QUIET_FOR:
            return Verdict("wait", "The person was texting.", text.created_at + QUIET_FOR)
        asks = text.direction == "out" and text.purpose == "reply" and text.body.rstrip().endswith(("?", "？"))
        if asks and now - text.created_at < AFTER_A_QUESTION:
            return Verdict("wait", "A question was open.", text.created_at + AFTER_A_QUESTION)
    for text in recent:
        over_at = text.created_at + AFTER_WHAT_IS_HARD
        if text.direction == "in" and now < over_at and wishes.is_hard(text.body):
            return Verdict("wait", "What the person told was hard.", over_at)
    return None


def _of_the_day(db: Session, services: Services, person: Person, now: datetime) -> Verdict | None:
    there = local(now, person.timezone)
    if not BEGIN <= there.time() < END:
        days = 0 if there.time() < BEGIN else 1
        return Verdict("wait", "It was early or late.", _morning(person, there, days))
    until = may_come.quiet_until(person, now)
    if until is not None:
        return Verdict("wait", "It waits for the end of quiet hours.", until)
    if may_come.unasked_today(db, person, now) >= MOST_A_DAY:
        reason = f"{MOST_A_DAY} texts that were not asked for had gone out already."
        return Verdict("wait", reason, _morning(person, there, 1))
    if outage.is_on(db):
        return Verdict("wait", "The model was down.", now + OUTAGE_PAUSE)
    if budget.is_spent(db, services, person.id, now):
        return Verdict("wait", "The day's money was spent.", _morning(person, there, 1))
    return None


def _morning(person: Person, there: datetime, days: int) -> datetime:
    return instant_of(datetime.combine(there.date() + timedelta(days=days), BEGIN), ZoneInfo(person.timezone))

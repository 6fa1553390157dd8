"""One suggestion, said in one text: queued by code in the transaction that notes it, as a reminder is.

Whether it may be said is asked at the moment at which it would be sent. It waits for a good one.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import budget, claim, due_routines, may_come, outage
from app.conversation.may_come import LANE_PAUSE, MOST_A_DAY, Verdict
from app.delivery import outbox
from app.features.habits import habits, records, wishes
from app.memory.episodes.triggers import CONVERSATION_GAP
from app.models import Conversation, Message, Person, Suggestion
from app.models.states import move
from app.routines import suggestions
from app.routines.described import describe
from app.routines.due import instant_of
from app.services import Services
from app.store.faultpoints import reach
from app.text import sms_text

BEGIN, END = time(9), time(20)  # A question that can wait is no reason to look at a phone at breakfast or in the night.
QUIET_FOR = timedelta(minutes=30)  # Not into a conversation: a yes or a no would be to something else.
AFTER_A_QUESTION = timedelta(hours=2)  # Of ours, which was not answered: the same.
AFTER_WHAT_IS_HARD = timedelta(hours=24)
TEXTS_LOOKED_AT = 200
OUTAGE_PAUSE = timedelta(minutes=10)
QUOTED_CHARS = 100  # Enough to know one's own words again; the whole text is three segments at most.


def take_next(services: Services, person_id: int) -> bool:
    """Whether there was a suggestion to look at: it was said, put off or dropped."""
    now = services.clock.now()
    with services.reading() as db:  # Most calls find nothing, and a look costs no writer's turn.
        if records.due_of(db, person_id, now) is None:
            return False
    with services.transaction() as db:
        suggestion = records.due_of(db, person_id, now)
        if suggestion is None:
            return False
        person = db.get_one(Person, person_id)
        carrier = due_routines.carrier_of(services, _last_carrier(db, person_id))
        verdict = _verdict(db, services, suggestion, person, carrier, now)
        this = Suggestion.id == suggestion.id
        match verdict.what:
            case "go":
                _say(db, services, suggestion, person, carrier, now)
            case "wait":
                move(db, Suggestion, "waiting", this, run_at=verdict.until or now, reason=verdict.reason)
            case _:
                move(db, Suggestion, "dropped", this, reason=verdict.reason)
    reach("suggestion.taken")
    return True


def words_of(suggestion: Suggestion, zone: str) -> str:
    """The text in which it is suggested."""
    quote = suggestion.words if len(suggestion.words) <= QUOTED_CHARS else f"{suggestion.words[:QUOTED_CHARS]}..."
    if suggestion.schedule is not None:
        when = describe(suggestions.schedule_of(suggestion), zone)
        return (
            f'You often ask me this at about the same time: "{quote}". Shall I text it to you by myself, {when}? '
            "Reply yes or no."
        )
    return (
        f'You have asked me for this {suggestion.times} times lately: "{quote}". Shall I always do so, with the rule '
        f'"{suggestion.procedure}"? Reply yes or no.'
    )


def _say(db: Session, services: Services, suggestion: Suggestion, person: Person, carrier: str, now: datetime) -> None:
    turn = claim.open_for_routine(db, services, person.id, carrier, now, outcome="suggested")
    parts = sms_text.split(words_of(suggestion, person.timezone))
    outbox.queue(db, person.id, turn.id, carrier, parts, now, purpose="routine")
    this = Suggestion.id == suggestion.id
    move(db, Suggestion, "said", this, turn_id=turn.id, said_at=now, reason=None)


def _last_carrier(db: Session, person_id: int) -> str:
    texts = select(Message.carrier).where(Message.person_id == person_id, Message.direction == "in")
    return db.scalar(texts.order_by(Message.id.desc()).limit(1)) or ""


def _verdict(
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
    if now - suggestion.created_at > records.STALE:
        return Verdict("skipped", f"It could not be said within {records.STALE.days} days.")
    habit = records.as_habit(suggestion)
    if habits.is_known(habit, records.held(db, suggestion.person_id)):
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

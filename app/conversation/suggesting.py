"""One suggestion, said in one text: queued by code in the transaction that notes it, as a reminder is."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.conversation import claim, due_routines, may_suggest
from app.delivery import outbox
from app.models import Message, Person, Suggestion
from app.models.states import move
from app.routines import suggestions
from app.routines.described import describe
from app.services import Services
from app.text import sms_text

QUOTED_CHARS = 100  # Enough to know one's own words again; the whole text is three segments at most.


def take_next(services: Services, person_id: int) -> bool:
    """Whether there was a suggestion to look at: it was said, put off or dropped."""
    now = services.clock.now()
    with services.reading() as db:  # Most calls find nothing, and a look costs no writer's turn.
        if suggestions.due_of(db, person_id, now) is None:
            return False
    with services.transaction() as db:
        suggestion = suggestions.due_of(db, person_id, now)
        if suggestion is None:
            return False
        person = db.get_one(Person, person_id)
        carrier = due_routines.carrier_of(services, _last_carrier(db, person_id))
        verdict = may_suggest.ask(db, services, suggestion, person, carrier, now)
        this = Suggestion.id == suggestion.id
        match verdict.what:
            case "go":
                _say(db, services, suggestion, person, carrier, now)
            case "wait":
                move(db, Suggestion, "waiting", this, run_at=verdict.until or now, reason=verdict.reason)
            case _:
                move(db, Suggestion, "dropped", this, reason=verdict.reason)
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

"""One suggestion: sent in one text, which code queues like a reminder; code also understands a yes or no to it.

The checks run at the moment when it would be sent, and it waits until they allow it. A yes counts only as an answer to
our last text; a no counts a little later too, as it is safer to obey. The model answers anything that says more:
it knows the suggestion, and may set it up in other words.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.conversation import budget, claim, due_routines
from app.conversation.claim import OpenTurn
from app.conversation.due_routines import Verdict
from app.conversation.finish import Reply
from app.delivery import outbox
from app.errors import Conflict, Refused
from app.features.habits.habits import Known, is_known
from app.features.habits.words import is_hard, is_plain_yes, is_short, says_no
from app.memory import Origin, RuleWords, rules, set_rule
from app.memory.forgotten import Fence, forgotten_things, mentions_forgotten
from app.memory.rules import spoken
from app.models import Message, Person, Suggestion, move
from app.routines import rows, setting, suggestions
from app.routines.described import describe, spoken_instant
from app.routines.schedule import instant_of
from app.routines.setting import MOST_A_DAY, NewRoutine
from app.services import Services
from app.store.faultpoints import reach
from app.text import sms_text
from app.text.own_words import Written, own_words

BEGIN, END = time(9), time(20)  # A question that can wait should not disturb a breakfast or a night.
QUIET_FOR = timedelta(minutes=30)  # Not into a conversation: a yes or a no would answer something else.
AFTER_A_QUESTION = timedelta(hours=2)  # After an unanswered question of ours, for the same reason.
AFTER_WHAT_IS_HARD = timedelta(hours=24)
TEXTS_LOOKED_AT = 200
NO_LATER = timedelta(hours=1)
STALE = timedelta(days=3)
"""A suggestion that could not be said for this long is dropped: a lasting habit is found again."""
QUOTED_CHARS = 100  # Enough to recognise one's own words; the whole text is three segments at most.

# Built once: every turn asks.
_OPEN_OF = select(Suggestion).where(Suggestion.OPEN, Suggestion.person_id == bindparam("person"))


def open_suggestion(db: Session, person_id: int) -> Suggestion | None:
    """The person's suggestion that waits to be said, or for its answer."""
    return db.scalars(_OPEN_OF, {"person": person_id}).one_or_none()


def held(db: Session, person_id: int) -> list[Known]:
    """The routines that the person has or had, and the rules that they have."""
    routines = [one for one in rows.all_of(db, person_id) if not rows.comes_once(one)]
    found = [Known("routine", one.words, schedule=rows.schedule_of(one)) for one in routines]
    return found + [Known("rule", spoken(one)) for one in rules.live(db, person_id)]


def answer(services: Services, turn: OpenTurn) -> Reply | None:
    """The reply to a plain yes or no to a suggestion; None if the turn says anything else, or more."""
    if turn.routine is not None or not turn.memory_on:
        return None
    with services.reading() as db:  # Nearly nobody has one open.
        suggestion = open_suggestion(db, turn.person_id)
        if turn.taken_up:  # A process that died may have answered it before.
            own = Suggestion.answer_message_id.in_([text.id for text in turn.texts])
            answered = select(Suggestion).where(Suggestion.person_id == turn.person_id, own).limit(1)
            suggestion = db.scalars(answered).one_or_none() or suggestion
        if suggestion is None or suggestion.said_at is None:
            return None
        is_last = _was_said_last(db, suggestion, turn)
        zone = people.by_id(db, turn.person_id).timezone
    words = own_words([Written(text.body, text.forwarded) for text in turn.texts])
    if says_no(words):
        is_near = turn.texts[0].created_at - suggestion.said_at <= NO_LATER
        is_plain = is_short(words)
        if is_last or (is_near and is_plain):
            _note_answer(services, suggestion, turn, "declined")
        return Reply("Okay, I won't suggest that again.", "suggestion_declined") if is_last and is_plain else None
    if is_last and is_plain_yes(words) and not any(text.media_count for text in turn.texts):
        return Reply(_accept(services, suggestion, turn, zone), "suggestion_accepted")
    return None


def _was_said_last(db: Session, suggestion: Suggestion, turn: OpenTurn) -> bool:
    """True if it was sent, and no text of ours went out since."""
    to_them = (Message.person_id == turn.person_id) & (Message.direction == "out")
    went_out = Message.state.in_(("sent", "sending", "unknown"))
    ours = select(Message.turn_id).where(to_them, went_out, Message.id < turn.texts[0].id)
    return db.scalar(ours.order_by(Message.id.desc()).limit(1)) == suggestion.turn_id


def _note_answer(services: Services, suggestion: Suggestion, turn: OpenTurn, state: str, **values: object) -> None:
    with services.transaction() as db:
        values |= {"answered_at": services.clock.now(), "answer_message_id": turn.texts[-1].id}
        move(db, Suggestion, state, Suggestion.id == suggestion.id, **values)


def _accept(services: Services, suggestion: Suggestion, turn: OpenTurn, zone: str) -> str:
    """Make the routine or rule, and return the reply. Run again after a crash, it finds it and makes nothing more."""
    # The origin is the person: they said the words again and again, and said yes to the suggestion.
    origin = Origin("person", "explicit", turn.id, suggestion.message_id, suggestion.words)
    try:
        if suggestion.schedule is None:
            wanted = RuleWords("always", None, suggestion.procedure or "")
            rule = set_rule(services, turn.person_id, wanted, origin).rule
            number = rule.number
            told = f"Kept, and it holds from now on: {spoken(rule)}. /rules shows all, /undo takes it back."
        else:
            number, told = _set_routine(services, suggestion, turn, origin, zone)
    except Refused:
        kind = "rules" if suggestion.schedule is None else "routines"
        return f"You have as many {kind} as I can keep. Text /{kind}, drop one, and ask me for this again."
    reach("suggestion.made")
    _note_answer(services, suggestion, turn, "accepted", made_number=number)
    return told


def _set_routine(
    services: Services, suggestion: Suggestion, turn: OpenTurn, origin: Origin, zone: str
) -> tuple[int, str]:
    schedule = suggestions.schedule_of(suggestion)
    try:
        new = NewRoutine("run", suggestion.words, schedule)
        routine = setting.set_routine(services, turn.person_id, new, origin, turn.carrier)
        number, next_at = routine.number, routine.next_due_at
    except Conflict:
        with services.reading() as db:
            theirs = rows.standing(db, turn.person_id)
        same = [one for one in theirs if one.words == suggestion.words and one.schedule == suggestion.schedule]
        number, next_at = (same[0].number, same[0].next_due_at) if same else (0, None)
    first = f" First: {spoken_instant(next_at, zone, services.clock.now())}." if next_at is not None else ""
    when = describe(schedule, zone)
    return number, f'Done: "{suggestion.words}", {when}.{first} /routines shows all, /undo takes it back.'


def handle_next(services: Services, person_id: int) -> bool:
    """True if there was a suggestion to handle: it was said, put off or dropped."""
    now = services.clock.now()
    due = select(Suggestion).where(Suggestion.WAITING, Suggestion.person_id == person_id, Suggestion.run_at <= now)
    if not services.finds(due):
        return False
    with services.transaction() as db:
        suggestion = db.scalars(due).one_or_none()
        if suggestion is None:
            return False
        person = db.get_one(Person, person_id)
        texts = select(Message.carrier).where(Message.person_id == person_id, Message.direction == "in")
        last = db.scalar(texts.order_by(Message.id.desc()).limit(1)) or ""
        carrier = due_routines.carrier_of(services, last)
        verdict = _verdict(db, services, suggestion, person, carrier, now)
        this = Suggestion.id == suggestion.id
        match verdict.what:
            case "go":
                turn = claim.open_for_routine(db, services, person_id, carrier, now, outcome="suggested")
                parts = sms_text.split(_text_of(suggestion, person.timezone))
                outbox.queue(db, person_id, turn.id, carrier, parts, now, purpose="routine")
                move(db, Suggestion, "said", this, turn_id=turn.id, said_at=now, reason=None)
            case "wait":
                move(db, Suggestion, "waiting", this, run_at=verdict.until or now, reason=verdict.reason)
            case _:
                move(db, Suggestion, "dropped", this, reason=verdict.reason)
    reach("suggestion.taken")
    return True


def _text_of(suggestion: Suggestion, zone: str) -> str:
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


def _verdict(
    db: Session, services: Services, suggestion: Suggestion, person: Person, carrier: str, now: datetime
) -> Verdict:
    """The decision on it now: `go`, `wait` with an instant, or `skipped` for good."""
    return (
        due_routines.verdict_for_person(person, carrier, now)
        or _of_itself(db, suggestion, now)
        or due_routines.wait_until_they_text(db, person, carrier, now)
        or _of_the_conversation(db, person, now)
        or _of_the_day(db, services, person, now)
        or due_routines.GO
    )


def _of_itself(db: Session, one: Suggestion, now: datetime) -> Verdict | None:
    if now - one.created_at > STALE:
        return Verdict("skipped", f"It could not be said within {STALE.days} days.")
    since = forgotten_things(db, one.person_id, since=one.created_at)
    if mentions_forgotten(one.words, Fence(since), one.created_at):
        return Verdict("skipped", "The person has had it forgotten since.")
    if is_known(one, held(db, one.person_id)):
        return Verdict("skipped", "The person has set it up themselves.")
    return None


def _of_the_conversation(db: Session, person: Person, now: datetime) -> Verdict | None:
    texts = select(Message).where(Message.person_id == person.id).order_by(Message.id.desc()).limit(TEXTS_LOOKED_AT)
    recent = db.scalars(texts).all()
    for text in recent[:1]:
        if now - text.created_at < QUIET_FOR:
            return Verdict("wait", "The person was texting.", text.created_at + QUIET_FOR)
        asks = text.direction == "out" and text.purpose == "reply" and text.body.rstrip().endswith(("?", "？"))
        if asks and now - text.created_at < AFTER_A_QUESTION:
            return Verdict("wait", "A question was open.", text.created_at + AFTER_A_QUESTION)
    for text in recent:
        end_after = text.created_at + AFTER_WHAT_IS_HARD
        if text.direction == "in" and now < end_after and is_hard(text.body):
            return Verdict("wait", "What the person told was hard.", end_after)
    return None


def _of_the_day(db: Session, services: Services, person: Person, now: datetime) -> Verdict | None:
    there = local(now, person.timezone)
    if not BEGIN <= there.time() < END:
        return Verdict("wait", "It was early or late.", _morning(person, there, int(there.time() >= END)))
    until = due_routines.quiet_until(person, now)
    if until is not None:
        return Verdict("wait", "It waits for the end of quiet hours.", until)
    if due_routines.unasked_today(db, person, now) >= MOST_A_DAY:
        reason = f"{MOST_A_DAY} texts that were not asked for had gone out already."
        return Verdict("wait", reason, _morning(person, there, 1))
    if budget.is_spent(db, services, person.id, now):
        return Verdict("wait", "The day's money was spent.", _morning(person, there, 1))
    return None


def _morning(person: Person, there: datetime, days: int) -> datetime:
    return instant_of(datetime.combine(there.date() + timedelta(days=days), BEGIN), ZoneInfo(person.timezone))

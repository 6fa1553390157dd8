"""Due routines, carried out in their person's lane, one occurrence at a time.

Everything that could speak against an occurrence is checked at the moment it would be sent.

Code sends a reminder's words in the transaction that settles it, so reminders come even if the model is down or the
day's money is spent. A routine that needs the model gets a turn of its own. Reasons: docs/decisions/0025-routines.md.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, exists, func, select
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import claim, finish, waiting
from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.delivery import outbox, windows
from app.errors import Asleep, Conflict, ModelDown, NotFound, OverBudget, Refused, RequestRefused
from app.models import Message, Occurrence, Person, Routine, Turn, move
from app.people import timezone_of
from app.routines import occurrences, rows, suggestions
from app.routines.described import Missed, missed_line
from app.routines.occurrences import DueRoutine
from app.routines.quiet_hours import QuietHours
from app.routines.schedule import instant_of
from app.routines.setting import MOST_A_DAY, are_all_paused
from app.services import Services
from app.store.faultpoints import reach
from app.text import sms_text

NOW_LASTS = timedelta(minutes=30)  # A run that an operator wanted at once must not surprise the person later.
LANE_PAUSE = timedelta(seconds=5)  # As long as most turns take.
OUTAGE_PAUSE = timedelta(minutes=1)
THEIR_PAUSE = timedelta(minutes=15)  # A text of the person's ends the wait at once.
TRY_AGAIN_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))
"""Pauses after the first three failures, while the occurrence is of use. The fourth try is the last."""


_DUE = (
    select(Occurrence)
    .where(Occurrence.OPEN, Occurrence.person_id == bindparam("person"), Occurrence.run_at <= bindparam("now"))
    .order_by(Occurrence.due_at, Occurrence.id)
    .limit(1)
)
_OPEN = (
    select(Occurrence).where(Occurrence.OPEN, Occurrence.person_id == bindparam("person")).order_by(Occurrence.due_at)
)

What = Literal["go", "wait", "held", "too_late", "missed", "skipped", "cancelled"]


@dataclass(frozen=True)
class Verdict:
    what: What
    reason: str | None = None
    until: datetime | None = None  # For `wait` and `held`: the time to check again.


GO = Verdict("go")


def do_next(services: Services, person_id: int, take_through: Callable[[Services, OpenTurn], None]) -> bool:
    """Deal with the person's longest due occurrence, by code or in a turn of its own; False if none is due."""
    now = services.clock.now()
    which = {"person": person_id, "now": now}
    if not services.finds(_DUE, which):
        return False
    turn = None
    with services.transaction(person_id) as db:
        occurrence = db.scalars(_DUE, which).first()
        if occurrence is None:
            return False
        due = _Due(db, services, occurrence, now)
        verdict = due.verdict()
        if verdict.what == "too_late":
            due.tell_of_all_that_is_missed()
        elif verdict.what != "go":
            due.settle(verdict)
        elif due.routine.does == "run":
            turn = due.hand_over()
        else:
            due.remind()
    reach("routine.taken")
    if turn is not None:
        take_through(services, turn)
    return True


def may_go_on(services: Services, turn: OpenTurn) -> bool:
    """True if the occurrence of a resumed turn is still wanted; if not, the turn is ended without a text."""
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        due = _Due.of_turn(db, services, turn, now)
        verdict = due.verdict(is_begun=True)
        if turn.is_spent:
            verdict = Verdict("missed", "It ended its process again and again.")
        if verdict.what == "go":
            return True
        if finish.end(db, turn, verdict.what, now):
            # Waiting makes `do_next` find it again, which then treats it like any that is held or too late.
            due.settle(replace(verdict, what="wait") if verdict.what in {"held", "too_late"} else verdict)
        return False


def finish_routine(services: Services, turn: OpenTurn, reply: Reply) -> list[Message]:
    """End a routine's turn with its text, and return the queued messages.

    A kind sentence in place of an answer is not sent, because nobody has asked and nobody is waiting.
    """
    # For example, a rain warning on a dry day; of an answer of marks alone a phone would show nothing either.
    if reply.outcome == Turn.SILENT or sms_text.is_blank(sms_text.plain_text(reply.text)):
        _end_without_words(services, turn, Turn.SILENT, lambda _: Verdict("skipped", "There was nothing to say."))
        return []
    if reply.outcome not in Turn.SPOKEN:
        why = f"The model gave no text ({reply.outcome})."
        _end_without_words(services, turn, reply.outcome, lambda due: due.tried_again(why))
        return []
    late = turn.due_routine.late_note(timezone_of(services, turn.person_id), services.clock.now())
    return finish.finish(services, turn, replace(reply, text=f"{reply.text}{late}"))


def put_off(services: Services, turn: OpenTurn, error: ModelDown | OverBudget | RequestRefused) -> None:
    """Put the occurrence off, or skip it if the day's budget is spent: tomorrow it is of no use. Nobody is told."""
    if isinstance(error, RequestRefused):
        finish.tell_operator_of_refusal(services, error)
    if isinstance(error, OverBudget) and error.is_spent:
        _end_without_words(services, turn, error.code, lambda _: Verdict("skipped", str(error)))
    else:
        why = str(error) if isinstance(error, OverBudget) else "The model was down."
        _end_without_words(services, turn, error.code, lambda due: due.tried_again(why))


def run_now(services: Services, person_id: int, number: int, *, seen: int, at_night: bool = False) -> Occurrence:
    """Run the routine once more, now, for an operator: an extra occurrence that is due at once.

    The same rules apply as to every occurrence, here and again when it is sent. `seen` is the routine's entry in
    `newest_occurrences` when the operator decided, or 0, so that a repeated request does not run it twice.
    `at_night` confirms that the operator knows of the person's quiet hours and of the hour there.

    Raises:
        NotFound: there is no such routine.
        Conflict: it has come since, or is on its way.
        Asleep: the person has quiet hours; the sentence says how late it is there.
        Refused: nothing may come to the person now, or nothing of this routine.
    """
    now = services.clock.now()
    with services.transaction() as db:
        routine = rows.by_number(db, person_id, number)
        if routine is None:
            raise NotFound(f"This person never had a routine {number}.")
        if newest_occurrences(db, [routine.id]).get(routine.id, 0) != seen:
            raise Conflict(f"Routine {number} has come since this page was shown. Look at what came of it first.")
        if rows.open_occurrences(db, routine.id):
            raise Conflict(f"Routine {number} is on its way already, or waits for the end of quiet hours.")
        which = {"routine_id": routine.id, "person_id": person_id}
        occurrence = Occurrence(**which, due_at=now, run_at=now, state="due", by_operator=True, at_night=True)
        due = _Due(db, services, occurrence, now)
        person = due.person
        # The person is checked first: an opt-out also ends their routines, but is the better reason to give.
        verdict = verdict_for_person(person, carrier_of(services, routine.carrier), now) or due.verdict()
        if verdict.what not in {"go", "wait"}:
            raise Refused(f"{verdict.reason} So routine {number} was not run.")
        if not at_night and quiet_until(person, now) is not None:
            quiet = QuietHours.parse(person.quiet_hours)
            raise Asleep(f"It is {local(now, person.timezone):%H:%M} there, and their quiet hours are {quiet}.")
        occurrence.at_night = at_night
        db.add(occurrence)
        db.flush()
    services.background.wake(person_id, at_once=True)
    return occurrence


def newest_occurrences(db: Session, routine_ids: Collection[int]) -> dict[int, int]:
    """Ids of the newest occurrence of each of these routines, by routine id; none for a routine without any."""
    newest = select(Occurrence.routine_id, func.max(Occurrence.id)).where(Occurrence.routine_id.in_(routine_ids))
    return dict(db.execute(newest.group_by(Occurrence.routine_id)).all())


def carrier_of(services: Services, wanted: str) -> str:
    """The carrier for an unasked text: the wanted one if it is there, but no terminal, where nobody waits any more."""
    if wanted in services.carriers and wanted != "terminal":
        return wanted
    return next((name for name in services.carriers if name not in Message.HERE), "phone")


def _end_without_words(
    services: Services, turn: OpenTurn, outcome: str, verdict_of: Callable[["_Due"], Verdict]
) -> None:
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        if finish.end(db, turn, outcome, now):
            due = _Due.of_turn(db, services, turn, now)
            due.settle(verdict_of(due))


def verdict_for_person(person: Person, carrier: str, at: datetime) -> Verdict | None:
    """`skipped` with the reason, if no unasked text may go to the person at that instant; else None."""
    reason = None
    if person.access != "allowed":
        reason = "The number is blocked." if person.access == "blocked" else "The number was not let in."
    elif person.opted_out_at is not None:
        reason = "The person opted out."
    elif are_all_paused(person, at):
        reason = "All routines of the person are paused."
    elif person.unreachable is not None and carrier not in Message.HERE:
        reason = person.unreachable
    return Verdict("skipped", reason) if reason else None


def wait_until_they_text(db: Session, person: Person, carrier: str, now: datetime) -> Verdict | None:
    """`wait`, if unasked texts have to wait for one of the person's: an answer to a question, or a closed window."""
    if person.stop_text_id is not None:
        return Verdict("wait", waiting.WHAT_TO_STOP, now + THEIR_PAUSE)
    if not windows.is_open_for(db, person, carrier, now):
        return Verdict("wait", windows.CLOSED, now + THEIR_PAUSE)
    return None


def verdict_for_hour(occurrence: Occurrence, routine: Routine, person: Person, now: datetime) -> Verdict | None:
    """The verdict if it is too late or the person has quiet hours; None if the hour is fine."""
    useful_until = last_useful(occurrence, routine)
    is_too_late = now > useful_until
    if is_too_late and occurrence.by_operator and occurrence.snoozed_to is None:
        return Verdict("missed", "It could not come at once, as an operator wanted it.")  # The person expects nothing.
    morning = quiet_until(person, now)
    at_night = occurrence.at_night if occurrence.by_operator else routine.at_night
    if morning is not None and (is_too_late or not (at_night or occurrence.snoozed_to)):
        if morning > useful_until and not is_too_late and not rows.comes_once(routine):
            return Verdict("skipped", "It came in quiet hours, and would be of no use after them.")
        return Verdict("held", "It waits for the end of quiet hours.", morning)
    return Verdict("too_late", "It was too late to be of use.") if is_too_late else None


def last_useful(occurrence: Occurrence, routine: Routine) -> datetime:
    """The instant up to which the occurrence is of use."""
    if occurrence.by_operator and occurrence.snoozed_to is None:
        return occurrence.due_at + NOW_LASTS
    return occurrence.wanted_at + timedelta(minutes=routine.useful_minutes)


def quiet_until(person: Person, now: datetime) -> datetime | None:
    """The end of the person's quiet hours; None if it is not quiet now."""
    quiet = QuietHours.parse(person.quiet_hours)
    return quiet.end_after(now, person.timezone) if quiet.covers(now, person.timezone) else None


def unasked_today(db: Session, person: Person, now: datetime) -> int:
    """Number of texts of repeating routines and of suggestions made for the person today, by their own clock."""
    there = local(now, person.timezone)
    since = instant_of(datetime.combine(there.date(), time()), ZoneInfo(person.timezone))
    said = select(Routine.schedule).join(Occurrence, Occurrence.routine_id == Routine.id)
    said = said.where(Occurrence.person_id == person.id, Occurrence.said_at >= since)
    of_routines: int = sum(schedule["repeat"] != "once" for schedule in db.scalars(said))
    return of_routines + suggestions.count_sent_since(db, person.id, since)


class _Due:
    """One occurrence with its routine and person, within one transaction."""

    def __init__(self, db: Session, services: Services, occurrence: Occurrence, now: datetime) -> None:
        self.occurrence = occurrence
        self.routine = db.get_one(Routine, occurrence.routine_id)
        self.person = db.get_one(Person, occurrence.person_id)
        self._db = db
        self._services = services
        self._now = now
        self._carrier = carrier_of(services, self.routine.carrier)

    @classmethod
    def of_turn(cls, db: Session, services: Services, turn: OpenTurn, now: datetime) -> "_Due":
        return cls(db, services, db.get_one(Occurrence, turn.due_routine.occurrence_id), now)

    def verdict(self, *, is_begun: bool = False) -> Verdict:
        """The decision on the occurrence now. With `is_begun` it has a turn already, and waits for no other turn."""
        state = self.routine.state
        return (
            (Verdict("cancelled", f"The routine is {state}.") if state != "active" else None)
            or verdict_for_person(self.person, self._carrier, self._now)
            or self._verdict_on_waiting()
            or verdict_for_hour(self.occurrence, self.routine, self.person, self._now)
            or self._verdict_on_the_day()
            or (self._verdict_on_the_model() if self.routine.does == "run" and not is_begun else None)
            or GO
        )

    def _verdict_on_waiting(self) -> Verdict | None:
        wait = wait_until_they_text(self._db, self.person, self._carrier, self._now)
        if wait is None or rows.comes_once(self.routine):  # A single reminder is better late than never.
            return wait
        if wait.reason == windows.CLOSED:  # The latest one waits, and its text mentions those before.
            later = (Occurrence.routine_id == self.routine.id, Occurrence.due_at > self.occurrence.due_at)
            is_over = self._db.scalar(select(exists().where(*later)))
        else:
            is_over = self._now + THEIR_PAUSE > last_useful(self.occurrence, self.routine)
        return Verdict("missed", wait.reason) if is_over else wait

    def _verdict_on_the_day(self) -> Verdict | None:
        """`skipped`, if the day has its `MOST_A_DAY` texts; single reminders and snoozed ones are exempt."""
        if rows.comes_once(self.routine) or self.occurrence.snoozed_to is not None:
            return None
        if unasked_today(self._db, self.person, self._now) < MOST_A_DAY:
            return None
        there = local(self._now, self.person.timezone)
        return Verdict("skipped", f"{MOST_A_DAY} texts of routines had gone out on that {there:%A} already.")

    def _verdict_on_the_model(self) -> Verdict | None:
        if waiting.outage(self._db) is not None:
            until, why = self._now + OUTAGE_PAUSE, "The model was down."
        elif claim.has_open_turn(self._db, self.person.id):
            until, why = self._now + LANE_PAUSE, "The person was being answered."
        else:
            return None
        # Nobody is told that it failed: that would be an error text out of nowhere.
        is_of_use = until <= last_useful(self.occurrence, self.routine)
        return Verdict("wait", why, until) if is_of_use else Verdict("missed", why)

    def tried_again(self, why: str) -> Verdict:
        """`wait` for another try after a pause, if it is still of use then; else `missed`."""
        pause = next(iter(TRY_AGAIN_AFTER[self.occurrence.attempts - 1 :]), None)
        if pause is None or self._now + pause > last_useful(self.occurrence, self.routine):
            return Verdict("missed", why)
        return Verdict("wait", why, self._now + pause)

    def settle(self, verdict: Verdict) -> None:
        """Set the occurrence's state to the verdict."""
        if verdict.what == "wait":
            self._move("due", run_at=verdict.until or self._now, turn_id=None, reason=verdict.reason)
        else:
            self._move(verdict.what, run_at=verdict.until or self.occurrence.run_at, reason=verdict.reason)
        rows.end_finished(self._db, [self.routine.id])

    def remind(self) -> None:
        due = DueRoutine.of(self.occurrence, self.routine, self._now)
        words = f"Reminder: {due.words}{due.late_note(self.person.timezone, self._now)}"
        turn = self._say(words, "reminded")
        self._move("running", turn_id=turn.id, reason=None)
        occurrences.note_said(self._db, due, self._now)

    def hand_over(self) -> OpenTurn:
        """Open a turn in which the model carries the routine out."""
        turn = claim.open_for_routine(self._db, self._services, self.person.id, self._carrier, self._now)
        self._move("running", turn_id=turn.id, attempts=self.occurrence.attempts + 1, reason=None)
        return claim.load_open_turn(self._db, self._services, turn, (), self._now)

    def tell_of_all_that_is_missed(self) -> None:
        """Send one text about all of the person's occurrences that are too late now."""
        theirs = self._db.scalars(_OPEN, {"person": self.person.id}).all()
        late = [_Due(self._db, self._services, one, self._now) for one in theirs]
        late = [one for one in late if one.verdict().what == "too_late"]
        missed = [
            Missed(one.routine.words, one.occurrence.wanted_at, occurrences.passed_before(self._db, one.occurrence))
            for one in late
        ]
        turn = self._say(missed_line(missed, self.person.timezone, self._now), "missed")
        told = [one.occurrence.id for one in late]  # They are missed for good once the text is sent.
        move(self._db, Occurrence, "running", Occurrence.id.in_(told), turn_id=turn.id, reason=None)

    def _move(self, to: str, **values: object) -> None:
        move(self._db, Occurrence, to, Occurrence.id == self.occurrence.id, **values)

    def _say(self, words: str, outcome: str) -> Turn:
        """Queue a text written by code, in a turn that ends with it."""
        person_id, now = self.person.id, self._now
        turn = claim.open_for_routine(self._db, self._services, person_id, self._carrier, now, outcome=outcome)
        outbox.queue(self._db, person_id, turn.id, self._carrier, sms_text.split(words), now, purpose="routine")
        return turn

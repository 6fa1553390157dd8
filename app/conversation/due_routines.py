"""Due routines, carried out in their person's lane: one thing at a time, under all that is asked anew.

A reminder's words are sent by code, in the transaction that settles it: so it comes also when the model is down or the
day's money is spent. What the model has to carry out gets a turn of its own. Reasons: docs/decisions/0025-routines.md.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import claim, finish, may_come
from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.conversation.may_come import Verdict
from app.delivery import outbox
from app.errors import Asleep, Conflict, ModelDown, NotFound, OverBudget, Refused, RequestRefused
from app.models import Message, Occurrence, Person, Routine, Turn, move
from app.routines import occurrences, rows
from app.routines.described import Missed, missed_line
from app.routines.occurrences import DueRoutine
from app.routines.quiet_hours import QuietHours
from app.services import Services
from app.store.faultpoints import reach
from app.text import sms_text

TRY_AGAIN_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))
"""After the first failure, the second and the third, while it is of use. The fourth is the last."""
CROWDED_PAUSE = timedelta(seconds=5)  # As for a text: only calls under way stand in the way.

_DUE = (
    select(Occurrence)
    .where(Occurrence.OPEN, Occurrence.person_id == bindparam("person"), Occurrence.run_at <= bindparam("now"))
    .order_by(Occurrence.due_at, Occurrence.id)
    .limit(1)
)
_OPEN_OF = (
    select(Occurrence).where(Occurrence.OPEN, Occurrence.person_id == bindparam("person")).order_by(Occurrence.due_at)
)


def do_next(services: Services, person_id: int, take_through: Callable[[Services, OpenTurn], None]) -> bool:
    """Whether something was due for the person: code dealt with what has been due longest, or a turn of it was held."""
    now = services.clock.now()
    which = {"person": person_id, "now": now}
    with services.reading() as db:  # Most calls find nothing, and a look costs no writer's turn.
        if db.scalars(_DUE, which).first() is None:
            return False
    turn = None
    with services.transaction() as db:
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


def look_again(services: Services, person_id: int) -> None:
    """They have texted: what waited for that is looked at now."""
    waited = (Occurrence.OPEN, Occurrence.person_id == person_id, Occurrence.reason.in_(may_come.UNTIL_THEY_TEXT))
    with services.reading() as db:
        if db.scalar(select(Occurrence.id).where(*waited).limit(1)) is None:
            return
    with services.transaction() as db:
        db.execute(update(Occurrence).where(*waited).values(run_at=services.clock.now()))


def may_go_on(services: Services, turn: OpenTurn) -> bool:
    """Whether what another process began is still to come; if not, its turn is ended without a word."""
    now = services.clock.now()
    with services.transaction() as db:
        due = _Due.in_hand(db, services, turn, now)
        verdict = due.verdict(is_begun=True)
        if turn.is_spent:
            verdict = Verdict("missed", "It ended its process again and again.")
        if verdict.what == "go":
            return True
        if finish.end(db, turn, verdict.what, now):
            # What is held or too late is found again, and then told or put off as all such.
            due.settle(replace(verdict, what="wait") if verdict.what in {"held", "too_late"} else verdict)
        return False


def finish_routine(services: Services, turn: OpenTurn, reply: Reply) -> list[Message]:
    """End a routine's turn with its text, and return what is queued.

    A kind sentence is none: nobody has asked, and nobody is waiting.
    """
    if reply.outcome == Turn.SILENT:  # Such as no rain of which to warn.
        _end_without_words(services, turn, Turn.SILENT, lambda _: Verdict("skipped", "There was nothing to say."))
        return []
    if reply.outcome not in Turn.SPOKEN:
        why = f"The model gave no text ({reply.outcome})."
        _end_without_words(services, turn, reply.outcome, lambda due: due.tried_again(why))
        return []
    with services.reading() as db:
        zone = db.get_one(Person, turn.person_id).timezone
    late = turn.due_routine.late_note(zone, services.clock.now())
    return finish.finish(services, turn, replace(reply, text=f"{reply.text}{late}"))


def put_off(services: Services, turn: OpenTurn, error: ModelDown | OverBudget | RequestRefused) -> None:
    """Nothing came of it now. Where the day has no money for it, tomorrow it is of no use, and nobody is told."""

    def verdict(due: "_Due") -> Verdict:
        if not isinstance(error, OverBudget):
            return due.tried_again("The model was down.")
        if error.is_spent:
            return Verdict("skipped", str(error))
        due.occurrence.attempts -= 1  # Only calls under way stood in the way.
        return Verdict("wait", str(error), services.clock.now() + CROWDED_PAUSE)

    if isinstance(error, RequestRefused):
        finish.tell_operator_of_refusal(services, error)
    _end_without_words(services, turn, error.code, verdict)


def run_now(services: Services, person_id: int, number: int, *, seen: int, at_night: bool = False) -> Occurrence:
    """The routine comes once more, now, because an operator wants it: an occurrence of its own, dealt with at once.

    Whether it may come is asked of the same rules as of all that comes by itself, here and again when it is sent.
    `seen` is what `newest_occurrence` was when it was decided on: so nothing that is asked for twice comes twice.
    `at_night` is said by who knows that it is quiet hours there, and how late it is.

    Raises:
        NotFound: there is no such routine.
        Conflict: it has come since, or is on its way.
        Asleep: it is quiet hours there; the sentence says how late.
        Refused: nothing may come to the person now, or nothing of this routine.
    """
    now = services.clock.now()
    with services.transaction() as db:
        routine = rows.by_number(db, person_id, number)
        if routine is None:
            raise NotFound(f"This person never had a routine {number}.")
        if newest_occurrence(db, routine.id) != seen:
            raise Conflict(f"Routine {number} has come since this page was shown. Look at what came of it first.")
        if rows.unsaid(db, routine.id):
            raise Conflict(f"Routine {number} is on its way already, or waits for the end of quiet hours.")
        which = {"routine_id": routine.id, "person_id": person_id}
        occurrence = Occurrence(**which, due_at=now, run_at=now, state="due", by_operator=True, at_night=True)
        person = db.get_one(Person, person_id)
        carrier = carrier_of(services, routine.carrier)
        # The person first: who opted out has no active routine either, and that is the lesser reason.
        verdict = may_come.of_the_person(person, carrier, now)
        verdict = verdict or may_come.ask(db, occurrence, routine, person, carrier, now)
        if verdict.what not in {"go", "wait"}:
            raise Refused(f"{verdict.reason} So routine {number} was not run.")
        if not at_night and may_come.quiet_until(person, now) is not None:
            quiet = QuietHours.said(person.quiet_hours)
            raise Asleep(f"It is {local(now, person.timezone):%H:%M} there, and their quiet hours are {quiet}.")
        occurrence.at_night = at_night
        db.add(occurrence)
        db.flush()
    services.background.wake(person_id, at_once=True)
    return occurrence


def newest_occurrence(db: Session, routine_id: int) -> int:
    """The id of the last occurrence that was begun; 0 where there is none."""
    return newest_occurrences(db, [routine_id]).get(routine_id, 0)


def newest_occurrences(db: Session, routine_ids: Collection[int]) -> dict[int, int]:
    """The same of several routines, without those that have none."""
    newest = select(Occurrence.routine_id, func.max(Occurrence.id)).where(Occurrence.routine_id.in_(routine_ids))
    return dict(db.execute(newest.group_by(Occurrence.routine_id)).all())


def carrier_of(services: Services, wanted: str) -> str:
    """By which a text goes that nobody asked for at that moment. At a terminal nobody sits any more."""
    if wanted in services.carriers and wanted != "terminal":
        return wanted
    return next((name for name in services.carriers if name not in Message.HERE), "phone")


def _end_without_words(
    services: Services, turn: OpenTurn, outcome: str, verdict_of: Callable[["_Due"], Verdict]
) -> None:
    now = services.clock.now()
    with services.transaction() as db:
        if finish.end(db, turn, outcome, now):
            due = _Due.in_hand(db, services, turn, now)
            due.settle(verdict_of(due))


class _Due:
    """One occurrence with all that belongs to it, in one transaction."""

    def __init__(self, db: Session, services: Services, occurrence: Occurrence, now: datetime) -> None:
        self.occurrence = occurrence
        self.routine = db.get_one(Routine, occurrence.routine_id)
        self.person = db.get_one(Person, occurrence.person_id)
        self._db = db
        self._services = services
        self._now = now
        self._carrier = carrier_of(services, self.routine.carrier)

    @classmethod
    def in_hand(cls, db: Session, services: Services, turn: OpenTurn, now: datetime) -> "_Due":
        return cls(db, services, db.get_one(Occurrence, turn.due_routine.occurrence_id), now)

    def verdict(self, *, is_begun: bool = False) -> Verdict:
        of = (self.occurrence, self.routine, self.person, self._carrier, self._now)
        return may_come.ask(self._db, *of, is_begun=is_begun)

    def tried_again(self, why: str) -> Verdict:
        """After a pause, while it is of use; else it is dropped with a record."""
        pause = next(iter(TRY_AGAIN_AFTER[self.occurrence.attempts - 1 :]), None)
        if pause is None or self._now + pause > may_come.last_useful(self.occurrence, self.routine):
            return Verdict("missed", why)
        return Verdict("wait", why, self._now + pause)

    def settle(self, verdict: Verdict, **values: object) -> None:
        """Set its state as the verdict has it."""
        if verdict.what == "wait":
            self._move("due", run_at=verdict.until or self._now, turn_id=None, reason=verdict.reason)
        else:
            values |= {"run_at": verdict.until} if verdict.until else {}
            self._move(verdict.what, reason=verdict.reason, **values)
        rows.end_what_is_over(self._db, [self.routine.id])

    def remind(self) -> None:
        due = DueRoutine.of(self.occurrence, self.routine, self._now)
        words = f"Reminder: {due.words}{due.late_note(self.person.timezone, self._now)}"
        turn = self._say(words, "reminded")
        self._move("running", turn_id=turn.id, reason=None)
        occurrences.note_said(self._db, due, self._now)

    def hand_over(self) -> OpenTurn:
        """Open a turn for the model."""
        turn = claim.open_for_routine(self._db, self._services, self.person.id, self._carrier, self._now)
        self._move("running", turn_id=turn.id, attempts=self.occurrence.attempts + 1, reason=None)
        return claim.in_hand(self._db, self._services, turn, (), self._now)

    def tell_of_all_that_is_missed(self) -> None:
        """One text for all of the person's that are too late now, however many they are."""
        theirs = self._db.scalars(_OPEN_OF, {"person": self.person.id}).all()
        late = [_Due(self._db, self._services, one, self._now) for one in theirs]
        late = [one for one in late if one.verdict().what == "too_late"]
        missed = [
            Missed(one.routine.words, one.occurrence.due_at, occurrences.passed_before(self._db, one.occurrence))
            for one in late
        ]
        turn = self._say(missed_line(missed, self.person.timezone, self._now), "missed")
        for one in late:
            one.settle(Verdict("missed", "It was too late to be of use; the person was told."), turn_id=turn.id)

    def _move(self, to: str, **values: object) -> None:
        move(self._db, Occurrence, to, Occurrence.id == self.occurrence.id, **values)

    def _say(self, words: str, outcome: str) -> Turn:
        """Queue a text of code's own making, in a turn that ends with it."""
        person_id, now = self.person.id, self._now
        turn = claim.open_for_routine(self._db, self._services, person_id, self._carrier, now, outcome=outcome)
        outbox.queue(self._db, person_id, turn.id, self._carrier, sms_text.split(words), now, purpose="routine")
        return turn

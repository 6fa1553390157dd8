"""Due routines, carried out in their person's lane: one thing at a time, under all that is asked anew.

A reminder's words are sent by code, in the transaction that settles it: so it comes also when the model is down or the
day's money is spent. What the model has to carry out gets a turn of its own. Reasons: docs/decisions/0025-routines.md.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from app.conversation import claim, finish, may_come
from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.conversation.may_come import Verdict
from app.delivery import outbox
from app.errors import OverBudget
from app.models import Occurrence, Person, Routine, Turn
from app.models.message import HERE
from app.models.routine import OPEN
from app.models.states import move
from app.models.turn import SILENT, SPOKEN
from app.routines import occurrences, rows
from app.routines.described import Missed, missed_line
from app.routines.occurrences import DueRoutine
from app.services import Services
from app.text import sms_text

TRY_AGAIN_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))
"""After the first failure, the second and the third, while it is of use. The fourth is the last."""
CROWDED_PAUSE = timedelta(seconds=5)  # As for a text: only calls under way stand in the way.

_DUE = (
    select(Occurrence)
    .where(OPEN, Occurrence.person_id == bindparam("person"), Occurrence.run_at <= bindparam("now"))
    .order_by(Occurrence.due_at, Occurrence.id)
    .limit(1)
)
_OPEN_OF = select(Occurrence).where(OPEN, Occurrence.person_id == bindparam("person")).order_by(Occurrence.due_at)


@dataclass(frozen=True)
class Taken:
    """The person's next occurrence, dealt with as far as code can."""

    turn: OpenTurn | None = None
    """What the model is to carry out; None where all is done."""


def take_next(services: Services, person_id: int) -> Taken | None:
    """Deal with what has been due longest for the person; None when nothing is."""
    now = services.clock.now()
    which = {"person": person_id, "now": now}
    with services.reading() as db:  # Most calls find nothing, and a look costs no writer's turn.
        if db.scalars(_DUE, which).first() is None:
            return None
    with services.transaction() as db:
        occurrence = db.scalars(_DUE, which).first()
        if occurrence is None:
            return None
        due = _Due(db, services, occurrence, now)
        verdict = due.verdict()
        match verdict.what:
            case "too_late":
                due.tell_of_all_that_is_missed()
            case "go" if due.routine.does == "run":
                return Taken(due.hand_over())
            case "go":
                due.remind()
            case _:
                due.settle(verdict)
    return Taken()


def look_again(services: Services, person_id: int) -> None:
    """They have texted: what waited for that is looked at now."""
    waited = (OPEN, Occurrence.person_id == person_id, Occurrence.reason.in_(may_come.UNTIL_THEY_TEXT))
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


def finish_routine(services: Services, turn: OpenTurn, reply: Reply) -> bool:
    """End a routine's turn with its text, and say whether there is one.

    A kind sentence is none: nobody has asked, and nobody is waiting.
    """
    if reply.outcome == SILENT:
        _leave_out(services, turn)
        return False
    if reply.outcome not in SPOKEN:
        try_again(services, turn, f"The model gave no text ({reply.outcome}).", reply.outcome)
        return False
    now = services.clock.now()
    with services.reading() as db:
        zone = db.get_one(Person, turn.person_id).timezone
    told = replace(reply, text=f"{reply.text}{turn.due_routine.late_note(zone, now)}")
    return bool(finish.finish(services, turn, told))


def try_again(services: Services, turn: OpenTurn, why: str, outcome: str) -> None:
    """Nothing came of it now: it is tried again after a pause, while it is of use, and else dropped with a record."""
    now = services.clock.now()
    with services.transaction() as db:
        if not finish.end(db, turn, outcome, now):
            return
        due = _Due.in_hand(db, services, turn, now)
        pause = next(iter(TRY_AGAIN_AFTER[due.occurrence.attempts - 1 :]), None)
        again = None if pause is None else now + pause
        is_of_use = again is not None and again <= may_come.last_useful(due.occurrence, due.routine)
        due.settle(Verdict("wait", why, again) if is_of_use else Verdict("missed", why))


def _leave_out(services: Services, turn: OpenTurn) -> None:
    """There was nothing to say, such as no rain of which to warn: nobody is texted."""
    now = services.clock.now()
    with services.transaction() as db:
        if finish.end(db, turn, SILENT, now):
            _Due.in_hand(db, services, turn, now).settle(Verdict("skipped", "There was nothing to say."))


def refuse_for_money(services: Services, turn: OpenTurn, refusal: OverBudget) -> None:
    """The day has no money for it: tomorrow it is of no use, and nobody is told. In a moment's crowd it waits."""
    now = services.clock.now()
    with services.transaction() as db:
        if not finish.end(db, turn, refusal.code, now):
            return
        due = _Due.in_hand(db, services, turn, now)
        if refusal.is_spent:
            due.settle(Verdict("skipped", str(refusal)))
        else:
            due.occurrence.attempts -= 1
            due.settle(Verdict("wait", str(refusal), now + CROWDED_PAUSE))


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
        return may_come.ask(
            self._db, self.occurrence, self.routine, self.person, self._carrier, self._now, is_begun=is_begun
        )

    def settle(self, verdict: Verdict, **values: object) -> None:
        """Set its state as the verdict has it."""
        if verdict.what == "wait":
            to, values = "due", {"run_at": verdict.until or self._now, "turn_id": None}
        else:
            to = verdict.what
            values |= {"run_at": verdict.until} if verdict.until else {}
        move(self._db, Occurrence, to, Occurrence.id == self.occurrence.id, reason=verdict.reason, **values)
        rows.end_what_is_over(self._db, [self.routine.id])

    def remind(self) -> None:
        due = DueRoutine.of(self.occurrence, self.routine, self._now)
        words = f"Reminder: {due.words}{due.late_note(self.person.timezone, self._now)}"
        turn = self._say(words, "reminded")
        move(self._db, Occurrence, "running", Occurrence.id == self.occurrence.id, turn_id=turn.id, reason=None)
        occurrences.note_said(self._db, due, self._now)

    def hand_over(self) -> OpenTurn:
        """Open a turn for the model."""
        turn = claim.open_for_routine(self._db, self._services, self.person.id, self._carrier, self._now)
        attempts = self.occurrence.attempts + 1
        this = Occurrence.id == self.occurrence.id
        move(self._db, Occurrence, "running", this, turn_id=turn.id, attempts=attempts, reason=None)
        return claim.in_hand_for_routine(self._db, self._services, turn, self._now)

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

    def _say(self, words: str, outcome: str) -> Turn:
        """Queue a text of code's own making, in a turn that ends with it."""
        turn = claim.open_for_routine(
            self._db, self._services, self.person.id, self._carrier, self._now, outcome=outcome
        )
        parts = sms_text.split(words)
        outbox.queue(self._db, self.person.id, turn.id, self._carrier, parts, self._now, purpose="routine")
        return turn


def carrier_of(services: Services, wanted: str) -> str:
    """By which a text goes that nobody asked for at that moment. At a terminal nobody sits any more."""
    if wanted in services.carriers and wanted != "terminal":
        return wanted
    return next((name for name in services.carriers if name not in HERE), "phone")

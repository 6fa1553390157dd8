"""A database restored from a backup: work that was under way when the backup was made is held, so it is not done twice.

Since then its replies may have gone out and its texts may have been answered. So none of it resumes by itself: the
operator sees it, and can have texts tried again one person at a time. Texts whose answer has not gone out in the
database that is replaced wait here instead.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Row, and_, func, not_, or_, select, update
from sqlalchemy.orm import Session

from app import people
from app.models import Media, Message, Occurrence, Person, Routine, Turn, marks, move
from app.operations import heartbeats
from app.operations.alerts import raise_or_clear
from app.routines import rows
from app.services import Services
from app.store.db import Database

MARK = "restored"
"""The mark's instant is the end of the backed-up installation's life; it answered the texts that came before."""
ALERT = "restored"
HELD = "It was under way when the backup was made from which all was restored, and may have been done since."
KEPT_ONLY = "It came before all was restored from a backup, and may have been answered then."

_TEXT = ("direction", "carrier", "sid", "body", "media_count", "forwarded", "created_at")


def last_in_use_at(later: Database, now: datetime) -> datetime:
    """The instant at which that database was last known to be in use; `now` if that is unknown."""
    with later.reading() as db:
        mark = marks.read(db, heartbeats.WORKER)
        return now if mark is None else min(mark.at, now)


def hold_back(services: Services, until: datetime, later: Database | None) -> str | None:
    """A sentence on what was under way and is held now, if anything was; routines due up to `until` are skipped.

    Texts and replies that wait in the later database, too, were neither answered nor sent: they wait on.
    """
    now = services.clock.now()
    still: list[str | None] = []  # The texts' ids and the replies' keys.
    if later is not None:
        with later.reading() as then:
            still += [one.sid for known in people.everyone(then) for one, waits in waiting(then, known) if waits]
            still += then.scalars(select(Message.key).where(Message.state == "queued"))
    with services.transaction() as db:
        move(db, Turn, "done", outcome=ALERT, ended_at=now)
        maybe_sent = Message.key.not_in(still)
        replies = move(db, Message, "refused", Message.UNDER_WAY, Message.direction == "out", maybe_sent, note=HELD)
        db.execute(update(Message).where(Message.UNDER_WAY, Message.sid.in_(still)).values(turn_id=None))
        settled = Message.sid.not_in(still)
        texts = move(db, Message, "dead", Message.UNDER_WAY, Message.direction == "in", settled, note=HELD)
        begun = or_(Occurrence.run_at <= until, Occurrence.state == "running")
        rows.drop_open(db, "skipped", HELD, now, begun)
        due = db.scalars(select(Routine).where(Routine.TO_COME, Routine.next_due_at <= until)).all()
        for routine in due:
            rows.schedule_next(db, routine, until)
        rows.end_finished(db, [routine.id for routine in due])
        marks.put(db, MARK, until)
        sentence = (
            "Held, since it was under way in the backup from which all was restored, and may be settled: replies "
            f"{replies}, texts {texts}. Look at the admin page, and have texts tried again where nobody answered, with "
            "`keepsake people retry NUMBER`."
        )
        held = sentence if replies or texts else None
        raise_or_clear(db, ALERT, held, now)
    return held


def was_sent_before_backup(db: Session, sent_at: datetime | None) -> bool:
    """True if the text was sent while the backed-up installation was still running."""
    mark = marks.read(db, MARK) if sent_at is not None else None
    return mark is not None and sent_at is not None and sent_at <= mark.at


def waiting(then: Session, known: Person) -> Sequence[Row[Message, bool]]:
    """The person's texts that wait for an answer, or for ours to the question what is to stop, in order of arrival.

    Each comes with True if it is to be answered, as is a text whose whole reply is still queued. A command is not: done
    once more, `/undo` would undo something else.
    """
    is_reply = (Message.person_id == known.id, Message.direction == "out", Message.turn_id.is_not(None))
    replies = select(Message.turn_id).where(*is_reply)
    unsent = replies.group_by(Message.turn_id).having(func.count() == func.count().filter(Message.state == "queued"))
    is_unsent = and_(func.coalesce(Message.turn_id, 0).in_(unsent), not_(Message.is_command))
    waits = or_(Message.state.in_(("waiting", "held")), is_unsent)
    texts = select(Message, waits).where(Message.person_id == known.id, Message.direction == "in")
    return then.execute(texts.where(or_(waits, Message.id == known.stop_text_id)).order_by(Message.id)).all()


def bring_waiting(services: Services, then: Session, known: Person) -> int:
    """Number of the person's texts that wait in the later database, were unknown here, and wait here now."""
    count = 0
    with services.transaction() as db:
        person = db.scalar(select(Person).where(Person.address == known.address))
        if person is None:
            return 0
        for one, is_to_answer in waiting(then, known):
            here = db.scalar(select(Message).where(Message.sid == one.sid))
            if here is None:
                waits = "waiting" if person.access == "allowed" else "held"
                state = waits if is_to_answer else one.state
                here = Message(**{name: getattr(one, name) for name in _TEXT}, person_id=person.id, state=state)
                db.add(here)
                db.flush()
                for file in then.scalars(select(Media).where(Media.message_id == one.id)):
                    db.add(Media(message_id=here.id, place=file.place, url=file.url, content_type=file.content_type))
                count += is_to_answer
            if known.stop_text_id == one.id:
                person.stop_text_id = here.id
    return count

"""A database restored from a backup: work that was under way when the backup was made is held, so it is not done twice.

Since then its replies may have gone out and its texts may have been answered. So none of it resumes by itself: the
operator sees it, and can have texts tried again one person at a time.
"""

from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.models import Message, Occurrence, Routine, Turn, marks, move
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


def last_in_use_at(later: Database, now: datetime) -> datetime:
    """The instant at which that database was last known to be in use; `now` if that is unknown."""
    with later.reading() as db:
        mark = marks.read(db, heartbeats.WORKER)
        return now if mark is None else min(mark.at, now)


def hold_back(services: Services, until: datetime) -> str | None:
    """A sentence on what was under way and is held now, if anything was; routines due up to `until` are skipped."""
    now = services.clock.now()
    with services.transaction() as db:
        move(db, Turn, "done", outcome=ALERT, ended_at=now)
        replies = move(db, Message, "refused", Message.UNDER_WAY, Message.direction == "out", note=HELD)
        texts = move(db, Message, "dead", Message.UNDER_WAY, Message.direction == "in", note=HELD)
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

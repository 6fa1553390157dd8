"""Undo: a change of a person's memory taken back, the last or the one that is named, whoever made it."""

from dataclasses import dataclass

from app.memory import changes, standing, taking_back
from app.services import Services


@dataclass(frozen=True)
class Undone:
    """What an undo did."""

    verb: str
    """The verb that was taken back: `remember`, `revise`, `forget` or `restore`."""
    phrases: list[str]

    @property
    def sentence(self) -> str:
        """All of it in one sentence for the person."""
        return f"Undone: {'; '.join(self.phrases)}."


def undo(
    services: Services, person_id: int, turn_id: int | None = None, *, change_id: int | None = None
) -> Undone | None:
    """What was taken back: the change with that id, or else the last one; None when there is nothing left to undo.

    A turn undoes one change: asked again after a crash, it tells what it did. Of a move both sides are taken back.

    Raises:
        NotFound: the person has no such change, or it is taken back already.
        StoodUpon: a later change stands upon it.
        Conflict: what would come back is known under another number.
    """
    now = services.clock.now()
    with services.transaction() as db:
        change = changes.undone_by(db, turn_id) if turn_id is not None else None
        if change is None:
            change = changes.last_standing(db, person_id)
            if change_id is not None:
                change = changes.standing_by_id(db, person_id, change_id)
            if change is None:
                return None
            other = changes.other_side(db, change)
            for one in filter(None, (change, other)):
                standing.check(db, one)
                taking_back.take_back(db, one, now, turn_id if one is change else None)
        return Undone(change.verb, taking_back.phrases(db, change))

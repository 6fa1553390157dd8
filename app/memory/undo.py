"""Undo: the last change of a person's memory taken back, whoever made it."""

from dataclasses import dataclass

from app.memory import changes, taking_back
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


def undo(services: Services, person_id: int, turn_id: int | None = None) -> Undone | None:
    """What was taken back, or None when there is nothing left to undo.

    A turn undoes one change: asked again after a crash, it tells what it did.

    Raises:
        Conflict: what would come back is known under another number.
    """
    with services.transaction() as db:
        change = changes.undone_by(db, turn_id) if turn_id is not None else None
        if change is None:
            change = changes.last_standing(db, person_id)
            if change is None:
                return None
            taking_back.take_back(db, change, services.clock.now(), turn_id)
        return Undone(change.verb, taking_back.phrases(db, change))

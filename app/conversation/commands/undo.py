"""`/undo`: the last change of a person's memory or routines, taken back without the model."""

from app.conversation.commands.command import Command, command
from app.errors import Conflict
from app.memory import undo


@command(r"/undo", help="/undo - take back my last change")
def _undo(asked: Command) -> str:
    try:
        undone = undo(asked.services, asked.person_id, asked.turn.id)
    except Conflict as error:
        return f"That can't be undone: {error}"
    return undone.sentence if undone else "There is nothing to undo."

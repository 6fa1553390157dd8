"""Looks within seconds at whoever has just said what may be a habit of theirs.

Whoever was not noted, or was noted in a process that died, is found in the rows by `suggest_habits`.
"""

from apscheduler.triggers.interval import IntervalTrigger

from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.features.habits import suggest_habits
from app.features.habits.habits import may_be_one
from app.services import Services

SCHEDULE = IntervalTrigger(seconds=10)
RUN_SECONDS = 8.0


def note(services: Services, turn: OpenTurn, _reply: Reply) -> None:
    """Note the person of the turn, where their words may be a habit's."""
    if turn.texts and may_be_one(turn.words):
        services.just_answered.people.note(turn.person_id)


def run(services: Services) -> None:
    people = services.just_answered.people.take()
    suggest_habits.look(services, people, services.clock.monotonic() + RUN_SECONDS)

"""The prompt that the model would be shown of a person if they texted now: made as in a turn, and sent to nobody.

Nobody outside is asked for it, so what the operator's hooks and tool servers add is not in it; nor is what depends on
the words of the text.
"""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from app import people
from app.conversation.claim import OpenTurn, ongoing_conversation
from app.conversation.context import NEWER_THAN_ALL, NO_FILES, build
from app.conversation.memory_shown import remembered_of
from app.models import Person
from app.services import Services


@dataclass(frozen=True)
class Preview:
    """The parts of a request, in the order in which the model reads them."""

    person: Person
    """Whose it is."""
    instructions: str
    """The standing ones, the same for everybody."""
    memory: str
    """The person's facts and rules."""
    history: int
    """How many messages of the conversation stand between memory and the head."""
    head: str
    """What stands before the newest text."""
    tools: tuple[str, ...]
    """Names of the tools that are offered."""


def preview(services: Services, person_id: int) -> Preview:
    """The next turn's prompt, as far as it is known before the text.

    Raises:
        NotFound: there is no such person.
    """
    here = tuple(replace(feature, tools_found=lambda _: ()) for feature in services.features)
    alone = replace(services, hooks=(), features=here, embedder=None)
    with alone.reading() as db:
        person = people.by_id(db, person_id)
        turn = _next_turn(db, alone, person_id)
        memory = remembered_of(db, person, alone.clock.now(), memory_on=turn.memory_on)
    context = build(alone, turn, memory, NO_FILES)  # Without a text nothing is searched for.
    instructions, block = context.system
    return Preview(
        person=person,
        instructions=instructions["text"],
        memory=block["text"],
        history=len(context.history),
        head=context.said[0]["content"][0]["text"],
        tools=tuple(tool["name"] for tool in context.tools),
    )


def _next_turn(db: Session, services: Services, person_id: int) -> OpenTurn:
    """The turn that would be opened for a text that came now; no row is written for it."""
    now = services.clock.now()
    conversation = ongoing_conversation(db, person_id, now, now)
    return OpenTurn(
        id=NEWER_THAN_ALL,
        person_id=person_id,
        conversation_id=conversation.id if conversation else 0,
        carrier="phone",
        owner=services.process.token,
        attempt=1,
        memory_on=conversation.memory_on if conversation else True,
        texts=(),
        deadline=services.clock.monotonic() + services.settings.turn_max_seconds,
        first_of_day=False,
        more_waiting=False,
    )

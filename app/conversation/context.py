"""All that the model is shown in a turn, in the order that keeps its cache whole.

Stable text first (tools, standing instructions), then the person's memory, then the conversation, and last what belongs
to this turn alone: the time, and the newest texts.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from xml.sax.saxutils import escape

from app import people, prompts
from app.clock import local
from app.conversation.claim import OpenTurn, ongoing_conversation
from app.conversation.history import CACHE_MARK, NEWER_THAN_ALL, block, earlier, from_a_user, marked, tagged
from app.conversation.hooks import NOTHING_BROUGHT, Prompt
from app.conversation.memory_shown import (
    Memory,
    ShownEpisode,
    episodes_with_room,
    remembered_of,
    rules_called_for,
    shortened,
)
from app.memory import episodes
from app.memory.facts.selection import estimate_tokens
from app.models import Person
from app.routines import rows as rows_of_routines
from app.services import Services
from app.services.feature import first_of
from app.services.model import ModelRequest, ServerTool, without_thoughts
from app.text import kind_words
from app.text.secrets import hide_addresses
from app.tools.registry import offered

# What the model thinks counts towards it, and on the models of today it thinks unless told otherwise: with less, a
# thought can leave no room for words. How long a text should be is asked for in words.
REPLY_MAX_TOKENS = 4096
SHORTENED_TO = 0.25  # What is kept of the history when the model finds it too long.
# The texts to be answered: seven full texts of Twilio's, or two pages that were forwarded. Nobody types more, and more
# would cost the person's daily budget in a few dozen texts. Their room is apart from the history's: neither takes the
# other's. What is left out of the request stays in the database, whole.
NEWEST_MAX_TOKENS = 4000
WORDLESS = "(They wrote nothing with it.)"  # The API refuses an empty text, and a model would look for one.
WORTH_A_SORRY = timedelta(minutes=30)  # Sooner, nobody who texts a friend expects one.


@dataclass(frozen=True)
class Files:
    """What came with the texts of one turn beside words."""

    shown: tuple[dict[str, Any], ...] = ()
    """Blocks of the request: the pictures that the model is shown."""
    named: tuple[str, ...] = ()
    """Each file in words, as the model is told of it."""
    excuse: str = ""
    """The answer where there is neither a word nor a file to go by."""


NO_FILES = Files()
UNREAD = Files(named=("a file, which you cannot open",), excuse=kind_words.NO_EYES)


def files_of(services: Services, turn: OpenTurn) -> Files:
    """What came with the turn's texts, as far as a feature reads it."""
    if not any(text.media_count for text in turn.texts):
        return NO_FILES
    readers = (feature.files for feature in services.features if feature.files is not None)
    return next((read(services, turn) for read in readers), UNREAD)


@dataclass(frozen=True)
class Context:
    """What the model is shown in one turn.

    It only grows: `system`, `tools` and what was said stay as they were, since the model's thoughts are bound to all
    that stood before them. Whatever has to change takes all thoughts out first, see `without_thoughts`.
    """

    turn: OpenTurn
    memory: Memory
    system: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    history: list[dict[str, Any]]
    said: list[dict[str, Any]]
    """The newest texts, and what the model and its tools have said since."""
    last_said: str
    """What was said to the person before their newest texts; empty where it is not shown."""
    recalled: tuple[ShownEpisode, ...]
    """The episodes that stand before the newest texts."""
    server_tool: ServerTool | None
    """One that the model's own server runs within its answer."""
    effort: str | None

    @property
    def memory_tokens(self) -> int:
        """What memory adds to the request, estimated."""
        return estimate_tokens(self.memory.block) + sum(one.tokens for one in self.recalled)

    def request(self, *, tools_allowed: bool) -> ModelRequest:
        return ModelRequest(
            system=self.system,
            messages=[*self.history, *self.said[:-1], marked(self.said[-1])],
            tools=self.tools,
            max_tokens=REPLY_MAX_TOKENS,
            deadline=self.turn.deadline,
            person_key=self.memory.person_key,
            tools_allowed=tools_allowed,
            server_tool=self.server_tool,
            first_of_day=self.turn.first_of_day,
            effort=self.effort,
        )

    def with_shorter_history(self) -> "Context":
        """The same turn with only the newest part of the conversation, or none of it when it is short."""
        keep = int(len(self.history) * SHORTENED_TO)
        return replace(self, history=from_a_user(self.history[len(self.history) - keep :])).without_thoughts()

    def without_server_tool(self) -> "Context":
        return replace(self, server_tool=None).without_thoughts()

    def without_thoughts(self) -> "Context":
        """The same turn without what the model has thought in it."""
        return replace(self, said=without_thoughts(self.said))

    def then(self, *messages: dict[str, Any]) -> "Context":
        """The same turn after more was said; what follows something of the same role joins it."""
        said = list(self.said)
        for message in messages:
            if said and said[-1]["role"] == message["role"]:
                said[-1] = {**said[-1], "content": [*said[-1]["content"], *message["content"]]}
            else:
                said.append(message)
        return replace(self, said=said)


def build(
    services: Services, turn: OpenTurn, memory: Memory, files: Files = NO_FILES, prompt: Prompt = NOTHING_BROUGHT
) -> Context:
    """The context of a turn before its first call."""
    with services.reading() as db:
        before, oldest, last_said = earlier(db, services, turn, memory.timezone)
        found = [one.episode for one in prompt.past.episodes]
        waiting = [] if turn.routine else rows_of_routines.proposed(db, turn.person_id)
        proposed = [f"{routine.number}: {rows_of_routines.spoken(db, routine)}" for routine in waiting]
        starts = episodes.first_messages(db, [one.id for one in found]) if found else {}
    # What still stands in the history word for word need not be told a second time.
    recalled = episodes_with_room([one for one in found if starts.get(one.id, 0) < oldest], memory.timezone)
    now = services.clock.now()
    head = prompts.render(
        "turn_head",
        now=f"{_spoken(now, memory.timezone)} ({memory.timezone})",
        episodes=[one.fields for one in recalled],
        rules=rules_called_for(memory.rules, turn.words),
        memory_on=turn.memory_on,
        files=files.named,
        proposed=proposed,
        notes=prompt.notes,
        waited=_waited(now - turn.texts[0].created_at) if turn.texts else "",
        shown=len(memory.shown),
        held=memory.held,
    )
    if (due := turn.routine) is not None:
        at = _spoken(due.wanted_at, memory.timezone)
        head = f"{head}\n{prompts.render('routine_head', number=due.number, due=at, is_late=due.is_late)}"
        words = escape(shortened(hide_addresses(turn.words), NEWEST_MAX_TOKENS))
    else:
        words = tagged([(text.body, text.created_at) for text in turn.texts], NEWEST_MAX_TOKENS, memory.timezone)
    settings = services.settings
    return Context(
        turn=turn,
        memory=memory,
        system=[{**block(text), "cache_control": CACHE_MARK} for text in (prompts.render("reply"), memory.block)],
        tools=offered(services),
        history=before,
        said=[{"role": "user", "content": [block(head), *files.shown, block(words or WORDLESS)]}],
        last_said=last_said,
        recalled=tuple(recalled),
        server_tool=first_of(services.features, lambda feature: feature.server_tool(settings)),
        effort=settings.claude_effort,
    )


@dataclass(frozen=True)
class Preview:
    """The prompt that the model would be shown of a person if they texted now, in the order in which it reads it."""

    person: Person
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
    """The next turn's prompt, made as in a turn and sent to nobody, as far as it is known before the text.

    Nobody outside is asked for it, so what the operator's hooks and tool servers add is not in it; nor is what depends
    on the words of the text.

    Raises:
        NotFound: there is no such person.
    """
    here = tuple(replace(feature, tools_found=lambda _: ()) for feature in services.features)
    alone = replace(services, hooks=(), features=here, embedder=None)
    now, owner = services.clock.now(), services.process.token
    with alone.reading() as db:
        person = people.by_id(db, person_id)
        going_on = ongoing_conversation(db, person_id, now, now)
        conversation, memory_on = (going_on.id, going_on.memory_on) if going_on else (0, True)
        memory = remembered_of(db, person, now, memory_on=memory_on)
    turn = OpenTurn(NEWER_THAN_ALL, person_id, conversation, "phone", owner, 1, memory_on, texts=(), deadline=0.0)
    context = build(alone, turn, memory)
    return Preview(
        person=person,
        instructions=context.system[0]["text"],
        memory=memory.block,
        history=len(context.history),
        head=context.said[0]["content"][0]["text"],
        tools=tuple(tool["name"] for tool in context.tools),
    )


def _spoken(at: datetime, timezone: str) -> str:
    there = local(at, timezone)
    return f"{there:%A} {there.day} {there:%B %Y, %H:%M}"


def _waited(span: timedelta) -> str:
    """How long the person has waited, in words; empty when that is no matter."""
    if span < WORTH_A_SORRY:
        return ""
    hours = round(span / timedelta(hours=1))
    return f"{round(span / timedelta(minutes=1))} minutes" if span < timedelta(hours=2) else f"{hours} hours"


def user_note(note: str) -> dict[str, Any]:
    """A note of the assistant's own in the place where the person speaks."""
    return {"role": "user", "content": [block(note)]}

"""The second step of a turn: all that the model is shown, in the order that keeps its cache whole.

Stable text first (tools, standing instructions), then the person's memory, then the conversation, and last what belongs
to this turn alone: the time, and the newest texts.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from sqlalchemy.orm import Session

from app import prompts
from app.clock import local
from app.conversation.claim import OpenTurn
from app.conversation.hooks import NOTHING_BROUGHT, Prompt
from app.conversation.shown import NOTHING_PREFERRED, Memory, Preferred, episodes_with_room, rules_called_for, shortened
from app.memory import episodes, forgotten
from app.memory.facts.selection import estimate_tokens
from app.memory.forgotten import EarlierText
from app.models import Episode, Routine
from app.routines import occurrences, suggestions
from app.routines import rows as rows_of_routines
from app.routines.occurrences import DueRoutine
from app.services import ModelRequest, Services
from app.text import kind_words
from app.text.secrets import hide_addresses
from app.text.thoughts import without_thoughts
from app.tools.registry import offered

# What the model thinks counts towards it, and on the models of today it thinks unless told otherwise: with less, a
# thought can leave no room for words. How long a text should be is asked for in words.
REPLY_MAX_TOKENS = 4096
SHORTENED_TO = 0.25  # What is kept of the history when the model finds it too long.
# The texts to be answered: seven full texts of Twilio's, or two pages that were forwarded. Nobody types more, and more
# would cost the person's daily budget in a few dozen texts. Their room is apart from the history's: neither takes the
# other's. What is left out of the request stays in the database, whole.
NEWEST_MAX_TOKENS = 4000
# What one side of one earlier turn may take of the history's room, so that a page that was forwarded yesterday leaves
# three quarters to all else.
TURN_SHARE = 0.25
WORDLESS = "(They wrote nothing with it.)"  # The API refuses an empty text, and a model would look for one.
CACHE_MARK = {"type": "ephemeral"}
LEAST_OF_A_TEXT = 400  # Tokens: a full text of a phone. Of more such texts than have room the middle is left out.
NEWER_THAN_ALL = 2**63 - 1
SO_FAR_SHARE = 0.2  # Of the history's room, for the summaries at its head: one takes about 200 tokens.
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


@dataclass(frozen=True)
class Context:
    """What the model is shown in one turn.

    It only grows: `system`, `tools` and what was said stay as they were, since the model's thoughts are bound to all
    that stood before them. Whatever has to change takes all thoughts out first, see `without_thoughts`.
    """

    system: list[dict[str, Any]]
    history: list[dict[str, Any]]
    turn: list[dict[str, Any]]
    """The newest texts, and what the model and its tools have said since."""
    person_key: str
    first_of_day: bool
    deadline: float
    tools: list[dict[str, Any]]
    last_said: str = ""
    """What was said to the person before their newest texts; empty where it is not shown."""
    recalled: tuple[Episode, ...] = ()
    """The episodes that stand before the newest texts."""
    recalled_tokens: int = 0
    """What they take, estimated."""
    preferred: Preferred = NOTHING_PREFERRED
    """What is preferred whenever memory is shown anew in this turn."""
    web_searches: int | None = None
    """How many searches of the web one call may make by itself; None where there is no such tool."""
    effort: str | None = None

    @property
    def memory_tokens(self) -> int:
        """What memory adds to the request, estimated."""
        return estimate_tokens(str(self.system[1]["text"])) + self.recalled_tokens

    def has_tool(self, name: str) -> bool:
        return any(tool["name"] == name for tool in self.tools)

    def request(self, *, tools_allowed: bool) -> ModelRequest:
        return ModelRequest(
            system=self.system,
            messages=[*self.history, *self.turn[:-1], _marked(self.turn[-1])],
            tools=self.tools,
            max_tokens=REPLY_MAX_TOKENS,
            deadline=self.deadline,
            person_key=self.person_key,
            tools_allowed=tools_allowed,
            web_searches=self.web_searches,
            first_of_day=self.first_of_day,
            effort=self.effort,
        )

    def with_shorter_history(self) -> "Context":
        """The same turn with only the newest part of the conversation, or none of it when it is short."""
        keep = int(len(self.history) * SHORTENED_TO)
        return replace(self, history=_from_a_user(self.history[len(self.history) - keep :])).without_thoughts()

    def without_web(self) -> "Context":
        return replace(self, web_searches=None).without_thoughts()

    def without_thoughts(self) -> "Context":
        """The same turn without what the model has thought in it."""
        return replace(self, turn=without_thoughts(self.turn))

    def then(self, *messages: dict[str, Any]) -> "Context":
        """The same turn after more was said; what follows something of the same role joins it."""
        turn = list(self.turn)
        for message in messages:
            if turn and turn[-1]["role"] == message["role"]:
                turn[-1] = {**turn[-1], "content": [*turn[-1]["content"], *message["content"]]}
            else:
                turn.append(message)
        return replace(self, turn=turn)


def files_of(services: Services, turn: OpenTurn) -> Files:
    """What came with the turn's texts, as far as a feature reads it."""
    if not any(text.media_count for text in turn.texts):
        return NO_FILES
    readers = (feature.files for feature in services.features if feature.files is not None)
    return next((read(services, turn) for read in readers), UNREAD)


def build(
    services: Services,
    turn: OpenTurn,
    memory: Memory,
    files: Files = NO_FILES,
    prompt: Prompt = NOTHING_BROUGHT,
) -> Context:
    """The context of a turn before its first call."""
    with services.reading() as db:
        earlier = _earlier(db, services, turn, memory.timezone)
        found = [one.episode for one in prompt.past.episodes]
        proposed = [] if turn.routine else [_proposed(db, one) for one in rows_of_routines.proposed(db, turn.person_id)]
        starts = episodes.first_messages(db, [one.id for one in found]) if found else {}
    # What still stands in the history word for word need not be told a second time.
    episodes_shown = episodes_with_room(
        [one for one in found if starts.get(one.id, 0) < earlier.oldest], memory.timezone
    )
    now = local(services.clock.now(), memory.timezone)
    head = prompts.render(
        "turn_head",
        now=f"{now:%A} {now.day} {now:%B %Y, %H:%M} ({memory.timezone})",
        episodes=[one.fields for one in episodes_shown],
        rules=rules_called_for(memory.rules, turn.words),
        memory_on=turn.memory_on,
        files=files.named,
        proposed=proposed,
        notes=prompt.notes,
        waited=_waited(services.clock.now() - turn.texts[0].created_at) if turn.texts else "",
        shown=len(memory.shown),
        held=memory.held,
    )
    if turn.routine is not None:
        head = f"{head}\n{_routine_head(turn.routine, memory.timezone)}"
        words = escape(shortened(hide_addresses(turn.words), NEWEST_MAX_TOKENS))
    else:
        words = _texts([(text.body, text.created_at) for text in turn.texts], NEWEST_MAX_TOKENS, memory.timezone)
    settings = services.settings
    return Context(
        system=[_cached(prompts.render("reply")), _cached(memory.block)],
        history=earlier.messages,
        turn=[{"role": "user", "content": [_text(head), *files.shown, _text(words or WORDLESS)]}],
        person_key=memory.person_key,
        first_of_day=turn.first_of_day,
        deadline=turn.deadline,
        tools=offered(services),
        last_said=earlier.last_said,
        recalled=tuple(one.episode for one in episodes_shown),
        recalled_tokens=sum(one.tokens for one in episodes_shown),
        preferred=memory.preferred,
        web_searches=settings.web_searches_per_turn if settings.web_search == "claude" else None,
        effort=settings.claude_effort,
    )


def _proposed(db: Session, routine: Routine) -> str:
    return f"{routine.number}: {rows_of_routines.spoken(db, routine)}"


def _routine_head(due: DueRoutine, timezone: str) -> str:
    at = local(due.wanted_at, timezone)
    spoken = f"{at:%A} {at.day} {at:%B %Y, %H:%M}"
    return prompts.render("routine_head", number=due.number, due=spoken, is_late=due.is_late)


def _waited(span: timedelta) -> str:
    """How long the person has waited, in words; empty when that is no matter."""
    if span < WORTH_A_SORRY:
        return ""
    hours = round(span / timedelta(hours=1))
    return f"{round(span / timedelta(minutes=1))} minutes" if span < timedelta(hours=2) else f"{hours} hours"


def user_note(note: str) -> dict[str, Any]:
    """A note of the assistant's own in the place where the person speaks."""
    return {"role": "user", "content": [_text(note)]}


class _Earlier(NamedTuple):
    """The conversation before a turn, as far as it is shown."""

    messages: list[dict[str, Any]]
    """Oldest first, alternating, from the person's to ours; the last carries a cache mark."""
    oldest: int
    """The id of the oldest text among them, or of this turn's first."""
    last_said: str
    """Our last words in it, as they were sent."""


def _earlier(db: Session, services: Services, turn: OpenTurn, timezone: str) -> _Earlier:
    """The last texts of earlier turns.

    Ordered by turn: a text that came while the one before was being answered stands after that answer. Commands and
    what they print are left out, so that a listing of memory is never learned again from its own echo. What became an
    episode because this conversation outgrew its room stands at the head as its summary: the head then stays the same
    from turn to turn, instead of losing its first text with each.
    """
    max_tokens = services.settings.history_max_tokens
    compacted = episodes.compacted(db, turn.conversation_id) if turn.memory_on else []
    head, since = _so_far(compacted, int(max_tokens * SO_FAR_SHARE))
    off_in = None if turn.memory_on else turn.conversation_id
    rows = forgotten.texts_before(db, turn.person_id, turn.id, since=since, off_in=off_in)
    room = max_tokens - estimate_tokens(head)
    messages: list[dict[str, Any]] = []
    oldest, last_said = turn.texts[0].id if turn.texts else NEWER_THAN_ALL, ""
    for (direction, mark), texts in groupby(_said(db, services, rows), key=lambda one: (one.direction, one.mark)):
        run = list(texts)[::-1]
        words = _texts([(one.words, one.at) for one in run], int(max_tokens * TURN_SHARE), timezone)
        room -= estimate_tokens(words) + estimate_tokens(mark)
        if room < 0:
            break
        if direction == "out" and not last_said:
            last_said = "\n".join(one.words for one in run)
        messages.append({"role": "user" if direction == "in" else "assistant", "content": words})
        if mark:
            messages.append({"role": "user", "content": mark})
        oldest = min(oldest, run[0].id)
    shown = [{**one, "content": [_text(one["content"])]} for one in _from_a_user(_joined(messages[::-1]))]
    if not shown:
        return _Earlier([], oldest, "")
    if head:
        shown[0]["content"].insert(0, _text(head))
    return _Earlier([*shown[:-1], _marked(shown[-1])], oldest, last_said)


def _texts(texts: Sequence[tuple[str, datetime]], max_tokens: int, timezone: str) -> str:
    """Texts with when each was said, by the person's clock; nothing that anybody writes closes or opens a tag.

    Where they have no room, the longest are shortened to a fair share, and of very many the middle is left out.
    """
    said = [(hide_addresses(words), local(at, timezone)) for words, at in texts if words.strip()]
    fair = _fair_share([estimate_tokens(words) for words, _ in said], max_tokens)
    is_flood = fair < min(LEAST_OF_A_TEXT, max_tokens) and len(said) > 1
    share = LEAST_OF_A_TEXT if is_flood else fair
    tagged = [prompts.text(shortened(words, share), f"{at:%a} {at.day} {at:%b %H:%M}") for words, at in said]
    return "\n".join(_both_ends(tagged, max_tokens) if is_flood else tagged)


def _fair_share(sizes: Sequence[int], room: int) -> int:
    """The most that each may take so that all together have room; what small ones leave over is for the others."""
    for place, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - place)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def _both_ends(texts: Sequence[str], max_tokens: int) -> list[str]:
    """The first and the last of the texts, as many as have room, with how many are left out between them."""
    sizes = [estimate_tokens(text) for text in texts]
    first, last = 0, len(texts)
    head = tail = max_tokens / 2
    while first < last and sizes[first] <= head:
        head -= sizes[first]
        first += 1
    while first < last and sizes[last - 1] <= tail:
        last -= 1
        tail -= sizes[last]
    left_out = [f"({last - first} texts between these are left out here.)"] if first < last else []
    return [*texts[:first], *left_out, *texts[last:]]


def _so_far(compacted: Sequence[Episode], max_tokens: int) -> tuple[str, int]:
    """What stands at the head of the history in the place of the texts up to a turn, and that turn.

    The newest part is what the texts go on from, and is told whole; of those before it the summary is enough.
    """
    if not compacted:
        return "", 0
    newest, room = compacted[-1], max_tokens
    parts = [newest.narrative if estimate_tokens(newest.narrative) <= max_tokens else newest.summary]
    for episode in reversed(compacted[:-1]):
        room -= estimate_tokens(parts[-1])
        if room < 0:
            break
        parts.append(episode.summary)
    return prompts.render("conversation_so_far", parts=parts[::-1]), newest.upto_turn_id


class _Said(NamedTuple):
    """One earlier text."""

    id: int
    direction: str
    words: str
    at: datetime
    mark: str
    """What says that nobody had texted, and why it was said; else empty."""


def _said(db: Session, services: Services, rows: Sequence[EarlierText]) -> list[_Said]:
    """Each text that says something; a mark stands for what came with it."""
    sent = _file_marks(db, services, [row.id for row in rows if row.media_count])
    by_itself = {row.turn_id for row in rows if row.kind == "routine"}
    marks = _marks(db, by_itself) if by_itself else {}
    told = [
        _Said(
            row.id,
            row.direction,
            "\n".join(filter(str.strip, (row.body, sent.get(row.id, "")))),
            row.created_at,
            marks.get(row.turn_id, ""),
        )
        for row in rows
    ]
    return [one for one in told if one.words]


def _file_marks(db: Session, services: Services, ids: Sequence[int]) -> dict[int, str]:
    """What stands in the place of the files of each of these texts."""
    sent = dict.fromkeys(ids, "[sent a file]")
    for feature in services.features:
        if ids and feature.file_marks is not None:
            sent |= feature.file_marks(db, ids)
    return sent


def _marks(db: Session, turn_ids: Collection[int]) -> dict[int, str]:
    """What stands before the texts of these turns, in which nobody had texted."""
    numbers = occurrences.numbers_of(db, turn_ids)
    suggested = suggestions.in_turns(db, turn_ids)
    return {
        turn_id: prompts.render("suggestion_mark", kind=one.kind, times=one.times, quote=one.words)
        if (one := suggested.get(turn_id)) is not None
        else prompts.render("routine_mark", numbers=numbers.get(turn_id, "?"))
        for turn_id in turn_ids
    }


def _joined(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What follows something of the same role joins it: a text that got no reply stands before a routine's mark."""
    runs = groupby(messages, key=lambda one: one["role"])
    return [{"role": role, "content": "\n".join(one["content"] for one in run)} for role, run in runs]


def _from_a_user(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    first = next((place for place, one in enumerate(messages) if one["role"] == "user"), len(messages))
    kept = messages[first:]
    # The newest message is the person's too; a history that ends in theirs would leave an answer out.
    return kept if not kept or kept[-1]["role"] == "assistant" else kept[:-1]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _cached(text: str) -> dict[str, Any]:
    return {**_text(text), "cache_control": CACHE_MARK}


def _marked(message: dict[str, Any]) -> dict[str, Any]:
    """The message with a cache mark at its end: all up to there is read from the cache by the next request.

    An answer that the model is to go on with is sent back as it came.
    """
    if message["role"] == "assistant" and "model" in message:
        return message
    *before, last = message["content"]
    return {**message, "content": [*before, {**last, "cache_control": CACHE_MARK}]}

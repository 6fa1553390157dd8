"""Everything the model is shown in a turn, in the order that makes best use of its cache.

Stable text comes first (tools, standing instructions), then the person's memory, then the conversation, and last the
parts of this turn alone: the time and the newest texts.
"""

import logging
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate, groupby
from typing import Any
from xml.sax.saxutils import escape

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app import people, prompts
from app.clock import local, spoken_day
from app.conversation import memory_shown
from app.conversation.claim import NEWER_THAN_ALL, OpenTurn, ongoing_conversation
from app.conversation.memory_shown import Memory, ShownEpisode, estimate_tokens, shortened
from app.conversation.recall import Recalled
from app.memory import episodes, forgotten
from app.memory.forgotten import FORGOTTEN, EarlierText
from app.models import Episode, Person
from app.routines import occurrences, suggestions
from app.routines import rows as rows_of_routines
from app.services import Services
from app.services.feature import first_result
from app.services.model import ModelRequest, ServerTool, without_thoughts
from app.text import kind_words
from app.text.secrets import hide_addresses
from app.tools.registry import offered

# The model's thoughts count towards it, and current models think by default. With less, thoughts could leave no room
# for words. The prompt asks for the length of a text.
REPLY_MAX_TOKENS = 4096
SHORTENED_TO = 0.25  # The share of the history that is kept if the model finds it too long.
# The limit for the texts to answer: seven full Twilio texts, or two forwarded pages. Nobody types more, and more would
# use up the person's daily budget in a few dozen texts. It is separate from the history's limit, so neither takes the
# other's room. The database keeps the whole texts.
NEWEST_MAX_TOKENS = 4000
WORDLESS = "(They wrote nothing with it.)"  # The API refuses an empty text, and a model would look for one.
WORTH_A_SORRY = timedelta(minutes=30)  # Nobody who texts a friend expects an apology sooner.
# The share of the history's room for one side of one earlier turn, so that a forwarded page leaves three quarters to
# the rest.
TURN_SHARE = 0.25
CACHE_MARK = {"type": "ephemeral"}
MOST_TEXTS = 40  # Of one side in a row; of more the middle is left out. Each then has room for a typed text.
NOTES_MAX_TOKENS = 300  # As much as rules get, so that notes of code never crowd out the person's words.
SO_FAR_SHARE = 0.2  # The share of the history's room for the summaries at its head; one takes about 200 tokens.

# Episodes that were written because the conversation outgrew its room. Built once: every turn runs it.
_COMPACTED = (
    select(Episode)
    .where(Episode.conversation_id == bindparam("conversation"), Episode.retired_at.is_(None))
    .where(Episode.trigger == "compaction")
    .order_by(Episode.upto_turn_id)
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prompt:
    """Text to put before the person's texts: recalled memory, and notes of hooks."""

    past: Recalled
    notes: tuple[str, ...] = ()
    """Sentences that the model is shown as data, `NOTES_MAX_TOKENS` in all; the rest is left out."""

    def __post_init__(self) -> None:
        if not all(isinstance(note, str) for note in self.notes):  # Raised here, it fails the hook and not the turn.
            raise TypeError("A note for the model is a str.")

    def with_notes(self, *notes: str) -> "Prompt":
        """A copy with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def notes_with_room(self) -> tuple[str, ...]:
        fit = bisect_right([*accumulate(map(estimate_tokens, self.notes))], NOTES_MAX_TOKENS)
        if fit < len(self.notes):
            logger.warning("Hooks added more notes than %d tokens: the rest was left out", NOTES_MAX_TOKENS)
        return self.notes[:fit]


@dataclass(frozen=True)
class Files:
    """The files that came with the texts of one turn."""

    shown: tuple[dict[str, Any], ...] = ()  # Request blocks: the pictures that the model is shown.
    named: tuple[str, ...] = ()  # Each file in words, for the model.
    excuse: str = ""  # The reply if there are neither words nor a usable file.


UNREAD = Files(named=("a file, which you cannot open",), excuse=kind_words.NO_EYES)


def files_of(services: Services, turn: OpenTurn) -> Files:
    """The files that came with the turn's texts, as a feature reads them; `UNREAD` if none can."""
    if not any(text.media_count for text in turn.texts):
        return Files()
    return first_result(services.features, lambda feature: feature.files(services, turn)) or UNREAD


@dataclass(frozen=True)
class Context:
    """Everything the model is shown in one turn.

    It only grows: `system`, `tools` and earlier messages never change, because the model's thoughts are bound to
    everything before them. Any change has to remove all thoughts too, see `without_thoughts`.
    """

    turn: OpenTurn
    memory: Memory
    system: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    history: list[dict[str, Any]]
    said: list[dict[str, Any]]  # The newest texts, then the messages of the model and its tools.
    last_said: str  # Our last words before the person's newest texts; empty if the history does not show them.
    recalled: tuple[ShownEpisode, ...]  # The episodes shown before the newest texts.
    server_tool: ServerTool | None  # A tool that the model's server runs within its answer.
    effort: str | None

    @property
    def memory_tokens(self) -> int:
        """Estimated tokens that memory adds to the request."""
        return estimate_tokens(self.memory.block) + sum(one.tokens for one in self.recalled)

    def request(self, *, tools_allowed: bool) -> ModelRequest:
        return ModelRequest(
            system=self.system,
            messages=[*self.history, *self.said[:-1], with_cache_mark(self.said[-1])],
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
        """A copy with only the newest part of the history, or with none if it is short."""
        keep = int(len(self.history) * SHORTENED_TO)
        return replace(self, history=from_user(self.history[len(self.history) - keep :])).without_thoughts()

    def without_thoughts(self) -> "Context":
        """A copy without the model's thoughts."""
        return replace(self, said=without_thoughts(self.said))

    def with_messages(self, *messages: dict[str, Any]) -> "Context":
        """A copy with more messages; a message joins the one before it if both have the same role."""
        said = list(self.said)
        for message in messages:
            if said and said[-1]["role"] == message["role"]:
                said[-1] = {**said[-1], "content": [*said[-1]["content"], *message["content"]]}
            else:
                said.append(message)
        return replace(self, said=said)


def build(services: Services, turn: OpenTurn, memory: Memory, files: Files, prompt: Prompt) -> Context:
    """The context for the first call of a turn."""
    with services.reading() as db:
        before, oldest, last_said = history_before(db, services, turn, memory.timezone)
        found = [episode for episode, _ in prompt.past.episodes]
        waiting = rows_of_routines.proposed(db, turn.person_id) if turn.has_proposal and not turn.routine else []
        proposed = [f"{routine.number}: {rows_of_routines.spoken(db, routine)}" for routine in waiting]
        starts = episodes.first_messages(db, [one.id for one in found]) if found else {}
    # Episodes whose texts the history still shows in full are not repeated.
    recalled = memory_shown.episodes_with_room(
        [one for one in found if starts.get(one.id, 0) < oldest], memory.timezone
    )
    now = services.clock.now()
    head = prompts.render(
        "turn_head",
        now=f"{_spoken(now, memory.timezone)} ({memory.timezone})",
        episodes=[one.fields for one in recalled],
        rules=memory_shown.triggered_rules(memory.rules, turn.words),
        memory_on=turn.memory_on,
        files=files.named,
        proposed=proposed,
        notes=prompt.notes_with_room(),
        waited=_waiting_time(now - turn.texts[0].created_at) if turn.texts else "",
        shown=len(memory.shown),
        held=memory.held,
    )
    if (due := turn.routine) is not None:
        at = _spoken(due.wanted_at, memory.timezone)
        head = f"{head}\n{prompts.render('routine_head', number=due.number, due=at, is_late=due.is_late)}"
        words = escape(shortened(hide_addresses(turn.words), NEWEST_MAX_TOKENS))
    else:
        words = tagged([(text.body, text.created_at) for text in turn.texts], NEWEST_MAX_TOKENS, memory.timezone)
    return Context(
        turn=turn,
        memory=memory,
        system=[{**block(text), "cache_control": CACHE_MARK} for text in (prompts.render("reply"), memory.block)],
        tools=offered(services),
        history=before,
        said=[{"role": "user", "content": [block(head), *files.shown, block(words or WORDLESS)]}],
        last_said=last_said,
        recalled=tuple(recalled),
        server_tool=services.once(_server_tool),
        effort=services.settings.claude_effort,
    )


def _server_tool(services: Services) -> ServerTool | None:
    return first_result(services.features, lambda feature: feature.server_tool(services.settings))


def _spoken(at: datetime, timezone: str) -> str:
    there = local(at, timezone)
    return f"{spoken_day(there.date())} {there:%Y, %H:%M}"


def _waiting_time(span: timedelta) -> str:
    """The person's waiting time in words; empty if it is too short to mention."""
    if span < WORTH_A_SORRY:
        return ""
    hours = round(span / timedelta(hours=1))
    return f"{round(span / timedelta(minutes=1))} minutes" if span < timedelta(hours=2) else f"{hours} hours"


def history_before(
    db: Session, services: Services, turn: OpenTurn, timezone: str
) -> tuple[list[dict[str, Any]], int, str]:
    """The conversation before a turn, within its room: messages oldest first, from one of the person's to one of ours.

    It comes with the id of the oldest text shown, or of this turn's first, and with our last words as they were sent.
    Messages are ordered by turn: a text that arrived during an answer stands after that answer. Commands and their
    output are left out, so that a listing of memory is not learned again. Once the conversation outgrows its room, the
    summaries of its older part stand at the head, so that the head stays the same from turn to turn instead of losing
    its first text each time.
    """
    max_tokens = services.settings.history_max_tokens
    compacted = db.scalars(_COMPACTED, {"conversation": turn.conversation_id}).all() if turn.memory_on else []
    head, since = _history_head(compacted, int(max_tokens * SO_FAR_SHARE))
    off_in = None if turn.memory_on else turn.conversation_id
    rows = forgotten.texts_before(db, turn.person_id, turn.id, since=since, off_in=off_in)
    marks = _unasked_marks(db, {row.turn_id: row.body for row in rows if row.kind == "routine"})
    room = max_tokens - estimate_tokens(head)
    messages: list[tuple[str, str]] = []
    oldest, last_said = turn.texts[0].id if turn.texts else NEWER_THAN_ALL, ""
    said = _with_files(db, services, rows)
    for (direction, mark), texts in groupby(said, key=lambda row: (row.direction, marks.get(row.turn_id, ""))):
        run = list(texts)[::-1]
        words = tagged([(one.body, one.created_at) for one in run], int(max_tokens * TURN_SHARE), timezone)
        room -= estimate_tokens(words) + estimate_tokens(mark)
        if room < 0:
            break
        if direction == "out" and not last_said:
            last_said = "\n".join(one.body for one in run)
        messages.append(("user" if direction == "in" else "assistant", words))
        if mark:
            messages.append(("user", mark))
        oldest = min(oldest, run[0].id)
    # Neighbours of the same role are joined: a text without a reply may stand before a routine's mark.
    runs = groupby(messages[::-1], key=lambda one: one[0])
    shown = from_user([{"role": role, "content": [block("\n".join(one[1] for one in run))]} for role, run in runs])
    if not shown:
        return [], oldest, ""
    if head:
        shown[0]["content"].insert(0, block(head))
    return [*shown[:-1], with_cache_mark(shown[-1])], oldest, last_said


def _with_files(db: Session, services: Services, rows: Sequence[EarlierText]) -> list[EarlierText]:
    """The texts that are not empty, with a mark for each one's files."""
    with_files = [row.id for row in rows if row.media_count]
    sent = dict.fromkeys(with_files, "[sent a file]")
    if with_files:
        for feature in services.features:
            sent |= feature.file_marks(db, with_files)
    said = (row._replace(body="\n".join(filter(str.strip, (row.body, sent.get(row.id, ""))))) for row in rows)
    return [row for row in said if row.body]


def _unasked_marks(db: Session, said: Mapping[int, str]) -> dict[int, str]:
    """For turns in which nobody had texted, the mark that stands before what we said and tells why it was sent."""
    if not said:
        return {}
    numbers, suggested = occurrences.numbers_of(db, said), suggestions.in_turns(db, said)
    marks = {turn: prompts.render("routine_mark", numbers=numbers.get(turn, "?")) for turn in said.keys() - suggested}
    for turn, one in suggested.items():
        quote = FORGOTTEN if FORGOTTEN in said[turn] else one.words
        marks[turn] = prompts.render("suggestion_mark", kind=one.kind, times=one.times, quote=quote)
    return marks


def _history_head(compacted: Sequence[Episode], max_tokens: int) -> tuple[str, int]:
    """The head of the history, which replaces all texts up to a turn, and the id of that turn.

    The newest episode is shown whole, because the texts continue from it; for older ones the summary is enough.
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


def tagged(texts: Sequence[tuple[str, datetime]], max_tokens: int, timezone: str) -> str:
    """The texts in tags with their local times, escaped so that no text can open or close a tag.

    If they do not fit, the longest are shortened to a fair share. Of more than `MOST_TEXTS` the middle is left out.
    """
    said = [(hide_addresses(words), local(at, timezone)) for words, at in texts if words.strip()]
    left_out = len(said) - MOST_TEXTS
    if left_out > 0:
        said = [*said[: MOST_TEXTS // 2], *said[-MOST_TEXTS // 2 :]]
    share = _fair_share([estimate_tokens(words) for words, _ in said], max_tokens)
    shown = [prompts.text(shortened(words, share), f"{at:%a} {at.day} {at:%b %H:%M}") for words, at in said]
    if left_out > 0:
        shown.insert(MOST_TEXTS // 2, f"({left_out} texts between these are left out here.)")
    return "\n".join(shown)


def _fair_share(sizes: Sequence[int], room: int) -> int:
    """The largest share at which all fit into the room together; small ones leave their rest to the others."""
    for place, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - place)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def from_user(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    first = next((place for place, one in enumerate(messages) if one["role"] == "user"), len(messages))
    kept = messages[first:]
    # The person's newest texts follow, so the history has to end with a message of ours.
    return kept if not kept or kept[-1]["role"] == "assistant" else kept[:-1]


def block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def with_cache_mark(message: dict[str, Any]) -> dict[str, Any]:
    """The message with a cache mark at its end, up to which the next request reads from the cache.

    An answer that the model is to continue is sent back unchanged.
    """
    if message["role"] == "assistant" and "model" in message:
        return message
    *before, last = message["content"]
    return {**message, "content": [*before, {**last, "cache_control": CACHE_MARK}]}


def preview(services: Services, person_id: int) -> tuple[Person, Context]:
    """The person and the context that the model would see if they texted now, as far as it is known before the text.

    It is built as in a turn but sent to nobody. It makes no outside calls, so it lacks the additions of hooks and tool
    servers, and everything that depends on the words of the text.

    Raises:
        NotFound: there is no such person.
    """
    here = tuple(replace(feature, tools_found=lambda _: ()) for feature in services.features)
    alone = replace(services, hooks=(), features=here, embedder=None)
    now, owner, nothing = services.clock.now(), services.process.token, Prompt(Recalled(""))
    with alone.reading() as db:
        person = people.by_id(db, person_id)
        going_on = ongoing_conversation(db, person_id, now, now)
        conversation, memory_on = (going_on.id, going_on.memory_on) if going_on else (0, True)
        memory = memory_shown.load_memory_of(db, person, now, nothing.past.preferred, memory_on=memory_on)
    turn = OpenTurn(
        NEWER_THAN_ALL, person_id, conversation, "phone", owner, 1, memory_on, texts=(), deadline=0.0, has_proposal=True
    )
    return person, build(alone, turn, memory, Files(), nothing)

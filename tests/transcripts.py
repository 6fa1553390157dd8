"""Scenes of texts and replies, kept as data: reads them, replays them through Twilio's webhook, and writes the result.

In a scene `>` is a text of a person, `<` one that they get, `claude:` an answer of Claude's stand-in, `tool` a tool's
answer to it, `recalled` lists memories shown to the model, and `(nobody texts)` only lets time pass.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from app.jobs import JOBS, check_model, count_hours, fetch_missed, index_texts
from app.people import let_in
from app.store.db import as_stored
from tests.claude_server import Block, ClaudeServer, Reply, error, overloaded, several, text, tool
from tests.line import Line
from tests.twilio_server import NUMBER, Accepted

FENCE = "```"
NOBODY_TEXTS = "(nobody texts)"
AWAY, BACK = "(Claude is away)", "(Claude is back)"
UNSEEN = (check_model, count_hours, fetch_missed)
"""Jobs without effect on a person whose texts all arrive; they would take half of the time."""
LOOK_APART = timedelta(minutes=10)  # Jobs run only after such a pause; between two texts only the index has work.
INDENT = "    "
_AT = re.compile(r"\[(?P<at>\w{3} \d\d \w{3} \d\d:\d\d)\] (?P<rest>.*)", re.DOTALL)
_TEXT = re.compile(r"(?:(?P<who>\w+) )?> (?P<forwarded>\(forwarded\) )?(?P<body>.*)", re.DOTALL)
_WRITTEN = re.compile(r"(?:\[[^]]*\] )?(?:(?:\w+ )?< |  (?:tool|recalled)\b)")
_LET_IN = re.compile(r"\(the operator lets (\w+) in\)")
_CALLS = "SELECT id, name, result, is_error FROM tool_calls WHERE id > :after ORDER BY id"
_NEXT_DUE = """SELECT min(at) FROM (
    SELECT next_due_at AS at FROM routines WHERE state = 'active'
    UNION SELECT run_at FROM occurrences WHERE state IN ('due', 'held')
    UNION SELECT run_at FROM suggestions WHERE state = 'waiting'
) AS instants WHERE at > :now"""
_RECALLED = "SELECT id, recalled FROM turns WHERE id > :after AND state = 'done' ORDER BY id"


@dataclass(frozen=True)
class Event:
    """One moment: the lines of the data on what is done, and Claude's scripted answers."""

    at: str
    done: list[str]
    scripts: list[str]


@dataclass(frozen=True)
class Scene:
    """One heading of the data, with its content."""

    title: str
    about: dict[str, str]  # `model`, `people`, `zone`, `with` and `settings`, as written.
    events: list[Event]
    written: str  # The whole scene as in the file.

    @property
    def people(self) -> dict[str, str]:
        """Addresses by name."""
        return dict(one.split() for one in self.about["people"].split(", "))

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.about.get("zone", "America/Los_Angeles"))

    @property
    def settings(self) -> dict[str, Any]:
        given: dict[str, Any] = json.loads(self.about.get("settings", "{}"))
        return given


def read(path: Path) -> list[Scene]:
    """The scenes of the file, in order; the text before the first heading is for readers."""
    return [_scene(written) for written in _parts(path)[1:]]


def write(path: Path, before: Scene, written: str) -> None:
    """Replace the scene in the file by its new result."""
    parts = [written if part == before.written else part for part in _parts(path)]
    path.write_text("".join(parts), "utf-8")


def _parts(path: Path) -> list[str]:
    return re.split(r"^(?=## )", path.read_text("utf-8"), flags=re.MULTILINE)


def _scene(written: str) -> Scene:
    head, said = written.split(FENCE)[:2]
    title, *about = [line for line in head.splitlines() if line]
    return Scene(title.removeprefix("## "), dict(line.split(": ", 1) for line in about), _events(said), written)


def _events(said: str) -> list[Event]:
    """The events of a scene; replies and other recorded results are skipped."""
    events: list[Event] = []
    for line in re.split(rf"\n(?!{INDENT})", said)[1:]:
        if not line or _WRITTEN.match(line):
            continue
        if line.startswith("  claude: "):
            events[-1].scripts.append(line.removeprefix("  claude: "))
        elif found := _AT.match(line):
            events.append(Event(found["at"], [found["rest"]], []))
        else:
            events[-1].done.append(line)
    return events


def answer_of(script: str) -> Reply:
    """Claude's answer from a script: quoted words, or blocks in order (`say`, `think`, names of tools), or `error`."""
    given = json.loads(script)
    parts = [{"say": given}] if isinstance(given, str) else given if isinstance(given, list) else [given]
    pairs = [pair for part in parts for pair in part.items()]
    if pairs[0][0] == "error":
        return error(*pairs[0][1])
    stop = next((value for name, value in pairs if name == "stop"), None)
    return several([_block(name, value) for name, value in pairs if name != "stop"], stop)


def _block(name: str, value: Any) -> Block:
    if name == "think":  # The value is a number of letters, so that the thought has its cost.
        return {"type": "thinking", "thinking": "x" * value, "signature": "c2ln"}
    return text(value) if name == "say" else tool(name, value)


class Held:
    """A scene to be replayed on a line, once, by calling `written`."""

    def __init__(self, scene: Scene, line: Line, claude: ClaudeServer, hidden: dict[str, str]) -> None:
        self._scene = scene
        self._line = line
        self._claude = claude
        self._hidden = hidden
        """Values that differ from run to run, by the word that replaces them in the data."""
        self._names = {address: name for name, address in scene.people.items()}
        self._seen = {_CALLS: 0, _RECALLED: 0}
        self._asked = self._answers = 0
        self._is_away = False
        self._accepted = 0
        self._looked_at = line.clock.now()
        self._untold: list[Accepted] = []
        """Texts that were sent, and whose status callbacks follow a little later, as Twilio's do."""

    def written(self) -> str:
        """Replay the scene, and return it with its results and the rows that it left."""
        about = "\n".join(f"{name}: {value}" for name, value in self._scene.about.items())
        said = "\n".join(line for event in self._scene.events for line in self._hold(event))
        assert not list(self._look())
        with self._line.services.reading() as db:
            rows = rows_shown(db, self._names, self._scene.zone)
        shown = f"## {self._scene.title}\n\n{about}\n\n{FENCE}text\n{said}\n{FENCE}\n\n{FENCE}text\n{rows}\n{FENCE}\n\n"
        for word, value in self._hidden.items():
            shown = shown.replace(value, word)
        return shown

    def _hold(self, event: Event) -> Iterator[str]:
        at = datetime.strptime(f"{event.at} 2026", "%a %d %b %H:%M %Y").replace(tzinfo=self._scene.zone)
        assert self._shown(at) == event.at, event.at
        yield from self._go_to(at.astimezone(UTC))
        nobody = event.done == [NOBODY_TEXTS]
        if not nobody and self._line.clock.now() - self._looked_at >= LOOK_APART:
            yield from (f"[{event.at}] {one}" for one in self._look())
        index_texts.run(self._line.services)
        self._claude.queue(*map(answer_of, event.scripts))
        self._answers += len(event.scripts)
        yield f"[{event.at}] {event.done[0]}"
        yield from [*event.done[1:], *(f"  claude: {script}" for script in event.scripts)]
        yield from [*self._look(), *self._look()] if nobody else self._do(event.done)
        self._asked = len(self._claude.requests)
        if self._is_away:
            self._answers = self._asked
        assert self._asked == self._answers, f"{event.at}: {self._answers} answers for {self._asked} requests"

    def _go_to(self, at: datetime) -> Iterator[str]:
        """Advance to that instant; yields the routines and suggestions due on the way, each at its own time."""
        while True:
            now = self._line.clock.now()
            with self._line.services.reading() as db:
                due = db.scalar(sql(_NEXT_DUE), {"now": as_stored(now)})
            stop = at if due is None else min(at, datetime.fromisoformat(_as_text(due)).replace(tzinfo=UTC))
            assert stop >= now, self._shown(at)
            self._line.clock.advance(seconds=(stop - now).total_seconds())
            if stop == at:
                return
            yield from (f"[{self._shown(stop)}] {one}" for one in (*self._look(), *self._look()))

    def _shown(self, instant: datetime) -> str:
        return f"{instant.astimezone(self._scene.zone):%a %d %b %H:%M}"

    def _do(self, done: Sequence[str]) -> Iterator[str]:
        for one in done:
            if found := _LET_IN.fullmatch(one):
                let_in(self._line.services, self._line.person(self._scene.people[found[1]]).id)
            elif one in {AWAY, BACK}:
                self._answers = len(self._claude.requests)
                self._is_away = one == AWAY
                self._claude.otherwise = overloaded() if self._is_away else None
            else:
                self._bring(one)
        self._line.background.run(within_seconds=0)
        yield from self._news()

    def _bring(self, one: str) -> None:
        found = _TEXT.fullmatch(one)
        assert found is not None, one
        sender = self._scene.people[found["who"] or next(iter(self._scene.people))]
        to = f"whatsapp:{NUMBER}" if sender.startswith("whatsapp:") else NUMBER
        body = found["body"].replace(f"\n{INDENT}", "\n")
        for word, value in self._hidden.items():
            body = body.replace(word, value)
        self._line.bring(body, sender=sender, to=to, **({"Forwarded": "true"} if found["forwarded"] else {}))

    def _look(self) -> Iterator[str]:
        """Run every job, and yield what it led to."""
        self._looked_at = self._line.clock.now()
        services = self._line.services
        for job in (*JOBS, *(job for feature in services.features for job in feature.jobs)):
            if job not in UNSEEN:
                job.run(services)
        self._line.background.run(within_seconds=0)
        yield from self._news()

    def _news(self) -> Iterator[str]:
        """Yield tool calls, recalled memories and texts since the last call."""
        of_claude = self._scene.about["model"] == "claude"
        for name, result, is_error in self._after(_CALLS) if of_claude else ():
            yield f"  tool {name}{' refused' if is_error else ''}: {result}".replace("\n", f"\n{INDENT}")
        for (recalled,) in self._after(_RECALLED):
            found = [f"{one['kind']} {one['id']}" for one in json.loads(_as_text(recalled or "[]")) if one.get("id")]
            yield from [f"  recalled: {', '.join(found)}"] if found else []
        self._line.tell_of(*self._untold)
        self._untold = self._line.twilio.accepted[self._accepted :]
        self._accepted += len(self._untold)
        yield from map(self._reply, self._untold)

    def _after(self, query: str) -> Iterator[tuple[Any, ...]]:
        with self._line.services.reading() as db:
            rows = db.execute(sql(query), {"after": self._seen[query]}).all()
        for row in rows:
            self._seen[query] = row[0]
            yield tuple(row)[1:]

    def _reply(self, accepted: Accepted) -> str:
        who = f"{self._names[accepted.to]} " if len(self._names) > 1 else ""
        return f"{who}< " + accepted.body.replace("\n", f"\n{INDENT}")


_QUERIES = (Path(__file__).parent / "data" / "transcript_rows.sql").read_text("utf-8")
_ROWS = dict(part.split("\n", 1) for part in _QUERIES.split("-- # ")[1:])
"""Queries by heading."""

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}")
# Columns whose values need no label.
_BARE = frozenset(
    {"#", "bare", "who", "name", "state", "kind", "how", "does", "actor", "verb", "direction", "delivery"}
)


def rows_shown(db: Session, names: dict[str, str], zone: ZoneInfo) -> str:
    """The rows of each table that has any, without keys and empty values."""
    shown = []
    for heading, query in _ROWS.items():
        rows = [_row(dict(row), names, zone) for row in db.execute(sql(query)).mappings()]
        shown += [f"{heading}:", *(f"  {row}" for row in rows)] if rows else []
    return "\n".join(shown)


def _as_text(value: Any) -> Any:
    """A value in the form of SQLite: instants and JSON are text, and True is 1."""
    if isinstance(value, datetime):
        return as_stored(value.replace(tzinfo=UTC))
    if isinstance(value, list | dict):
        return json.dumps(value)
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return int(value) if isinstance(value, bool) else value


def _row(row: dict[str, Any], names: dict[str, str], zone: ZoneInfo) -> str:
    row["who"] = names[row["who"]] if "who" in row and len(names) > 1 else None
    plain = {name: _as_text(value) for name, value in row.items()}
    parts = [(name, _value(value, zone)) for name, value in plain.items() if value not in {None, 0, ""}]
    return " | ".join(value if name in _BARE else f"{name}: {value}" for name, value in parts)


def _value(value: Any, zone: ZoneInfo) -> str:
    if not isinstance(value, str):
        return str(value)
    if _INSTANT.fullmatch(value):
        return f"{datetime.fromisoformat(value).replace(tzinfo=UTC).astimezone(zone):%a %d %b %Y %H:%M}"
    return value.replace("\n", " / ")

"""The tools that Claude may call: definitions from their signatures, and one call run safely.

A tool is a typed function. Its docstring is what Claude reads; its first parameter, the context, is hidden from Claude.
"""

import inspect
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from sqlalchemy.orm import Session

from app.errors import Conflict, NotFound, Refused, SourceError
from app.memory.changes import made_by
from app.models import Change
from app.services import Services
from app.tools import calendar, facts, profile, recall, routines, rules, server_tools, weather
from app.tools.context import ToolContext

logger = logging.getLogger(__name__)

Tool = Callable[..., dict[str, Any]]

TOOLS: dict[str, Tool] = {
    tool.__name__: tool
    for tool in (
        facts.extract_memory,
        facts.update_memory,
        facts.remove_memory,
        facts.list_memories,
        recall.recall_memory,
        profile.update_profile,
        rules.set_rule,
        rules.change_rule,
        routines.set_routine,
        routines.change_routine,
        weather.get_weather,
        calendar.calendar,
    )
}

MAX_FAULTS = 20  # Of one call; nobody mends more at once.
MAX_WORD_CHARS = 60  # Of a name or a fault quoted back: enough to be recognised, whatever the model made up.

_READS: dict[str, frozenset[str] | None] = {
    "list_memories": None,
    "recall_memory": None,
    "get_weather": None,
    "change_rule": frozenset({"list"}),
    "change_routine": frozenset({"list"}),
    "calendar": frozenset({"look"}),
}
"""Tools that change nothing, with the actions of which that holds; None for all that they do."""

_OTHERS_WORDS = frozenset({"calendar"})

# Hours, and what is scheduled or looked up outside, are no memory and work also while it is off.
_BESIDE_MEMORY = {routines.__name__, weather.__name__, calendar.__name__, profile.__name__}
_NEEDS_MEMORY = frozenset(name for name in TOOLS if TOOLS[name].__module__ not in _BESIDE_MEMORY)

_SOURCES: dict[str, Callable[[Services], object]] = {
    "get_weather": lambda services: services.weather,
    "calendar": lambda services: services.calendars,
}
"""Tools that are offered only where there is somebody to ask."""


@dataclass(frozen=True)
class ToolResult:
    """What goes back to the model: JSON text, or a sentence it can act on."""

    content: str
    is_error: bool


def offered(services: Services) -> list[dict[str, Any]]:
    """The tools of this installation as the Messages API takes them.

    Routines are offered the same, though what writes is refused in them: so all requests share one cached prefix.
    """
    theirs = [tool for name, tool in server_tools.connected(services).items() if name not in TOOLS]
    return definitions(without=_not_there(services)) + [server_tools.definition(tool) for tool in theirs]


def brings_others_words(name: str) -> bool:
    """Whether a call of the tool brings words of anybody into a turn.

    From then on only what the person's own words say is kept in it.
    """
    return name in _OTHERS_WORDS or name not in TOOLS


def _not_there(services: Services) -> frozenset[str]:
    return frozenset(name for name, source in _SOURCES.items() if source(services) is None)


@cache
def definitions(*, without: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """The tools, always in the same order so that the cached prefix stays whole.

    None is `strict`: the API compiles the schemas of strict tools into one grammar, whose size has a limit that nobody
    publishes. Arguments are checked by `run`.
    """
    return [
        {"name": name, "description": inspect.getdoc(tool), "input_schema": _schema(_input_model(tool))}
        for name, tool in TOOLS.items()
        if name not in without
    ]


def run(ctx: ToolContext, name: str, given: object) -> ToolResult:
    """What the tool answers; every failure is a sentence, and none carries what only a log may hold."""
    gone = _not_there(ctx.services)
    tool = None if name in gone else TOOLS.get(name)
    theirs = server_tools.connected(ctx.services) if tool is None else {}
    if tool is None and name not in theirs:
        there = ", ".join([*(one for one in TOOLS if one not in gone), *theirs])
        return ToolResult(f"There is no tool named '{_short(name)}'. The tools are: {there}.", is_error=True)
    only_reads = _only_reads(name, given) if tool else not theirs[name].writes
    if ctx.is_routine and not only_reads:
        return ToolResult(_NOBODY_TEXTED, is_error=True)
    try:
        if name in _NEEDS_MEMORY:
            ctx.check_memory_on()
        result = server_tools.call(ctx, theirs[name], given) if tool is None else _run_ours(ctx, name, tool, given)
    except ValidationError as error:
        return ToolResult(f"The input does not fit {name}: {_faults(error)}. Call it again, corrected.", is_error=True)
    except (NotFound, Conflict, Refused, SourceError) as error:
        return ToolResult(str(error), is_error=True)
    except Exception:  # The tool's door: what broke stays in the log, the model learns only that it broke.
        logger.exception("Tool %s failed in turn %s", name, ctx.turn_id)
        return ToolResult(_BROKEN, is_error=True)
    return ToolResult(json.dumps(result, ensure_ascii=False), is_error=False)


def _run_ours(ctx: ToolContext, name: str, tool: Tool, given: object) -> dict[str, Any]:
    model = _input_model(tool)
    values = model.model_validate(_mended(given))
    done = _done_before(ctx, name) if ctx.is_again else None
    return done or tool(ctx, **{field: getattr(values, field) for field in model.model_fields})


def _mended(given: object) -> object:
    """What a weak model means: null for what it leaves out, and lists or objects written as JSON text.

    A truth value goes on as its word, since pydantic would take `true` for the id 1.
    """
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, str) and given[:1] in {"[", "{"}:
        with suppress(ValueError, RecursionError):
            given = json.loads(given)
    if isinstance(given, dict):
        return {name: _mended(value) for name, value in given.items() if value is not None}
    if isinstance(given, list):
        return [_mended(value) for value in given]
    return given


def _only_reads(name: str, given: object) -> bool:
    actions = _READS.get(name, frozenset())
    return actions is None or (isinstance(given, dict) and str(given.get("action")) in actions)


def _done_before(ctx: ToolContext, name: str) -> dict[str, Any] | None:
    """What the call answered, or would have, when an earlier attempt at the turn has made it."""
    with ctx.services.reading() as db:
        change = made_by(db, ctx.call)
        return _ANSWERS_OF[name](db, change) if change is not None else None


_ANSWERS_OF: dict[str, Callable[[Session, Change], dict[str, Any]]] = {
    "extract_memory": facts.answer_of_extract,
    "update_memory": facts.answer_of_update,
    "remove_memory": facts.answer_of_remove,
    "update_profile": profile.answer_of_update,
    "set_rule": rules.answer_of_set,
    "change_rule": rules.answer_of_change,
    "set_routine": routines.answer_of_set,
    "change_routine": routines.answer_of_change,
    "calendar": calendar.answer_of_calendar,
}
"""For each tool that changes something: its answer, read from the change that it made."""

_NOBODY_TEXTED = (
    "Nobody has texted: this is a routine, in which nothing can be changed. Write the text that the person gets."
)
_BROKEN = "This did not work and nothing was changed. Tell the person so kindly; do not say that it was done."


@cache  # A model takes a millisecond to make, and every call of Claude needs all of them.
def _input_model(tool: Tool) -> type[BaseModel]:
    hints = get_type_hints(tool, include_extras=True)
    parameters = list(inspect.signature(tool).parameters.values())[1:]
    fields: dict[str, Any] = {
        one.name: (hints[one.name], ... if one.default is inspect.Parameter.empty else one.default)
        for one in parameters
    }
    return create_model(f"{tool.__name__}_input", __config__=ConfigDict(extra="forbid"), **fields)


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    plain = _plain(schema, definitions)
    assert isinstance(plain, dict)  # noqa: S101  (for the type checker: a schema is an object)
    return plain


def _plain(node: Any, definitions: dict[str, Any]) -> Any:
    """The schema without references, titles, defaults and null alternatives: as short as it can be said."""
    if isinstance(node, list):
        return [_plain(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    if "anyOf" in node:
        [kind] = [one for one in node["anyOf"] if one.get("type") != "null"]
        node = {**kind, **{k: v for k, v in node.items() if k not in {"anyOf", "default"}}}
    if "$ref" in node:
        node = {**definitions[node["$ref"].rpartition("/")[2]], **{k: v for k, v in node.items() if k != "$ref"}}
    names = node.get("type") == "object"
    return {
        key: {name: _plain(one, definitions) for name, one in value.items()}
        if names and key == "properties"
        else _plain(value, definitions)
        for key, value in node.items()
        if key not in {"title", "default", "additionalProperties"}
    }


def _faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(_short(part) for part in fault['loc']) or 'input'}: {fault['msg'][0].lower()}{fault['msg'][1:]}"
        for fault in error.errors(include_input=False, include_url=False)[:MAX_FAULTS]
    )


def _short(part: str | int) -> str:
    word = str(part)
    return word if len(word) <= MAX_WORD_CHARS else word[:MAX_WORD_CHARS] + "…"

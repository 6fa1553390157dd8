"""The tools that Claude may call: builds their definitions from signatures, and runs a call safely."""

import inspect
import json
import logging
from contextlib import suppress
from functools import cache, partial
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from app.errors import Conflict, NotFound, Refused, SourceError
from app.memory.changes import made_by
from app.services import Services
from app.services.tool import CallMade, Function, Tool
from app.store.db import UNAVAILABLE
from app.tools import facts, profile, recall, routines, rules
from app.tools.context import ToolContext

logger = logging.getLogger(__name__)

_NOUNS = (facts, recall, profile, rules, routines)
TOOLS = {tool.name: tool for noun in _NOUNS for tool in vars(noun).values() if isinstance(tool, Tool)}
"""The core's tools in the order in which they are offered; those of features follow."""

MAX_FAULTS = 20  # Reported per call; a model does not correct more at once.
MAX_WORD_CHARS = 60  # Of a name or fault quoted back: enough to recognise it, whatever the model made up.


def own_tools(services: Services) -> dict[str, Tool]:
    """The tools of the core and of the features, without those of the operator's tool servers."""
    return TOOLS | {tool.name: tool for feature in services.features for tool in feature.tools}


def tools_of(services: Services) -> dict[str, Tool]:
    """All tools available now, always in the same order so that the cached prefix stays valid."""
    found = {tool.name: tool for feature in services.features for tool in feature.tools_found(services)}
    there = {name: tool for name, tool in own_tools(services).items() if tool.is_there(services)}
    return there | {name: tool for name, tool in found.items() if name not in own_tools(services)}


def offered(services: Services) -> list[dict[str, Any]]:
    """The tools of this installation in the form of the Messages API.

    Routines get the same tools, although `run` refuses those that write, so that all requests share one cached prefix.
    No tool is `strict`: the API compiles the schemas of strict tools into one grammar, whose size limit is not
    published. `run` checks the arguments.
    """
    return [definition(tool) for tool in tools_of(services).values()]


def definition(tool: Tool) -> dict[str, Any]:
    """The tool in the form of the Messages API."""
    return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema or _schema(tool)}


def run(ctx: ToolContext, name: str, given: object) -> CallMade:
    """Run one call and return it with its answer; a failure becomes a sentence without internal details."""
    made = partial(CallMade, name, given if isinstance(given, dict) else {"input": given})
    failed = partial(made, is_error=True)
    there = tools_of(ctx.services)
    if name not in there:
        return failed(f"There is no tool named '{_short(name)}'. The tools are: {', '.join(there)}.")
    tool = there[name]
    if ctx.is_routine and not tool.only_reads(given):
        return failed(_NOBODY_TEXTED)
    try:
        if tool.needs_memory:
            ctx.check_memory_on()
        result = tool.function(ctx, given) if tool.input_schema is not None else _run_checked(ctx, tool, given)
    except ValidationError as error:
        return failed(f"The input does not fit {name}: {_faults(error)}. Call it again, corrected.")
    except (NotFound, Conflict, Refused, SourceError) as error:
        return failed(str(error))
    except Exception as error:  # The tool's door: details go to the log, and the model learns only that it failed.
        if isinstance(error, UNAVAILABLE) and not ctx.is_again:
            raise  # The lane takes the turn up again, once for this, and makes the call then.
        logger.exception("Tool %s failed in turn %s", name, ctx.turn_id)
        with ctx.services.reading() as db:  # It may have failed after it had changed something.
            return failed(_BROKEN if made_by(db, ctx.call) is None else _DONE_ALL_THE_SAME)
    # As JSON writes it too, "<" cannot begin what looks like our own markup.
    return made(json.dumps(result, ensure_ascii=False).replace("<", "\\u003c"), is_error=False)


def _run_checked(ctx: ToolContext, tool: Tool, given: object) -> dict[str, Any]:
    model = _input_model(tool.function)
    values = model.model_validate(_repaired(given))
    if ctx.is_again and tool.answered_before is not None:
        with ctx.services.reading() as db:
            change = made_by(db, ctx.call)  # An earlier attempt at the turn may have made the call.
            if change is not None and (answered := tool.answered_before(db, change)):
                return answered
    return tool.function(ctx, **{field: getattr(values, field) for field in model.model_fields})


def _repaired(given: object) -> object:
    """The input as a weak model means it: nulls are dropped, and lists or objects written as JSON text are parsed.

    A boolean becomes its word, because pydantic would take `true` for the id 1.
    """
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, str) and given[:1] in {"[", "{"}:
        with suppress(ValueError, RecursionError):
            given = json.loads(given)
    if isinstance(given, dict):
        return {name: _repaired(value) for name, value in given.items() if value is not None}
    if isinstance(given, list):
        return [_repaired(value) for value in given]
    return given


_NOBODY_TEXTED = (
    "Nobody has texted: this is a routine, in which nothing can be changed. Write the text that the person gets."
)
_DONE_ALL_THE_SAME = "It was done, but what came of it cannot be shown. Tell the person so; do not call it again."
_BROKEN = "This did not work and nothing was changed. Tell the person so kindly; do not say that it was done."


@cache  # A pydantic model takes a millisecond to build, and every call of Claude needs all of them.
def _input_model(function: Function) -> type[BaseModel]:
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    fields: dict[str, Any] = {
        one.name: (hints[one.name], ... if one.default is inspect.Parameter.empty else one.default)
        for one in parameters
    }
    return create_model(f"{function.__name__}_input", __config__=ConfigDict(extra="forbid"), **fields)


@cache
def _schema(tool: Tool) -> dict[str, Any]:
    schema = _input_model(tool.function).model_json_schema()
    plain: dict[str, Any] = _plain(schema, schema.pop("$defs", {}))
    return plain


def _plain(node: Any, definitions: dict[str, Any]) -> Any:
    """The schema without references, titles, defaults and null alternatives, to keep it short."""
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

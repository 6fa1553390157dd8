"""Claude, by the Anthropic SDK."""

import json
import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, get_args

import anthropic
import httpx2
from anthropic.types import Message, StopReason, Usage

from app.clients.claude_faults import fault_of, without_echo
from app.clients.fetching import BoundedTransport
from app.clients.prices import cost_cents, is_claude, most_cents, tokens_about, tokens_at_most
from app.errors import ModelDown, ModelError, RequestRefused
from app.services import Clock
from app.services.model import ModelRequest, ModelTrouble, ServerTool, without_thoughts
from app.services.retries import ATTEMPTS, pause_after
from app.text.wording import mended

logger = logging.getLogger(__name__)

API_URL = "https://api.anthropic.com"
LOOK_SECONDS = 10.0  # Limit for reading the list of models; nobody waits for it.
WARN_BEFORE = timedelta(days=30)
KNOWN_STOP_REASONS = frozenset(get_args(StopReason))
# Earlier Claude models accept no effort. Source: platform.claude.com, "Effort".
_TAKES_EFFORT = re.compile(r"claude-(?:opus-4-[5-9]|sonnet-4-6|(?:haiku|sonnet|opus|fable|mythos)-[5-9])")


def takes_effort(model: str) -> bool:
    """True if the model accepts a thinking effort; others refuse a request that names one."""
    return _TAKES_EFFORT.match(model) is not None


class ClaudeModel:
    """Claude behind `POST /v1/messages`: Anthropic's API, or a server that is compatible with it."""

    def __init__(
        self, *, api_key: str, model: str, clock: Clock, base_url: str | None = None, writes: str = "Replies"
    ) -> None:
        self.name = model
        self._names = frozenset({model})  # A gateway's answers may carry another name than the one requested.
        self._clock = clock
        self._refused_tool: ServerTool | None = None
        """The server tool that the server refuses, since Anthropic's console can switch it off; None until then."""
        # The SDK adds /v1 itself; operators often add it too, because other SDKs want it in the address.
        self._client = _Client(api_key, (base_url or API_URL).rstrip("/").removesuffix("/v1"))
        # At DEBUG, which ANTHROPIC_LOG=debug turns on, the SDK logs whole requests with people's words.
        logging.getLogger("anthropic").setLevel(logging.INFO)
        logger.info("%s come from %s at %s.", writes, model, self.host)

    @property
    def host(self) -> str:
        """The host to which people's words are sent, with the port unless it is the default one."""
        url = self._client.base_url
        return f"{url.host}:{url.port}" if url.port else url.host

    def complete(self, request: ModelRequest) -> Message:
        """As `Model.complete`; the message has token counts in its usage."""
        outcome = self._asked(self._params(request), request)
        tool = self._server_tool(request)
        if (
            isinstance(outcome, RequestRefused)
            and tool is not None
            and str(tool.definition["name"]) in re.sub(r"\W", "_", str(outcome).lower())
        ):
            refused, other = outcome, replace(request, messages=without_thoughts(request.messages), server_tool=None)
            outcome = self._asked(self._params(other), request)
            if not isinstance(outcome, ModelError):  # Otherwise the tool was not the reason.
                logger.warning("%s It is asked without that tool from now on.", refused)
                self._refused_tool = tool
        if isinstance(outcome, ModelError):
            raise outcome
        if isinstance(outcome.model, str):
            self._names |= {outcome.model}
        return outcome

    def cost_cents(self, message: Message) -> float:
        """Cost of the call in US cents, by the table in `prices.py`."""
        named = message.model if isinstance(message.model, str) and is_claude(message.model) else self.name
        return cost_cents(named, message.usage)  # A gateway may name a Claude in another way.

    def reserve_cents(self, request: ModelRequest) -> float:
        """Highest possible cost of one attempt at the request, in US cents, by the table in `prices.py`."""
        tokens, cents = tokens_at_most(self._params(request)), 0.0
        if request.tools_allowed and (tool := self._server_tool(request)) is not None:
            # Each use of the tool reads the results of all uses before it again.
            tokens += tool.tokens * tool.max_uses * (tool.max_uses + 1) // 2
            cents = tool.cents * tool.max_uses
        return most_cents(self.name, tokens, request.max_tokens) + cents

    def troubles(self) -> Sequence[ModelTrouble] | None:
        """Reasons in Anthropic's list of models not to rely on this one; None if there is no such list."""
        found = self._listed_troubles()
        return found if self._refused_tool is None else [*(found or ()), self._refused_tool.refused]

    def close(self) -> None:
        """Close the connections kept for the next request."""
        self._client.close()

    def _params(self, request: ModelRequest) -> dict[str, Any]:
        params: dict[str, Any] = {
            "model": self.name,
            "max_tokens": request.max_tokens,
            "messages": _messages_for(self._names, request.messages),
            "metadata": {"user_id": request.person_key},
        }
        if request.system:
            params["system"] = request.system
        if request.effort and takes_effort(self.name):
            params["output_config"] = {"effort": request.effort}
        if request.tools:
            params["tools"] = list(request.tools)
            if (tool := self._server_tool(request)) is not None:
                # All requests of a turn offer it, since thinking blocks are bound to the list of tools.
                params["tools"].append(dict(tool.definition))
            if not request.tools_allowed:
                # The tools stay in the request: the history refers to them, and without them the cache is lost.
                params["tool_choice"] = {"type": "none"}
        return params

    def _server_tool(self, request: ModelRequest) -> ServerTool | None:
        return request.server_tool if is_claude(self.name) and self._refused_tool is None else None

    def _asked(self, params: dict[str, Any], request: ModelRequest) -> Message | ModelError:
        """The answer or the last fault, after at most `ATTEMPTS` attempts before the request's deadline."""
        params = clean(params)
        attempt = 1
        while True:
            outcome = self._attempt(params, seconds=request.deadline - self._clock.monotonic())
            if isinstance(outcome, Message) or not outcome.again:
                return outcome
            pause = pause_after(attempt, outcome.retry_after_seconds, request.deadline - self._clock.monotonic())
            if isinstance(pause, str):
                return outcome.reworded(f"{outcome} {pause}")
            if outcome.may_be_charged and not request.may_ask_again():
                return outcome.reworded(f"{outcome} The budget has no room to ask again.")
            logger.warning("%s Asking again in %.1f s (attempt %d of %d).", outcome, pause, attempt, ATTEMPTS)
            self._clock.wait(pause)
            attempt += 1

    def _attempt(self, params: dict[str, Any], seconds: float) -> Message | ModelError:
        if seconds <= 0:
            return ModelError("The time for the answer was over before Claude was asked.", may_be_charged=False)
        try:
            answer: object = self._client.messages.create(**params, timeout=seconds)
        except Exception as error:  # noqa: BLE001 - The SDK lets errors of many classes through that are not its own.
            fault = fault_of(error, self._clock)
            if not isinstance(fault, RequestRefused):
                return fault
            said = json.dumps([params.get("system"), params["messages"]], ensure_ascii=False).replace("\\n", " ")
            return without_echo(fault, said, str(self._client.api_key))
        if not isinstance(answer, Message):
            said = "Something that is not Claude answered: the answer is no message."
            return ModelDown(said, again=True)
        if not is_claude(self.name):
            _name_reason_to_stop(answer)
        problem = _problem(answer, after_tools=_ends_with_tool_results(params["messages"]))
        if problem:
            said = f"Claude's answer cannot be used: {problem}, {id_of(answer)}."
            return ModelError(said, again=True, is_unusable=True)
        return _with_token_counts(_cleaned(answer), params)

    def _listed_troubles(self) -> Sequence[ModelTrouble] | None:
        """Troubles in the server's list of models: the model is retired, or soon will be; None if they are unknown."""
        try:
            found: Any = self._client.models.retrieve(self.name, timeout=LOOK_SECONDS)
        except anthropic.APIStatusError as error:
            return _troubles_of_refusal(error, self.name)
        except (anthropic.APIError, json.JSONDecodeError, UnicodeError):  # The list is unknown.
            return None
        if getattr(found, "id", None) != self.name and getattr(found, "type", None) != "model":
            return None
        lifecycle, retires = getattr(found, "lifecycle", None), getattr(found, "retires_at", None)
        retires_at = retires if isinstance(retires, datetime) else None
        if lifecycle == "retired":
            says = f"{self.name} is retired: nothing is answered by it any more. Set another in CLAUDE_MODEL."
            return [ModelTrouble("model_gone", says)]
        is_soon = retires_at and retires_at.tzinfo and retires_at - self._clock.now() <= WARN_BEFORE
        if not is_soon and lifecycle != "deprecated":
            return []
        when = f"retires on {retires_at:%d %b %Y}" if retires_at else "will be retired"
        return [ModelTrouble("model_retires", f"{self.name} {when}. Set a newer one in CLAUDE_MODEL before that.")]


class _Client(anthropic.Anthropic):
    """The SDK's client with every option explicit: no profile, variable or redirect changes where requests go."""

    def __init__(self, api_key: str, base_url: str) -> None:
        super().__init__(
            api_key=api_key,
            base_url=base_url,
            max_retries=0,
            open_telemetry=False,
            http_client=httpx2.Client(transport=BoundedTransport(), trust_env=False, follow_redirects=False),
        )
        # The SDK adds ANTHROPIC_CUSTOM_HEADERS to every request and has no argument to prevent it.
        self._custom_headers = {}


def _troubles_of_refusal(error: anthropic.APIStatusError, model: str) -> Sequence[ModelTrouble] | None:
    if error.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        says = f"The key for {model} is refused ({error.status_code}). Check ANTHROPIC_API_KEY."
        return [ModelTrouble("model_key", says)]
    # A server without this route answers 404 too, but does not name the model.
    if error.status_code == HTTPStatus.NOT_FOUND and model in str(error.body):
        says = f"There is no model {model} any more, or it is misspelt. Set CLAUDE_MODEL (or CLAUDE_FALLBACK_MODEL)."
        return [ModelTrouble("model_gone", says)]
    return None


def _name_reason_to_stop(message: Message) -> None:
    """Give `message` one of Claude's stop reasons if another server gave none, its own, or "tool_use" for no call."""
    known = isinstance(message.stop_reason, str) and message.stop_reason in KNOWN_STOP_REASONS - {"tool_use"}
    if not known and isinstance(message.content, list):
        calls = any(getattr(block, "type", None) == "tool_use" for block in message.content)
        is_cut = str(message.stop_reason).lower() in {"length", "max_tokens", "model_length"}
        message.stop_reason = "max_tokens" if is_cut else "tool_use" if calls else "end_turn"


def _problem(message: Message, *, after_tools: bool) -> str | None:
    """The reason why `message` is not a whole answer, or None; the SDK itself checks nothing."""
    if not isinstance(message.stop_reason, str) or message.stop_reason not in KNOWN_STOP_REASONS:
        return "it has no known reason to stop"
    if not isinstance(message.content, list):
        return "it has no content"
    # A refusal may be empty, and so may an answer that a limit cut off, or one to the results of tools.
    if not message.content and not after_tools and message.stop_reason in {"end_turn", "stop_sequence"}:
        return "it is empty"
    if message.stop_reason == "tool_use" and "tool_use" not in [getattr(one, "type", None) for one in message.content]:
        return "it stops to call a tool and names none"
    if not all(_is_whole(block) for block in message.content):
        return "a part of it has fields missing"
    return None


def _ends_with_tool_results(messages: list[dict[str, Any]]) -> bool:
    content = messages[-1]["content"] if messages else ""
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )


def _is_whole(block: object) -> bool:
    kind = getattr(block, "type", None)
    needed = {"text": ("type", "text"), "tool_use": ("type", "id", "name")}.get(str(kind), ("type",))
    return all(isinstance(getattr(block, field, None), str) for field in needed)


def _cleaned(message: Message) -> Message:
    # JSON can hold half a surrogate pair, which neither a database nor the next request accepts.
    fields = message.to_dict(mode="python", warnings=False)
    cleaned = clean(fields)
    if cleaned == fields:
        return message
    other = Message.construct(**cleaned)
    other._request_id = message._request_id  # noqa: SLF001  (the SDK has no other name for it)
    return other


def clean(value: Any) -> Any:
    """A copy of JSON-like `value` in which no text holds NUL or half of a surrogate pair.

    NUL is removed, two adjacent halves become their character, and a lone half becomes U+FFFD.
    """
    if isinstance(value, str):
        if value.isascii() and "\x00" not in value:  # Nearly all strings in a request.
            return value
        return mended(value.replace("\x00", ""))
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return [clean(item) for item in value] if isinstance(value, list | tuple) else value


def id_of(message: Message) -> str:
    """The server's id of the request that the message answers."""
    return f"request {message._request_id}"  # noqa: SLF001


def _with_token_counts(message: Message, params: dict[str, Any]) -> Message:
    """`message`, with its tokens estimated if the server did not count them: a missing count does not mean zero."""
    usage = message.usage
    if not (isinstance(usage, Usage) and isinstance(usage.input_tokens, int) and isinstance(usage.output_tokens, int)):
        answered = tokens_about(message.to_dict(mode="json", warnings=False))
        message.usage = Usage(input_tokens=tokens_about(params), output_tokens=answered)
    return message


def _messages_for(names: Collection[str], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages to send to the model with these names, without the field that tells which model wrote each.

    A thinking block is signed for its model and for everything before it; another model refuses the whole request. So
    if another model wrote any message, all thinking blocks are removed; texts and calls stay.
    """
    said_by = {one["model"] for one in messages if isinstance(one.get("model"), str)}
    # Each under one of its names, or under the dated name of a version.
    by_itself = all(any(said == name or said.startswith(f"{name}-") for name in names) for said in said_by)
    shown = [{name: value for name, value in message.items() if name != "model"} for message in messages]
    return shown if by_itself else without_thoughts(shown)

"""What went wrong between us and Claude, in a sentence, and whether to ask again.

No sentence holds anything of the request or the key. What the server says about a fault is left out too: it may quote
what it was sent. Only its status, the names of the error and the request's id are passed on.
"""

import json
import math
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import anthropic
import httpx2

from app.errors import ContextTooLong, ModelError
from app.services import Clock

# And every 5xx: the same that the SDK asks again for.
AGAIN = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS})

# Source: the SDK's list of error codes; asking again before the limit is raised is refused again.
SPENT = frozenset(
    {"enforced_spend_limit_reached", "contract_spend_limit_reached", "linked_organization_spend_limit_reached"}
)

# Anthropic, vLLM, llama.cpp, Ollama and LM Studio each say it in their own words, and none has a code for it.
TOO_LONG = re.compile(
    r"prompt is too long|(input|prompt|context) length|context (limit|size|window)|too many (input |prompt )?tokens",
    re.IGNORECASE,
)

NEXT_STEP: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "Check ANTHROPIC_API_KEY.",
    HTTPStatus.PAYMENT_REQUIRED: "Check the billing of the account.",
    HTTPStatus.FORBIDDEN: "Check what the key in ANTHROPIC_API_KEY is allowed to do.",
    HTTPStatus.NOT_FOUND: "Check CLAUDE_MODEL and ANTHROPIC_BASE_URL.",
}


@dataclass(frozen=True)
class Fault:
    """Why one attempt gave no whole answer."""

    sentence: str
    again: bool = False
    """Whether the same request may succeed later."""
    wait_seconds: float | None = None
    """How long the server asks us to wait, when it does."""
    too_long: bool = False

    def error(self) -> ModelError:
        return (ContextTooLong if self.too_long else ModelError)(self.sentence)


def fault_of(error: Exception, clock: Clock) -> Fault:
    """What `error`, raised by the SDK or by what lies below it, means."""
    match error:
        case anthropic.APIStatusError():
            return _fault_of_status(error, clock)
        case anthropic.APITimeoutError():
            return Fault("Claude did not answer in time.", again=True)
        case anthropic.APIConnectionError():
            return Fault(f"Claude could not be reached ({_cause(error)}).", again=True)
        case json.JSONDecodeError():
            return Fault("Claude's answer broke off: it is no whole JSON.", again=True)
        case UnicodeError():
            return Fault("Something in the request or in the answer is no valid text.")
        case _:
            return Fault(f"The request could not be made ({type(error).__name__}).")


def _fault_of_status(error: anthropic.APIStatusError, clock: Clock) -> Fault:
    status = error.status_code
    said = f"Claude answered {_described(error)}."
    if _is_too_long(error):
        return Fault(f"{said} The request is longer than the model accepts.", too_long=True)
    if error.error_code in SPENT:
        return Fault(f"{said} A spend limit is reached; raise it in the Anthropic Console.")
    if status < HTTPStatus.BAD_REQUEST:
        return Fault(f"{said} Texts are not sent on to another host; set ANTHROPIC_BASE_URL to the right address.")
    headers = error.response.headers
    if (status in AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR) and headers.get("x-should-retry") != "false":
        return Fault(said, again=True, wait_seconds=_asked_wait(headers, clock))
    return Fault(" ".join(filter(None, [said, NEXT_STEP.get(status)])))


def _is_too_long(error: anthropic.APIStatusError) -> bool:
    if error.status_code == HTTPStatus.BAD_REQUEST:
        return TOO_LONG.search(str(error.api_message or error.body)) is not None
    return error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def _described(error: anthropic.APIStatusError) -> str:
    """Such as `429: rate_limit_error, request req_011C`."""
    names = [name for name in (error.type, error.error_code) if re.fullmatch(r"[a-z_]{1,64}", str(name or ""))]
    if re.fullmatch(r"req_[A-Za-z0-9]{1,64}", error.request_id or ""):
        names.append(f"request {error.request_id}")
    return f"{error.status_code}: {', '.join(map(str, names))}" if names else str(error.status_code)


def _asked_wait(headers: httpx2.Headers, clock: Clock) -> float | None:
    """Seconds; None when nothing is asked that can be understood."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
        return max((moment - clock.now()).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def _cause(error: anthropic.APIConnectionError) -> str:
    # The class alone: the words of a network error can hold the address with a password in it.
    return type(error.__cause__ or error).__name__

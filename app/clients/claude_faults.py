"""Faults of calls to Claude: each as a sentence, with flags that tell whether to retry and whether Claude is down.

No sentence holds any part of the request or the key: only an error's status, its names and the request's id are passed
on. A refusal of the request itself is quoted, because the operator cannot act without the server's words. The API's
refusals name places and limits of a request; quoted values, and words of the request that other servers repeat, are
cut out.
"""

import json
import logging
import re
from http import HTTPStatus

import anthropic
import httpx2

from app.errors import ContextTooLong, ModelDown, ModelError, RequestRefused, ThinkingRefused
from app.services import Clock
from app.services.retries import AGAIN, asked_wait

logger = logging.getLogger(__name__)

# Retrying is useless until the operator has acted. Source: the SDK's list of error codes.
RAISE_THE_LIMIT = "A spend limit is reached; raise it in the Anthropic Console."
OPERATOR_FIRST = {
    "enforced_spend_limit_reached": RAISE_THE_LIMIT,
    "contract_spend_limit_reached": RAISE_THE_LIMIT,
    "linked_organization_spend_limit_reached": RAISE_THE_LIMIT,
    "organization_on_hold": "Anthropic has put the organization on hold; see the Anthropic Console.",
}

# Anthropic, vLLM, llama.cpp, Ollama and LM Studio each word this differently, and none has a code for it.
TOO_LONG = re.compile(
    r"prompt is too long|(input|prompt|context) length|context (limit|size|window)|too many (input |prompt )?tokens",
    re.IGNORECASE,
)

# Two 400s without a code which mean that the account has no money. Source: public reports of the API's users.
NO_MONEY = re.compile(r"credit balance is too low|reached your specified API usage limits", re.IGNORECASE)
ADD_MONEY = "The account has no money left; add credit or raise its limit in the Anthropic Console."

# Refusals of thinking blocks from another context. Source: platform.claude.com, "Preserved thinking".
THINKING_REFUSED = re.compile(
    r"invalid `signature` in `thinking` block|`(?:redacted_)?thinking` blocks .*cannot be modified", re.IGNORECASE
)
SENTENCE_MAX_CHARS = 300
ECHO_WORDS = 3  # This many words in a row count as repeated from the request; two may be chance.
_WORD = re.compile(r"\w+")
# A quoted value may hold the person's words; a name such as "thinking.type.disabled" or 'web_search' is the API's.
_QUOTED = re.compile(r"'(?![a-z0-9]+[._][a-z0-9_.]+')[^']*'|\"(?![a-z0-9]+[._][a-z0-9_.]+\")[^\"]*\"")

NEXT_STEP: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "Check ANTHROPIC_API_KEY.",
    HTTPStatus.PAYMENT_REQUIRED: "Check the billing of the account.",
    HTTPStatus.FORBIDDEN: "Check what the key in ANTHROPIC_API_KEY is allowed to do.",
    HTTPStatus.NOT_FOUND: "Check CLAUDE_MODEL and ANTHROPIC_BASE_URL.",
}


def fault_of(error: Exception, clock: Clock) -> ModelError:
    """The `ModelError` for `error`, which the SDK or a layer below it raised."""
    match error:
        case anthropic.APIStatusError():
            fault = _fault_of_status(error, clock)
            fault.may_be_charged = False  # An error status means that no answer was generated.
            return fault
        case anthropic.APITimeoutError():
            return ModelDown("Claude did not answer in time.", again=True, timed_out=True)
        case anthropic.APIConnectionError():
            connected = not isinstance(error.__cause__, httpx2.ConnectError)  # Unconnected, nothing can be charged.
            # Only the class is named: the text of a network error can hold the address with a password in it.
            said = f"Claude could not be reached ({type(error.__cause__ or error).__name__})."
            return ModelDown(said, again=True, may_be_charged=connected)
        case json.JSONDecodeError():
            return ModelDown("Claude's answer broke off: it is no whole JSON.", again=True)
        case UnicodeError():
            return ModelError("Something in the request or in the answer is no valid text.")
        case _:  # No fault of the network or the server; only the log can tell where it came from.
            logger.error("A request to Claude could not be made", exc_info=error)
            return ModelError(f"The request could not be made ({type(error).__name__}).")


def without_echo(fault: ModelError, said: str, key: str) -> ModelError:
    """The fault, with the key and any words that its sentence repeats verbatim from `said` cut out."""
    spoken = f" {' '.join(_WORD.findall(said))} "
    parts = str(fault).replace(key, "…").split()
    echoed = {
        place
        for at in range(len(parts) - ECHO_WORDS + 1)
        if f" {' '.join(_WORD.findall(' '.join(parts[at : at + ECHO_WORDS])))} " in spoken
        for place in range(at, at + ECHO_WORDS)
    }
    return fault.reworded(" ".join("…" if at in echoed else part for at, part in enumerate(parts)))


def _fault_of_status(error: anthropic.APIStatusError, clock: Clock) -> ModelError:
    status = error.status_code
    said = f"Claude answered {_described(error)}."
    if (known := _fault_by_words(error, said)) is not None:
        return known
    if status < HTTPStatus.BAD_REQUEST:
        moved = "Texts are not sent on to another host; set ANTHROPIC_BASE_URL to the right address."
        return ModelDown(f"{said} {moved}", is_lasting=True)
    headers = error.response.headers
    if status in AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        again = headers.get("x-should-retry") != "false"
        return ModelDown(said, again=again, retry_after_seconds=asked_wait(headers, clock))
    if status in NEXT_STEP:
        return ModelDown(f"{said} {NEXT_STEP[status]}", is_lasting=True)
    return RequestRefused(f"{said} {_own_sentence(str(error.api_message or ''))}".rstrip())


def _fault_by_words(error: anthropic.APIStatusError, said: str) -> ModelError | None:
    """The fault that the server names by a code or a sentence, whatever the status; None if it names none."""
    words = str(error.api_message or "")
    is_bad, is_large = HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if error.status_code == is_large or (error.status_code == is_bad and TOO_LONG.search(words or str(error.body))):
        return ContextTooLong(f"{said} The request is longer than the model accepts.")
    if NO_MONEY.search(words):
        return ModelDown(f"{said} {_own_sentence(words)} {ADD_MONEY}", is_lasting=True)
    if THINKING_REFUSED.search(words):
        return ThinkingRefused(f"{said} The thoughts in it are bound to another conversation.")
    if error.error_code in OPERATOR_FIRST:
        return ModelDown(f"{said} {OPERATOR_FIRST[error.error_code]}", is_lasting=True)
    return None


def _own_sentence(words: str) -> str:
    """The server's own sentence on one line, without quoted values."""
    plain = " ".join(_QUOTED.sub("'…'", words).split())
    return plain if len(plain) <= SENTENCE_MAX_CHARS else plain[: SENTENCE_MAX_CHARS - 1] + "…"


def _described(error: anthropic.APIStatusError) -> str:
    """The error's status, names and request id, such as `429: rate_limit_error, request req_011C`."""
    names = [name for name in (error.type, error.error_code) if re.fullmatch(r"[a-z_]{1,64}", str(name or ""))]
    if re.fullmatch(r"req_[A-Za-z0-9]{1,64}", error.request_id or ""):
        names.append(f"request {error.request_id}")
    return f"{error.status_code}: {', '.join(map(str, names))}" if names else str(error.status_code)

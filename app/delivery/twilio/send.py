"""Sends texts through Twilio's REST API, with Twilio's SDK."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from requests.exceptions import ConnectionError as NoConnection
from requests.exceptions import ConnectTimeout, InvalidURL, ProxyError, ReadTimeout, RequestException
from twilio.base.exceptions import TwilioException, TwilioRestException, TwilioServiceException
from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client
from urllib3.exceptions import HTTPError, LocationValueError, NewConnectionError
from urllib3.exceptions import SSLError as TlsError

from app.delivery.twilio import NAME
from app.errors import CarrierBusy, CarrierError, CarrierUnknown
from app.services import OutgoingText
from app.settings import Settings

SEND_SECONDS = 10.0  # Twilio answers within one; by default the SDK waits for ever.

MAX_VALID_SECONDS = 36000  # Source: twilio-oai, CreateMessage, ValidityPeriod: 1 to 36000.
TOO_MANY_REQUESTS = 20429  # Source: https://www.twilio.com/docs/api/errors/20429
WRONG_LOGIN = 20003  # Source: https://www.twilio.com/docs/api/errors/20003
FIRST_TWILIO_CODE = 10000  # Lower ones are HTTP statuses, which the SDK puts in `code` if the body has no code.
CODES_OF_STATUSES: dict[int, int] = {
    HTTPStatus.UNAUTHORIZED: WRONG_LOGIN,
    HTTPStatus.FORBIDDEN: WRONG_LOGIN,
    HTTPStatus.NOT_FOUND: 20404,
}
"""Twilio codes for errors without one: such an error concerns our account and its URL, never a single text."""

API_URL = "https://api.twilio.com"


class TwilioCarrier:
    """Sends with `POST {TWILIO_API_URL}/2010-04-01/Accounts/{sid}/Messages.json`, once per call, without retries."""

    name = NAME

    def __init__(self, settings: Settings, timeout_seconds: float = SEND_SECONDS) -> None:
        self._settings = settings
        self._messages: Any = rest_client(settings, timeout_seconds).messages

    def send(self, text: OutgoingText) -> str:
        """As `Carrier.send`; an error's `carrier_code` is Twilio's code, or the one that its HTTP status implies."""
        seconds = text.valid_seconds
        validity = {} if seconds is None else {"validity_period": max(1, min(seconds, MAX_VALID_SECONDS))}
        try:
            message = self._messages.create(
                to=text.to,
                body=text.body,
                status_callback=f"{self._settings.address}/sms/status?m={quote(text.key, safe='')}",
                smart_encoded=True,
                **validity,
                **self._sender(text.to),
            )
        except TwilioException as error:
            raise _error_from_answer(error) from None
        except RequestException as error:
            raise _error_without_answer(error) from None
        except UnicodeEncodeError:
            raise CarrierError("The text holds half a character; clean it with sms_text.split().") from None
        except LocationValueError as error:
            raise _out_of_reach(error) from None
        except (ValueError, TypeError, AttributeError, OSError, HTTPError) as error:
            # The SDK parses anything that comes with a 2xx: HTML, a list, an invalid date.
            kind = type(error).__name__
            raise CarrierUnknown(f"Twilio's answer could not be read ({kind}); the text may have been sent.") from None
        if not message.sid:
            raise CarrierUnknown("Twilio accepted the text without giving its id.")
        return str(message.sid)

    def _sender(self, to: str) -> dict[str, str]:
        ours = self._settings.twilio_from or ""
        if ours.startswith("MG"):
            return {"messaging_service_sid": ours}
        return {"from_": sender_to(ours, to)}


def sender_to(ours: str, address: str) -> str:
    """Our sender for texts to that address: a number has a second address on WhatsApp."""
    number = ours.removeprefix("whatsapp:")
    return f"whatsapp:{number}" if ":" not in number and address.startswith("whatsapp:") else number


def rest_client(
    settings: Settings, timeout_seconds: float, *, by_token: bool = False, on_answer: Callable[..., None] | None = None
) -> Any:
    """Twilio's SDK for our account; each wait of a call ends after the timeout, and the SDK neither logs nor retries.

    It logs in with the API key if one is set; `by_token` makes it use the account's token all the same. `on_answer` is
    called with each `requests.Response`.
    """
    # The SDK logs each call's URL, and so the account, at INFO; a logger without handlers drops that.
    # No connection pool: an idle connection may be dead unnoticed, and a text written to it ends in doubt.
    http = TwilioHttpClient(
        pool_connections=False,
        request_hooks={"response": [on_answer] if on_answer else []},
        timeout=timeout_seconds,
        logger=logging.Logger("twilio", logging.CRITICAL),
    )
    key = None if by_token else settings.twilio_api_key
    secret = settings.twilio_api_secret if key else settings.twilio_auth_token
    client = Client(
        key or settings.twilio_account_sid,
        secret.get_secret_value() if secret else None,
        settings.twilio_account_sid,
        http_client=http,
        environment={"TWILIO_EDGE": ""},  # Not an empty dict, or else the SDK would read the process's environment.
    )
    client.api.base_url = settings.twilio_api_url
    if settings.twilio_api_url != API_URL:  # A stand-in or a proxy gets every request.
        client.messaging.base_url = settings.twilio_api_url
    return client


def read_error(error: TwilioException) -> tuple[int, int | None, str]:
    """HTTP status (0 if unknown), Twilio's code or None, and both in words.

    Errors of list pages hold the response in `args`.
    """
    if isinstance(error, TwilioRestException | TwilioServiceException):
        status, code = _number(error.status), _number(error.code)
    else:
        response = error.args[1] if len(error.args) > 1 else None
        try:
            said = json.loads(str(getattr(response, "text", "")))
        except ValueError:
            said = None
        status = _number(getattr(response, "status_code", 0))
        code = _number(said.get("code")) if isinstance(said, dict) else 0
    if code < FIRST_TWILIO_CODE:
        return status, None, f"HTTP {status}"
    return status, code, f"HTTP {status}, error {code}"


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | str) and str(value).isdecimal() else 0


@contextmanager
def translated_errors(for_what: str = "", *, odd: type[CarrierError] = CarrierError) -> Iterator[None]:
    """Translate errors of a read request into Keepsake's own; a failed read leaves nothing in doubt.

    Raises:
        CarrierBusy: the request may be retried.
        CarrierError: Twilio refused it.
        odd: the answer is not Twilio's but, say, a captive portal's: the SDK parses anything that comes with a 200.
    """
    try:
        yield
    except TwilioException as error:
        status, code, said = read_error(error)
        passing = status in {0, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT}
        if passing or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise CarrierBusy(f"Twilio has no answer now ({said}).", carrier_code=code) from None
        mend = "Compare the TWILIO_ settings with Twilio's console."
        if (code or CODES_OF_STATUSES.get(status)) == WRONG_LOGIN:
            wrong = "TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN or the API key is wrong or was revoked."
            mend = f"{wrong} Copy them anew from Twilio's console."
        raise CarrierError(f"Twilio refused{for_what} ({said}). {mend}", carrier_code=code) from None
    except (OSError, HTTPError) as error:  # The errors of `requests` are OSErrors.
        raise CarrierBusy(f"It could not be reached ({type(error).__name__}).") from None
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise odd(f"The answer is not Twilio's ({type(error).__name__}). Look at TWILIO_API_URL.") from None


def _error_from_answer(error: TwilioException) -> CarrierError:
    """The error for a text to which Twilio, or a proxy in front of it, answered with an error."""
    if not isinstance(error, TwilioRestException | TwilioServiceException):
        return CarrierUnknown(f"Twilio's SDK failed with {type(error).__name__}; the text may have been sent.")
    status, twilio_code, said = read_error(error)
    code = twilio_code or CODES_OF_STATUSES.get(status)
    if status == HTTPStatus.TOO_MANY_REQUESTS or twilio_code == TOO_MANY_REQUESTS:
        return CarrierBusy(f"Twilio has too many requests ({said}); nothing was sent.", carrier_code=code)
    # A 408 comes from a proxy that passed the text on and then gave up on Twilio.
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
        return CarrierUnknown(f"Twilio failed ({said}); the text may have been sent.", carrier_code=code)
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:  # Not from Twilio, but from a proxy.
        return CarrierBusy(f"Twilio could not be reached: its address leads elsewhere ({said}); nothing was sent.")
    more = f"; see https://www.twilio.com/docs/api/errors/{code}" if code else ""
    return CarrierError(f"Twilio refused the text ({said}){more}.", carrier_code=code)


def _error_without_answer(error: RequestException) -> CarrierError:
    """The error for a text without an answer: CarrierBusy if it cannot have reached Twilio, else CarrierUnknown."""
    if isinstance(error, ConnectTimeout | ProxyError | InvalidURL) or _never_connected(error):
        return _out_of_reach(error)
    if isinstance(error, ReadTimeout):
        return CarrierUnknown("Twilio did not answer in time; the text may have been sent.")
    return CarrierUnknown(f"The connection to Twilio broke ({type(error).__name__}); the text may have been sent.")


def _out_of_reach(error: Exception) -> CarrierBusy:
    return CarrierBusy(f"Twilio could not be reached ({type(error).__name__}); nothing was sent.")


def _never_connected(error: RequestException) -> bool:
    if not isinstance(error, NoConnection) or not error.args:
        return False
    reason = getattr(error.args[0], "reason", None)  # NewConnectionError: refused, unreachable or unknown host.
    return isinstance(reason, NewConnectionError) or (
        isinstance(reason, TlsError) and "CERTIFICATE_VERIFY_FAILED" in str(reason)
    )

"""Pictures that came with texts, fetched from Twilio and nowhere else, and made ready for the model.

Reasons: docs/decisions/0015-pictures.md.
"""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from threading import BoundedSemaphore
from urllib.parse import unquote

import httpx2

from app.clients.fetching import Lookup, PublicFetch, addresses_of, origin_of, read_in_subprocess, shown_origin
from app.errors import FetchError, MediaError
from app.settings import Settings

MAX_BYTES = 5 * 1024 * 1024  # Twilio's limit for all files of one text. Source: its docs, Media resource.
FETCH_SECONDS = 15.0
READER = Path(__file__).with_name("reader.py")
_AT_ONCE = BoundedSemaphore(2)  # Decoding takes up to half a gigabyte, and 140 MB for a phone's picture.
TWILIO_API = "https://api.twilio.com"  # Webhooks name files here, even if TWILIO_API_URL is another edge.

FILE_HOSTS = (
    "https://mms.twiliocdn.com/",  # Signed addresses that last four hours, if files need credentials.
    "https://media.twiliocdn.com/",  # The same, for older accounts.
    # If files need none. All of Amazon's customers share the host, so the bucket counts.
    "https://s3-external-1.amazonaws.com/media.twiliocdn.com/",
    "https://mcs.us1.twilio.com/",  # Twilio's Media Content Service, for its chat channels.
)
"""Twilio's API may redirect us for a file to addresses below these, and we never send our credentials there.
Source: https://support.twilio.com/hc/en-us/articles/223183748"""


class TwilioMedia:
    """Pictures that people sent through Twilio."""

    def __init__(
        self, settings: Settings, lookup: Lookup = addresses_of, file_hosts: tuple[str, ...] = FILE_HOSTS
    ) -> None:
        secret = settings.twilio_api_secret or settings.twilio_auth_token
        user = settings.twilio_api_key or settings.twilio_account_sid or ""
        self._auth = httpx2.BasicAuth(user, secret.get_secret_value() if secret else "")
        ours, account = settings.twilio_api_url, f"/2010-04-01/Accounts/{settings.twilio_account_sid}/"
        self._apis = [httpx2.URL(api.rstrip("/") + account) for api in (ours, TWILIO_API)]
        self._file_hosts = [httpx2.URL(host) for host in file_hosts]
        # The operator's TWILIO_API_URL may be in their own network: texts and credentials go there too.
        is_own = origin_of(self._apis[0]) != origin_of(self._apis[1])
        self._http = PublicFetch([ours] if is_own else [], lookup)

    def picture(self, url: str, seconds: float) -> bytes:
        """A JPEG of the picture at `url` for the model, within `seconds`.

        Raises:
            MediaError: it could not be fetched, or is no picture that may be shown.
        """
        until = time.monotonic() + min(seconds, FETCH_SECONDS)  # The machine's clock, which sockets use.
        try:
            content = self._fetch(httpx2.URL(url), until)
        except httpx2.InvalidURL:
            raise MediaError("Its address cannot be used (InvalidURL).") from None
        except FetchError as error:
            too_large = {"as_told": "a picture that was too large to open"} if error.is_too_large else {}
            raise MediaError(str(error), **too_large) from None
        return read_picture(content, until - time.monotonic())

    def close(self) -> None:
        """Close the connections kept for further files."""
        self._http.close()

    def _fetch(self, url: httpx2.URL, until: float) -> bytes:
        if not _is_below(url, self._apis):
            raise MediaError(f"Its address is at {shown_origin(url)}, which is not Twilio's API for this account.")
        ours = True

        def log_in_for(at: httpx2.URL) -> httpx2.Auth | None:
            nonlocal ours
            # Our credentials go to the API alone, and no more once it has redirected us: nobody can redirect us back.
            ours = ours and _is_below(at, self._apis)
            if not ours and not _is_below(at, self._file_hosts):
                raise MediaError(f"It was redirected to {shown_origin(at)}, which is no host of Twilio's files.")
            return self._auth if ours else None

        got = self._http.get(url, until=until, max_bytes=MAX_BYTES, accept="image/*", check=log_in_for)
        if got.status != httpx2.codes.OK:
            raise MediaError(f"{shown_origin(got.url)} answered with HTTP {got.status}.")
        return got.content


def _is_below(url: httpx2.URL, places: Sequence[httpx2.URL]) -> bool:
    # Dots could lead back out of the path at a server that resolves them, even if written as %2e.
    asked = url.raw_path.decode("ascii").partition("?")[0]
    climbs = {".", ".."} & set(re.split(r"[/\\]", unquote(unquote(asked))))
    paths = [place.path for place in places if origin_of(place) == origin_of(url)]
    return not url.userinfo and asked.startswith(tuple(paths)) and not climbs


def read_picture(content: bytes, seconds: float) -> bytes:
    """A JPEG of the picture in `content`: pixels alone, upright, the long side at most 1,568 pixels.

    Decoders are C code fed by strangers. One that crashes, or never ends, takes only its own process with it.

    Raises:
        MediaError: it is no known kind of picture, is too large, or is broken.
    """
    try:
        told, jpeg = read_in_subprocess(READER, content, seconds, _AT_ONCE)
    except FetchError as error:
        raise MediaError(str(error)) from None
    if "refused" in told:
        raise MediaError(told["refused"], as_told=told["as_told"])
    if told:
        raise MediaError(f"It is broken: {told.get('broke') or told['ended']}.")
    return jpeg

"""A picture as the model may be shown it, from whatever bytes came."""

import json
from pathlib import Path
from threading import BoundedSemaphore

from app.clients.fetching import read_apart
from app.errors import FetchError, MediaError

READER = Path(__file__).with_name("reader.py")
_AT_ONCE = BoundedSemaphore(2)  # The largest take half a gigabyte while they are decoded, those of phones 140 MB.


def read_picture(content: bytes, seconds: float) -> bytes:
    """A JPEG of what `content` shows: pixels alone, upright, the long side at most 1,568 pixels.

    Decoders are C code fed by strangers. One that crashes, or never ends, ends its own process and no other.

    Raises:
        MediaError: it is no picture that is known, is too large, or is broken.
    """
    try:
        printed, code = read_apart(READER, content, seconds, _AT_ONCE)
    except FetchError as error:
        raise MediaError(str(error)) from None
    head, _, jpeg = printed.partition(b"\n")
    try:
        told = json.loads(head)
    except ValueError:
        raise MediaError(f"Its decoder ended with code {code}.") from None
    if "refused" in told:
        raise MediaError(told["refused"], as_told=told["as_told"])
    return jpeg

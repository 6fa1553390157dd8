"""A picture from whatever bytes came, decoded in a process of its own."""

import json
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore

from app.clients.fetching import read_apart
from app.errors import FetchError, MediaError

READER = Path(__file__).with_name("reader.py")
_AT_ONCE = BoundedSemaphore(2)  # The largest take half a gigabyte while they are decoded, those of phones 140 MB.


@dataclass(frozen=True)
class Picture:
    """A picture as the model may be shown it: pixels alone, upright, its long side at most 1,568 pixels."""

    jpeg: bytes
    width: int
    height: int


def read_picture(content: bytes, seconds: float) -> Picture:
    """What `content` shows, upright, small enough for the model, and with nothing beside its pixels.

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
    return Picture(jpeg, told["width"], told["height"])

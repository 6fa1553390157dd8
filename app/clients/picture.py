"""A picture from whatever bytes came, decoded in a process of its own."""

import json
import subprocess
import sys
import time
from pathlib import Path
from threading import BoundedSemaphore

from app.errors import MediaError
from app.services import Picture

READER = Path(__file__).with_name("picture_reader.py")
_AT_ONCE = BoundedSemaphore(2)  # The largest take half a gigabyte while they are decoded, those of phones 140 MB.


def read_picture(content: bytes, seconds: float) -> Picture:
    """What `content` shows, upright, small enough for the model, and with nothing beside its pixels.

    Decoders are C code fed by strangers. One that crashes, or never ends, ends its own process and no other.

    Raises:
        MediaError: it is no picture that is known, is too large, or is broken.
    """
    until = time.monotonic() + seconds
    if not _AT_ONCE.acquire(timeout=max(seconds, 0.0)):
        raise MediaError("Too many pictures came at once; this one was not opened.")
    try:
        read = subprocess.run(  # noqa: S603  (our own script, by its full path; the bytes go in by a pipe)
            [sys.executable, "-I", str(READER)],
            input=content,
            capture_output=True,
            timeout=max(until - time.monotonic(), 0.0),
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired:
        raise MediaError("It took too long to decode.") from None
    except OSError as error:
        raise MediaError(f"Its decoder could not be started ({type(error).__name__}).") from None
    finally:
        _AT_ONCE.release()
    head, _, jpeg = read.stdout.partition(b"\n")
    try:
        told = json.loads(head)
    except ValueError:
        raise MediaError(f"Its decoder ended with code {read.returncode}.") from None
    if "refused" in told:
        raise MediaError(told["refused"], as_told=told["as_told"])
    return Picture(jpeg, told["width"], told["height"])

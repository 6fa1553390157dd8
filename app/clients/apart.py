"""A reader of files from strangers, run in a process of its own: it may crash, grow or never end by itself alone."""

import subprocess
import sys
import time
from pathlib import Path
from threading import BoundedSemaphore

from app.errors import FetchError

BOUNDED = Path(__file__).with_name("bounded_reader.py")


def read_apart(
    reader: Path, content: bytes, seconds: float, places: BoundedSemaphore, *arguments: str
) -> tuple[bytes, int]:
    """What the script prints of `content`, which it gets by a pipe, and the code that it ended with.

    It sees nothing of our environment, and its memory and its processor are bounded. Each takes one of `places`.

    Raises:
        FetchError: there was no place for it, or it did not end in time.
    """
    until = time.monotonic() + seconds
    if not places.acquire(timeout=max(seconds, 0.0)):
        raise FetchError("Too many came at once; this one was not opened.")
    try:
        read = subprocess.run(  # noqa: S603  (our own script, by its full path; the bytes go in by a pipe)
            [sys.executable, "-I", str(BOUNDED), str(reader), *arguments],
            input=content,
            capture_output=True,
            timeout=max(until - time.monotonic(), 0.0),
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired:
        raise FetchError("It took too long to decode.") from None
    except OSError as error:
        raise FetchError(f"Its decoder could not be started ({type(error).__name__}).") from None
    finally:
        places.release()
    return read.stdout, read.returncode

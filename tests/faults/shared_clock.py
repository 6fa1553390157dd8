"""One clock for several processes: eight bytes of a file, which a test moves on."""

import mmap
import struct
from datetime import UTC, datetime
from pathlib import Path

_SECONDS = struct.Struct("d")


class SharedClock:
    """What every process that names the same file takes for the time."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_SECONDS.size))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _SECONDS.size)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.monotonic(), UTC)

    def monotonic(self) -> float:
        return float(_SECONDS.unpack_from(self._shared)[0])

    def wait(self, seconds: float) -> None:
        raise AssertionError(f"Nobody moves the clock on while a process waits {seconds} s by it.")

    def advance(self, *, seconds: float) -> None:
        """As `FrozenClock` has it, for `InlineBackground`: it is the test that moves the clock on."""
        assert not seconds

    def set(self, instant: datetime) -> None:
        _SECONDS.pack_into(self._shared, 0, instant.timestamp())

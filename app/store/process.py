"""A running process, known by a token that it made at its start. Reasons: docs/decisions/0034-owners-of-turns.md.

Host and process number do not tell processes apart: two containers may have both in common, and one that starts again
has its own of before. The kernel lets go of a lock when its process ends, however it ends; so a file that nobody
holds is one of a process that is gone.
"""

import fcntl
import os
import re
import secrets
import weakref
from pathlib import Path

from app.store.db import make_private_folder

_MADE_HERE = re.compile("[0-9a-f]{32}")


class Process:
    """One process among all that share a database, and so the locks of one machine."""

    def __init__(self, database: Path) -> None:
        make_private_folder(database.parent)
        self._beside = database
        for left in database.parent.glob(f"{database.name}.process-*"):  # By those that were killed.
            self.is_gone(left.name.rpartition("-")[2])
        self.token = secrets.token_hex(16)
        self._close = weakref.finalize(self, os.close, self._held())  # Once only, however often it is called.

    def is_gone(self, token: str) -> bool:
        """Whether the process that made the token has surely ended; of a token of another make nobody knows."""
        if not _MADE_HERE.fullmatch(token):
            return False
        path = self._path(token)
        try:
            file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return True
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        except BlockingIOError:
            return False
        finally:
            os.close(file)
        return True

    def close(self) -> None:
        """The process claims nothing more."""
        self._path(self.token).unlink(missing_ok=True)
        self._close()

    def _held(self) -> int:
        while True:
            file = os.open(self._path(self.token), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_nlink:
                return file
            os.close(file)  # Somebody who started at this moment took it for one that was left, and removed it.

    def _path(self, token: str) -> Path:
        return self._beside.with_name(f"{self._beside.name}.process-{token}")

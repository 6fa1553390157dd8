"""The processes that have the database open: another file is put in its place only while there are none."""

import fcntl
import os
import weakref
from pathlib import Path

from app.errors import DatabaseError, Refused


class UseLock:
    """A lock on a file beside the database: shared by all who use it, or held by one who is to be alone with it.

    The system lets go of it with the process, however that ends.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: weakref.finalize[[int], UseLock] | None = None

    def share(self) -> None:
        """Be one of those who use the database, unless this one is so already or is alone with it.

        Raises:
            DatabaseError: somebody is alone with it.
        """
        if self._held is not None:
            return
        if not self._takes(fcntl.LOCK_SH):
            raise DatabaseError(
                f"{self._path.with_suffix('')} is being restored from a backup. Try again once that has ended."
            )

    def take_alone(self) -> None:
        """Be the only one who uses the database.

        Raises:
            Refused: somebody else uses it.
        """
        if not self._takes(fcntl.LOCK_EX):
            raise Refused(
                f"{self._path.with_suffix('')} is in use by another process. Stop Keepsake and every other command on "
                "it, then try again."
            )

    def let_go(self) -> None:
        """Use the database no longer."""
        held, self._held = self._held, None
        if held is not None:
            held()

    def _takes(self, kind: int) -> bool:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        self._held = weakref.finalize(self, os.close, file)
        return True

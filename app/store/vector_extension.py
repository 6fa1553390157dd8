"""sqlite-vec on a connection: loaded and tested, so that a search knows whether it can use it."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sqlalchemy.orm import Session
from sqlcipher3 import dbapi2

LoadExtension = Callable[[Any], None]

_INFO_KEY = "keepsake_vector_extension"

# Two vectors of 17 numbers: more than one SIMD stride of any processor, and no multiple of one. Their cosine is 5/6.
_ONE = struct.pack("<17f", *[1, 0] * 8, 2)
_OTHER = struct.pack("<17f", *[1, 0] * 6, *[0, 1] * 2, 2)
_DISTANCE, _TOLERANCE = 1 / 6, 1e-5


@dataclass(frozen=True)
class VectorExtension:
    """State of sqlite-vec on one connection."""

    version: str = ""  # As it names itself: `v0.1.9`.
    problem: str = ""  # The reason why it cannot be used; empty if it can.

    @property
    def works(self) -> bool:
        return not self.problem


NONE = VectorExtension(problem="sqlite-vec is for SQLite alone")


def load_sqlite_vec(connection: Any) -> None:
    """Load it with its package, imported here so that a machine without the package starts too."""
    import_module("sqlite_vec").load(connection)


def prepare(connection: Any, info: dict[Any, Any], load: LoadExtension) -> None:
    """Load sqlite-vec into the driver's connection, test it, and store the outcome in the pool's `info`."""
    info[_INFO_KEY] = _loaded(connection, load)


def vector_extension(db: Session) -> VectorExtension:
    """State of sqlite-vec on this session's connection."""
    extension: VectorExtension = db.connection().info.get(_INFO_KEY, NONE)
    return extension


def _loaded(connection: Any, load: LoadExtension) -> VectorExtension:
    try:
        connection.enable_load_extension(True)
        try:
            load(connection)
        finally:
            connection.enable_load_extension(False)
        version = str(connection.execute("SELECT vec_version()").fetchone()[0])
    except (AttributeError, ImportError, dbapi2.Error) as error:
        return VectorExtension(problem=f"sqlite-vec did not load ({error})")
    return VectorExtension(version, _fault(connection, version))


def _fault(connection: Any, version: str) -> str:
    """Sentence on a wrong measurement, or empty: versions below 1 may change the functions used here."""
    try:
        (distance,) = connection.execute("SELECT vec_distance_cosine(?, ?)", (_ONE, _OTHER)).fetchone()
    except dbapi2.Error as error:
        return f"sqlite-vec {version} does not measure cosines ({error})"
    if isinstance(distance, float) and abs(distance - _DISTANCE) < _TOLERANCE:
        return ""
    return f"sqlite-vec {version} measures {distance} where {_DISTANCE:.6f} is right"

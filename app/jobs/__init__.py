"""Jobs that the process runs on a schedule. APScheduler is the tick; the database knows what there is to do.

A job is a file of this folder, or of a feature, with a `SCHEDULE` and a `run`. One with `AT_START` runs at once
as well, in a thread of its own, so that no start waits for it.
"""

from importlib import import_module
from pkgutil import iter_modules

_FILES = [import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__)]

JOBS = tuple(file for file in _FILES if hasattr(file, "SCHEDULE"))  # The core's own.

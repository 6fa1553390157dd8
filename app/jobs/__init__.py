"""Jobs that the process runs on a schedule. APScheduler only starts them; the work to do stands in the database.

A job is a module of this folder, or of a feature, with `EVERY_SECONDS` and a `run`. One with `AT_START` also runs once
at the start, in a thread of its own, so that the start does not wait for it.
"""

from importlib import import_module
from pkgutil import iter_modules

_FILES = [import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__)]

JOBS = tuple(file for file in _FILES if hasattr(file, "EVERY_SECONDS"))  # The core's jobs, without those of features.

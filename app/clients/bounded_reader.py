"""Runs a reader of strangers' files with bounds that it cannot lift: `bounded_reader.py READER ARGUMENTS…`.

It imports nothing of Keepsake, and nothing of the reader's before the bounds are set.
"""

import runpy
import sys
from contextlib import suppress

MEMORY_BYTES = 1024 * 1024 * 1024
CPU_SECONDS = 10


def main() -> None:
    with suppress(ImportError, ValueError, OSError):  # Not every system has them; the parent's clock bounds all.
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()

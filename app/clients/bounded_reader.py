"""Runs a reader of strangers' files under limits that it cannot lift: `bounded_reader.py READER ARGUMENTS…`.

A reader is a script with `read(content, *arguments)`, and an exception `Refused` for content that it will not read.
The content comes on stdin. On stdout go a line of JSON with any problem, and the bytes that the reader made.

It imports nothing of Keepsake, and nothing of the reader's before the limits are set.
"""

import json
import runpy
import sys
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb

MEMORY_BYTES = 1024 * 1024 * 1024
CPU_SECONDS = 10


def main() -> None:
    with suppress(ImportError, ValueError, OSError):  # Not every system has them; the parent's timeout always holds.
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    problem, made = dict[str, str](), b""
    reader = runpy.run_path(sys.argv[1])
    try:
        made = reader["read"](sys.stdin.buffer.read(), *sys.argv[2:])
    except reader["Refused"] as refused:
        problem = {"refused": str(refused), **vars(refused)}
    except Exception as error:  # noqa: BLE001  (this process's door: a bad file may raise anything)
        last = extract_tb(error.__traceback__)[-1]  # Only kind and place are told: the message may quote the file.
        problem = {"broke": f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"}
    sys.stdout.buffer.write(json.dumps(problem).encode() + b"\n" + made)


if __name__ == "__main__":
    main()

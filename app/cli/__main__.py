"""The command line as a process of its own."""

import os
import sys
from typing import NoReturn

from app.cli import main


def run() -> NoReturn:
    """Run the command and end the process at once, skipping what libraries do at exit.

    At exit OpenBLAS waits for its threads, and for ever if a thread of ours, such as the one that loads the embedder,
    computes at that moment: 4 of 200 processes hung so. Everything to be kept has been stored by then.
    """
    status = 1
    try:
        main(prog_name="keepsake")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001  (shown as Python itself shows it)
        sys.excepthook(*sys.exc_info())
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):  # None if it was closed from the start.
            stream.flush()
    except BrokenPipeError:
        status = 1
    os._exit(status)


if __name__ == "__main__":
    run()

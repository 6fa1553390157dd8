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
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # It was closed from the start; no other file may get its number.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
        getattr(sys, name).reconfigure(errors="replace")  # Not every terminal has every letter.
    try:
        main(prog_name="keepsake")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001  (shown as Python itself shows it)
        sys.excepthook(*sys.exc_info())
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BrokenPipeError:
        status = 1
    os._exit(status)


if __name__ == "__main__":
    run()

"""`keepsake` that kills or stops itself at a named place: `FAULTS="tool.ran:1:KILL,send.claimed:2:STOP"`.

The number says at which arrival there. The signal is the system's own, so nothing of ours runs after it.
"""

import os
import signal
import threading
from collections import Counter

from app.cli.__main__ import run
from app.store.faultpoints import watch


def arm(faults: str) -> None:
    """Have this process signal itself at each of the places."""
    wanted = {}
    for fault in filter(None, faults.split(",")):
        place, arrival, kind = fault.split(":")
        wanted[place, int(arrival)] = signal.Signals[f"SIG{kind}"]
    seen: Counter[str] = Counter()
    guard = threading.Lock()

    def met(place: str) -> None:
        with guard:
            seen[place] += 1
            wish = wanted.get((place, seen[place]))
        if wish is not None:
            # To this very thread: what is sent to the process another may take, and this one would go on meanwhile.
            signal.pthread_kill(threading.get_ident(), wish)

    watch(met)


if __name__ == "__main__":
    arm(os.environ.get("FAULTS", ""))
    run()

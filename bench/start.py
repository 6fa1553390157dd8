"""Seconds until `--help` and a server's first `/health` answer, and the memory of an idle server; medians."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.loopback import HeldPort

ROOT = Path(__file__).resolve().parent.parent
IDLE_SECONDS = 10.0  # By then everything that loads after the start is in memory.
PATIENCE_SECONDS = 60.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    helps = [help_seconds() for _ in range(rounds)]
    served = [serve() for _ in range(rounds)]
    print(f"keepsake --help: {statistics.median(helps):.2f} s")
    print(f"keepsake serve, until /health answers: {statistics.median(one for one, _ in served):.2f} s")
    print(f"its memory when idle: {statistics.median(one for _, one in served):.0f} MB")


def help_seconds() -> float:
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "app.cli", "--help"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


def serve() -> tuple[float, float]:
    """Seconds until `/health` answers, and the server's megabytes after `IDLE_SECONDS`."""
    with HeldPort() as port, tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PORT": str(port)}
        began = time.monotonic()
        command = [sys.executable, "-m", "app.cli", "serve"]
        with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
            try:
                while not _answers(port):
                    if time.monotonic() - began > PATIENCE_SECONDS:
                        raise SystemExit("It did not answer.")
                    time.sleep(0.02)
                seconds = time.monotonic() - began
                time.sleep(IDLE_SECONDS)
                return seconds, _megabytes(process.pid)
            finally:
                process.kill()


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    main()

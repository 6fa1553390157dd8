"""Checks of the machine: the right time, known zones, room."""

import shutil
from collections.abc import Iterator
from importlib.metadata import version
from zoneinfo import ZoneInfo

from app.clock import SystemClock
from app.operations.checks.finding import Finding, bad, ok, warn
from app.settings import Settings

LITTLE_DISK_BYTES = 2**30  # A gigabyte holds years of texts, and the copies that backups and updates make.
NONE_BYTES = 50 * 2**20  # Below this the next growth of the write-ahead log may fail.


def check_machine(settings: Settings) -> Iterator[Finding]:
    yield _time()
    yield _zones()
    yield _room(settings)


def _time() -> Finding:
    now = SystemClock().now()
    zones_year = int(version("tzdata").partition(".")[0])
    if now.year < zones_year:
        return bad(
            "clock", f"it is {now:%Y-%m-%d %H:%M} UTC here, before the zone data of {zones_year}. Set the clock by NTP."
        )
    return ok("clock", f"{now:%Y-%m-%d %H:%M:%S} UTC. If that is wrong by more than a minute, set the clock by NTP.")


def _zones() -> Finding:
    data = version("tzdata")
    there = ZoneInfo("America/New_York")
    if int(data.partition(".")[0]) < SystemClock().now().year - 1:
        return warn("tzdata", f"{data} is more than a year old, and countries change their clocks. Update Keepsake.")
    return ok("tzdata", f"{data}; New York is at {SystemClock().now().astimezone(there):%H:%M}.")


def _room(settings: Settings) -> Finding:
    folder = settings.beside_database.absolute().parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    says = f"{free / 2**30:,.1f} GB free in {folder}."
    if free < NONE_BYTES:
        return bad("disk", f"{says} Texts can soon not be kept: make room.")
    return warn("disk", f"{says} Make room soon.") if free < LITTLE_DISK_BYTES else ok("disk", says)

"""A PostgreSQL server for the tests: `python -m tests.postgres COMMAND …` runs the command with one beside it.

Its data are on tmpfs if possible, and nothing waits for a disk. The programs come from the wheel `pgserver`, or else
from Debian; KEEPSAKE_TEST_POSTGRES names a server that is already running.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import psycopg
from sqlalchemy import Engine, text
from sqlalchemy.engine import make_url

VARIABLE = "KEEPSAKE_TEST_POSTGRES"
SERVER = os.environ.get(VARIABLE)
"""The address of the server's own database, `postgresql+psycopg://…`; without it tests use SQLite."""

_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=400", "listen_addresses=")


def _programs() -> Path:
    """The folder of `initdb` and `pg_ctl`.

    Raises:
        SystemExit: PostgreSQL is not installed.
    """
    wheel = find_spec("pgserver")
    if wheel is not None and wheel.origin is not None:
        return Path(wheel.origin).parent / "pginstall" / "bin"
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    raise SystemExit(f"PostgreSQL is not here: install the wheel pgserver or Debian's postgresql, or set {VARIABLE}.")


def _copied(programs: Path, into: Path) -> Path:
    """Copy the wheel's programs and the libraries beside its package; Debian's are used in place."""
    package = programs.parents[1]
    if package.name != "pgserver":
        return programs
    for one in (package / "pginstall", package.parent / "pgserver.libs"):
        shutil.copytree(one, into / "site" / one.relative_to(package.parent), symlinks=True)
    return into / "site" / "pgserver" / "pginstall" / "bin"


@contextmanager
def running(*more: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """Run a server during the block; yields its address, and a function that has it crash and start again.

    `more` are its options, such as `synchronous_commit=on`.
    """
    room = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="keepsake-postgres-", dir=room) as folder:
        user, programs = None, _programs()
        if os.geteuid() == 0:  # The server refuses to run as root, and another user may not reach the wheel.
            user, programs = "nobody", _copied(programs, Path(folder))
            shutil.chown(folder, user, "nogroup")
        data = f"{folder}/data"

        def run(name: str, *arguments: str) -> None:
            with Path(folder, "log").open("a") as told:
                subprocess.run(
                    [str(programs / name), *arguments], check=True, stdout=told, stderr=told, cwd=folder, user=user
                )

        try:
            run("initdb", "--pgdata", data, "--username=keepsake", "--auth=trust", "--encoding=UTF8", "--locale=C")
            options = " ".join([f"-k {folder}", *(f"-c {one}" for one in (*_FAST, *more))])
            started = ("--wait", "--pgdata", data, "--options", options, "--log", f"{data}/log")
            run("pg_ctl", "start", *started)
        except subprocess.CalledProcessError:
            sys.stderr.write(Path(folder, "log").read_text())
            raise
        try:
            address = f"postgresql+psycopg://keepsake@/postgres?host={folder}"
            yield address, partial(run, "pg_ctl", "restart", "--mode=immediate", *started)
        finally:
            run("pg_ctl", "stop", "--mode=immediate", "--wait", "--pgdata", data)


def address_of(name: str) -> str:
    """The address of a database on the server."""
    return make_url(SERVER or "").set(database=name).render_as_string(hide_password=False)


def run(*statements: str) -> None:
    """Run statements outside a transaction."""
    url = make_url(SERVER or "").set(drivername="postgresql").render_as_string(hide_password=False)
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        for statement in statements:
            connection.execute(statement)


def start(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def wait_for_a_waiting_writer(engine: Engine) -> None:
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    with engine.connect() as connection:
        while not connection.scalar(waiting):
            connection.rollback()


def main() -> int:
    with running() as (address, _):
        return subprocess.run(sys.argv[1:], env={**os.environ, VARIABLE: address}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Texts that the webhook accepts per second, beside a bare Flask route and a minimal durable one in the same run.

Each accepted text has its signature checked and is on the disk when its 200 leaves. `keepsake` is the whole product;
`least` only checks, stores a row and waits for the disk, and so marks the upper limit on this machine.
`python -m bench.webhook [--texts N] [--rounds N]`; after `python -m tests.postgres` on PostgreSQL too, whose server
does not wait for the disk there.
"""

import argparse
import itertools
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

from sqlcipher3 import dbapi2
from twilio.request_validator import RequestValidator

from bench.load import Load, run
from tests import postgres
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER, TwilioServer, inbound_form

CONNECTIONS = (1, 8, 64)
WARM_UP = 8  # Connections of the first run, which is not counted.
ROOT = Path(__file__).resolve().parent.parent
BODIES = (  # One in ten contains a word that occurs in opt-outs, and so takes the longer check.
    "I had a quiet day and a good walk by the lake.",
    "Can you remind me what Dana's daughter is called?",
    "Ok thanks!",
    "My knee is worse again, the left one. Appointment is Thursday at 3.",
    "We moved the dinner to Saturday because Max has a game on Friday night.",
    "what's a good vegetarian recipe for 6 people, nothing too spicy",
    "I'm allergic to penicillin by the way",
    "Didn't sleep well. Third night now, I keep thinking about the interview.",
    "Got it. And please text the address to my sister, I forgot.",
    "Who did I lend the drill to?",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=4000, help="texts in one run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, interleaved; medians are shown")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        twilio = stack.enter_context(TwilioServer())
        port = free_port()
        environment = _environment(port, twilio.url)
        ports = {"bare": free_port(), "least": free_port(), "keepsake": port}
        for name, its_port in ports.items():
            stack.enter_context(served(name, its_port, folder, environment))
        if postgres.SERVER:
            postgres.run("DROP DATABASE IF EXISTS bench_webhook", "CREATE DATABASE bench_webhook")
            ports["postgres"] = free_port()
            on_postgres = {**environment, "DATABASE_URL": postgres.address_of("bench_webhook")}
            stack.enter_context(served("keepsake", ports["postgres"], folder, on_postgres))
        results = _measure(ports, given.texts, given.rounds)
        _show(results)
        runs = [given.texts // count * count for count in (WARM_UP, *CONNECTIONS * given.rounds)]
        _check(folder / "bench.db", sum(runs))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def served(name: str, port: int, folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run a server process during the block; it answers when the block begins, and is killed at its end."""
    command = [sys.executable, "-m", "bench.webhook_servers", name, str(port)]
    with subprocess.Popen(
        command, cwd=folder, env={**environment, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            raise SystemExit(f"The server {name!r} did not start.")
        try:
            yield
        finally:
            process.kill()


def _environment(port: int, twilio: str) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": "sqlite:///bench.db",
        "PORT": str(port),
        "TWILIO_ACCOUNT_SID": ACCOUNT_SID,
        "TWILIO_AUTH_TOKEN": AUTH_TOKEN,
        "TWILIO_FROM": NUMBER,
        "TWILIO_API_URL": twilio,
        "ACCESS": "open",
    }


def _measure(ports: dict[str, int], texts: int, rounds: int) -> dict[tuple[str, int], list[Load]]:
    results: dict[tuple[str, int], list[Load]] = {(name, count): [] for name in ports for count in CONNECTIONS}
    for port in ports.values():  # Every server is warm before anything counts.
        run(port, _requests(ports["keepsake"], WARM_UP, texts))
    for _, count in itertools.product(range(rounds), CONNECTIONS):
        for name, port in ports.items():
            results[name, count].append(run(port, _requests(ports["keepsake"], count, texts)))
    return results


def _requests(signed_port: int, connections: int, texts: int) -> list[list[bytes]]:
    """Signed webhooks by connection, built before the timing starts; each connection is one person."""
    validator = RequestValidator(AUTH_TOKEN)
    url = f"http://127.0.0.1:{signed_port}/sms"
    per_connection = texts // connections
    return [
        [_request(validator, url, f"+1206555{person:04d}", place) for place in range(per_connection)]
        for person in range(connections)
    ]


def _request(validator: RequestValidator, url: str, sender: str, place: int) -> bytes:
    form = inbound_form(f"{BODIES[place % len(BODIES)]} ({place})", sender=sender)
    body = urlencode(form).encode()
    signature = validator.compute_signature(url, form)
    head = (
        f"POST /sms HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Twilio-Signature: {signature}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _show(results: dict[tuple[str, int], list[Load]]) -> None:
    names = {"bare": "bare Flask", "least": "checked and durable, no more", "keepsake": "Keepsake"}
    if postgres.SERVER:
        names["postgres"] = "Keepsake on PostgreSQL"
    print(f"{'':>12} | " + " | ".join(f"{name:^28}" for name in names.values()) + " | Keepsake as a share of")
    columns = f"{'/s':>8} {'p50 ms':>9} {'p99 ms':>9}"
    print(f"{'connections':>12} | " + " | ".join([columns] * len(names)) + f" | {'bare':>6} {'least':>6}")
    for count in CONNECTIONS:
        loads = {name: _median(results[name, count]) for name in names}
        cells = [f"{one.per_second:>8,.0f} {one.p50_ms:>9.2f} {one.p99_ms:>9.2f}" for one in loads.values()]
        shares = [loads["keepsake"].per_second / loads[name].per_second for name in ("bare", "least")]
        print(f"{count:>12} | {' | '.join(cells)} | {shares[0]:>6.2f} {shares[1]:>6.2f}")
    refused = sum(one.refused for runs in results.values() for one in runs)
    print(f"Answers other than 200: {refused}")


def _median(runs: list[Load]) -> Load:
    return Load(
        statistics.median(one.per_second for one in runs),
        statistics.median(one.p50_ms for one in runs),
        statistics.median(one.p99_ms for one in runs),
        sum(one.refused for one in runs),
    )


def _check(database: Path, sent: int) -> None:
    kept = dbapi2.connect(str(database)).execute("SELECT count(*) FROM messages WHERE direction = 'in'").fetchone()[0]
    print(f"Texts sent: {sent:,}; rows kept: {kept:,}")
    if kept != sent:
        raise SystemExit("Texts were lost or doubled.")


if __name__ == "__main__":
    main()

"""Soak test: many people text for minutes through the real webhook; the model takes seconds, and calls fail at times.
It reports texts answered, lost, doubled and out of order, the times of webhook and reply, and the growth of memory.

`python -m bench.soak [--minutes N] [--people N] [--faults SHARE] [--thinks LEAST MOST] [--at-once]`
"""

import argparse
import asyncio
import itertools
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from twilio.request_validator import RequestValidator

from bench.load import percentile
from bench.soak_world import ACCOUNT, MARK, World
from bench.webhook import ROOT, free_port
from tests.twilio_server import AUTH_TOKEN, NUMBER

PAUSE_SECONDS = (1.0, 20.0)  # Between an answer and the person's next text.
BURST_SHARE = 0.2  # Share of the times at which a person sends two texts in a row instead of one.
LAST_ANSWERS_SECONDS = 400.0  # A text in doubt is looked up twice, a minute apart, before it is sent again.
QUIET_SECONDS = 1.5


class Person:
    """One phone: it texts, waits for the answers, pauses and texts again."""

    def __init__(self, soak: "Soak", place: int) -> None:
        self.soak = soak
        self.number = f"+1206{place + 2000000:07d}"
        self.chance = random.Random(place)

    async def text_until(self, end: float, first_after_seconds: float) -> None:
        await asyncio.sleep(first_after_seconds)  # People do not all begin at the same moment.
        while time.perf_counter() < end:
            count = 2 if self.chance.random() < BURST_SHARE else 1
            numbers = [await self.soak.text(self.number) for _ in range(count)]
            await self.soak.wait_for(numbers)
            if not self.soak.at_once:
                await asyncio.sleep(self.chance.uniform(*PAUSE_SECONDS))


class Soak:
    """The load and its results."""

    def __init__(self, world: World, port: int, *, at_once: bool) -> None:
        self.world = world
        self.port = port
        self.at_once = at_once
        self.sent: dict[int, tuple[str, float]] = {}
        self.webhook_seconds: list[float] = []
        self.refused = 0
        self._numbers = itertools.count(1)
        self._validator = RequestValidator(AUTH_TOKEN)
        self._lanes = asyncio.Semaphore(64)

    async def text(self, sender: str) -> int:
        number = next(self._numbers)
        request = self._request(sender, f"This is my text #{number}# and I like thing number {number}.")
        async with self._lanes:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            began = time.perf_counter()
            self.sent[number] = (sender, began)
            self.world.waits[sender].add(number)
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            self.webhook_seconds.append(time.perf_counter() - began)
            writer.close()
        self.refused += int(head[9:12]) != 200
        return number

    async def wait_for(self, numbers: Sequence[int]) -> None:
        async with self.world.answered:
            await self.world.answered.wait_for(lambda: all(self.world.accepted_at[number] for number in numbers))

    def _request(self, sender: str, words: str) -> bytes:
        sid = f"SM{secrets.token_hex(16)}"
        form = {"MessageSid": sid, "AccountSid": ACCOUNT, "From": sender, "To": NUMBER, "Body": words, "NumMedia": "0"}
        body = urlencode(form).encode()
        signature = self._validator.compute_signature(f"http://127.0.0.1:{self.port}/sms", form)
        head = (
            f"POST /sms HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Twilio-Signature: {signature}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--faults", type=float, default=0.05, help="share of the calls outside that fail")
    parser.add_argument("--thinks", type=float, nargs=2, default=(2.0, 8.0), help="seconds that the model takes")
    parser.add_argument("--at-once", action="store_true", help="nobody pauses: as many turns in flight as people")
    given = parser.parse_args()
    raise SystemExit(asyncio.run(_soak(given)))


async def _soak(given: argparse.Namespace) -> int:
    world = World(given.faults, seed=1, thinks_seconds=tuple(given.thinks))
    outside = await world.start()
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        server = await _serve(Path(folder), port, f"http://127.0.0.1:{outside}")
        try:
            soak = Soak(world, port, at_once=given.at_once)
            before = _memory_mb(server.pid)
            end = time.perf_counter() + given.minutes * 60
            apart = (sum(given.thinks) / 2 + QUIET_SECONDS) / given.people
            people = [
                asyncio.create_task(Person(soak, place).text_until(end, place * apart)) for place in range(given.people)
            ]
            most = await _watch(server.pid, people)
            return _report(soak, before, most)
        finally:
            server.terminate()
            server.wait()


async def _serve(folder: Path, port: int, outside: str) -> "subprocess.Popen[bytes]":
    settings = {
        "PORT": str(port),
        "ANTHROPIC_API_KEY": "sk-ant-soak",
        "ANTHROPIC_BASE_URL": outside,
        "TWILIO_ACCOUNT_SID": ACCOUNT,
        "TWILIO_AUTH_TOKEN": AUTH_TOKEN,
        "TWILIO_FROM": NUMBER,
        "TWILIO_API_URL": outside,
        "TWILIO_SEGMENTS_PER_SECOND": "0",  # No limit: a long code's one a second would hide our own speed.
        "ACCESS": "open",
        "WORKERS": "256",
        "DAILY_BUDGET_CENTS": "1000000",
        "PERSON_DAILY_BUDGET_CENTS": "1000000",
    }
    server = subprocess.Popen(  # noqa: ASYNC220  (once, before anything is measured)
        [sys.executable, "-m", "app.cli", "serve"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
        stdout=subprocess.DEVNULL,
        stderr=(folder / "server.log").open("wb"),
    )
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionError:
            if server.poll() is not None:
                raise SystemExit((folder / "server.log").read_text()) from None
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return server


async def _watch(pid: int, people: "list[asyncio.Task[None]]") -> float:
    """The server's peak memory in MB, until all people have their answers or none is to be expected any more."""
    most, waiting = 0.0, set(people)
    last_words = None
    while waiting:
        _, waiting = await asyncio.wait(waiting, timeout=1.0)
        most = max(most, _memory_mb(pid))
        if len(waiting) < len(people) and last_words is None:
            last_words = time.perf_counter()
        if last_words is not None and time.perf_counter() - last_words > LAST_ANSWERS_SECONDS:
            for person in waiting:
                person.cancel()
            break
    return most


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def _report(soak: Soak, before_mb: float, most_mb: float) -> int:
    world = soak.world
    lost = [number for number in soak.sent if not world.accepted_at[number]]
    doubled = [number for number, times in world.accepted_at.items() if len(times) > 1]
    strayed = _out_of_order(soak)
    took = sorted(world.accepted_at[number][0] - at for number, (_, at) in soak.sent.items() if number not in lost)
    over_model = sorted(
        world.accepted_at[number][0] - at - world.thought_seconds[number] - QUIET_SECONDS
        for number, (_, at) in soak.sent.items()
        if number not in lost
    )
    left = sorted(
        world.accepted_at[number][0] - at for number, at in world.spoken_at.items() if world.accepted_at[number]
    )
    webhook = sorted(soak.webhook_seconds)
    print(f"Texts {len(soak.sent):,}; answered {len(soak.sent) - len(lost):,} by {len(world.accepted):,} replies")
    print(f"Of these by a kind sentence, since the model had failed them again and again: {world.apologised}")
    print(f"Lost {len(lost)}; doubled {len(doubled)}; out of order {strayed}; webhooks other than 200: {soak.refused}")
    print(f"Faults: {world.model_faults} of the model, {world.carrier_faults} of the carrier")
    print(f"Turns in flight at most: {world.most_in_flight}")
    for name, seconds in (
        ("webhook", webhook),
        ("reply", took),
        ("reply over model and quiet window", over_model),
        ("reply leaves after the model's last word", left),
    ):
        cells = "  ".join(f"p{share} {percentile(seconds, share / 100) * 1000:,.0f} ms" for share in (50, 95, 99))
        print(f"{name:>42}: {cells}")
    print(f"Memory of the server: {before_mb:.0f} MB at first, {most_mb:.0f} MB at most")
    return 1 if lost or doubled or strayed or soak.refused else 0


def _out_of_order(soak: Soak) -> int:
    """Number of replies to a text that is older than one answered before."""
    newest: dict[str, int] = defaultdict(int)
    strayed = 0
    for text in soak.world.accepted:
        numbers = [int(number) for number in MARK.findall(text["Body"])]
        if numbers and min(numbers) <= newest[text["To"]]:
            strayed += 1
        newest[text["To"]] = max([newest[text["To"]], *numbers])
    return strayed


if __name__ == "__main__":
    main()

"""The outside world of the soak test: a model that takes seconds, and a carrier; both fail now and then.

One asyncio server plays both, so that hundreds of answers under way cost the machine almost nothing.
"""

import asyncio
import json
import random
import re
import secrets
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from app.text import kind_words

MARK = re.compile(r"#(\d+)#")
"""Each text carries its own number in this form, and each answer the numbers of the texts that it answers."""

THINKS_SECONDS = (2.0, 8.0)
LEARNS_SHARE = 0.2  # Share of the turns that call a tool first, and so make two requests.
ACCOUNT = "AC" + "0" * 32
APOLOGIES = {kind_words.apology(changed=changed) for changed in (False, True)}


@dataclass
class World:
    """The two stand-ins, with a record of their requests."""

    fault_share: float
    seed: int
    thinks_seconds: tuple[float, float] = THINKS_SECONDS
    accepted: list[dict[str, str]] = field(default_factory=list)
    spoken_at: dict[int, float] = field(default_factory=dict)
    """Instant at which the model's last answer to a text left, by the text's number."""
    accepted_at: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    thought_seconds: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    in_flight: int = 0
    most_in_flight: int = 0
    model_faults: int = 0
    carrier_faults: int = 0
    waits: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Numbers of the texts not answered yet, by the person's phone number."""
    apologised: int = 0
    """Texts that got only a kind sentence, since the model failed again and again."""
    answered: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    async def start(self) -> int:
        """Start both and return the port on which they listen."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        return int(self._server.sockets[0].getsockname()[1])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, target, _ = head.split(" ", 2)
                found = re.search(r"(?i)^content-length: *(\d+)", head, re.MULTILINE)
                body = await reader.readexactly(int(found[1])) if found else b""
                answer = await self._answer(method, target, body)
                if answer is None:
                    break
                status, kind, payload = answer
                writer.write(
                    f"HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\nContent-Length: {len(payload)}\r\n\r\n".encode()
                    + payload
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, method: str, target: str, body: bytes) -> tuple[int, str, bytes] | None:
        if target.startswith("/v1/messages"):
            return await self._think(json.loads(body))
        if method == "GET":
            return self._listed(target)
        return await self._take(body)

    async def _think(self, asked: dict[str, Any]) -> tuple[int, str, bytes] | None:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        seconds = self._chance.uniform(*self.thinks_seconds)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.in_flight -= 1
        newest = asked["messages"][-1]["content"]
        words = json.dumps(newest)
        after_tool = any(block.get("type") == "tool_result" for block in newest)
        if after_tool:
            words += json.dumps(asked["messages"][-3]["content"] if len(asked["messages"]) > 2 else "")
        numbers = sorted({int(number) for number in MARK.findall(words)})
        for number in numbers:
            self.thought_seconds[number] += seconds
        if self._chance.random() < self.fault_share:
            self.model_faults += 1
            return self._chance.choice(
                [
                    None,
                    (529, "application/json", b'{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'),
                    (500, "application/json", b'{"type":"error","error":{"type":"api_error","message":"broken"}}'),
                    (200, "text/html", b"<html>Sign in to the Wi-Fi</html>"),
                    (200, "application/json", b'{"id": "msg_1", "type": "mess'),
                ]
            )
        if not after_tool and numbers and numbers[0] % round(1 / LEARNS_SHARE) == 0:
            learned = [{"fact": f"Likes thing number {number}"} for number in numbers]
            tool = {"type": "tool_use", "id": f"toolu_{secrets.token_hex(8)}", "name": "extract_memory"}
            return _message([{**tool, "input": {"facts": learned}}], "tool_use")
        said = "Heard you: " + " ".join(f"#{number}#" for number in numbers)
        for number in numbers:
            self.spoken_at[number] = time.perf_counter()
        return _message([{"type": "text", "text": said}], "end_turn")

    async def _take(self, body: bytes) -> tuple[int, str, bytes] | None:
        now = time.perf_counter()
        form = {name: values[0] for name, values in parse_qs(body.decode(), keep_blank_values=True).items()}
        fault = self._chance.random()
        if fault < self.fault_share / 2:
            self.carrier_faults += 1
            return 429, "application/json", b'{"code": 20429, "message": "Too Many Requests", "status": 429}'
        form["sid"] = "SM" + secrets.token_hex(16)
        form["date_created"] = format_datetime(datetime.now(UTC))
        self.accepted.append(form)
        numbers = [int(number) for number in MARK.findall(form["Body"])]
        if form["Body"] in APOLOGIES:
            numbers = sorted(self.waits[form["To"]])
            self.apologised += len(numbers)
        for number in numbers:
            self.accepted_at[number].append(now)
        self.waits[form["To"]].difference_update(numbers)
        async with self.answered:
            self.answered.notify_all()
        if fault < self.fault_share:  # The text is accepted, but the connection dies before the answer.
            self.carrier_faults += 1
            return None
        return 201, "application/json", json.dumps(_resource(form)).encode()

    def _listed(self, target: str) -> tuple[int, str, bytes]:
        asked = parse_qs(urlsplit(target).query)
        if not urlsplit(target).path.endswith("/Messages.json"):
            return 404, "application/json", b'{"code": 20404, "message": "Not found", "status": 404}'
        to = asked.get("To", [""])[0]
        found = [_resource(form) for form in reversed(self.accepted) if form["To"] == to]
        page = {"messages": found, "next_page_uri": None, "page": 0, "page_size": 50, "uri": target}
        return 200, "application/json", json.dumps(page).encode()


def _message(content: list[dict[str, Any]], stop_reason: str) -> tuple[int, str, bytes]:
    message = {
        "id": f"msg_{secrets.token_hex(8)}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1500, "output_tokens": 20},
    }
    return 200, "application/json", json.dumps(message).encode()


def _resource(form: dict[str, str]) -> dict[str, Any]:
    return {
        "account_sid": ACCOUNT,
        "api_version": "2010-04-01",
        "body": form["Body"],
        "date_created": form["date_created"],
        "date_sent": form["date_created"],
        "date_updated": form["date_created"],
        "direction": "outbound-api",
        "error_code": None,
        "error_message": None,
        "from": form.get("From"),
        "messaging_service_sid": None,
        "num_media": "0",
        "num_segments": "1",
        "price": None,
        "price_unit": None,
        "sid": form["sid"],
        "status": "queued",
        "subresource_uris": {},
        "to": form["To"],
        "uri": f"/2010-04-01/Accounts/{ACCOUNT}/Messages/{form['sid']}.json",
    }

"""A load of HTTP requests over persistent connections, with its results."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """Measurements of one run."""

    per_second: float
    p50_ms: float
    p99_ms: float
    refused: int
    """Answers other than 200."""


def run(port: int, connections: Sequence[Sequence[bytes]]) -> Load:
    """Send each connection's requests one after the other, all connections at once."""
    return asyncio.run(_run(port, connections))


async def _run(port: int, connections: Sequence[Sequence[bytes]]) -> Load:
    seconds: list[float] = []
    statuses: list[int] = []
    began = time.perf_counter()
    await asyncio.gather(*(_connection(port, requests, seconds, statuses) for requests in connections))
    took = time.perf_counter() - began
    seconds.sort()
    return Load(
        per_second=len(seconds) / took,
        p50_ms=percentile(seconds, 0.50) * 1000,
        p99_ms=percentile(seconds, 0.99) * 1000,
        refused=sum(status != 200 for status in statuses),
    )


async def _connection(port: int, requests: Sequence[bytes], seconds: list[float], statuses: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        began = time.perf_counter()
        writer.write(request)
        status, keeps = await _response(reader)
        seconds.append(time.perf_counter() - began)
        statuses.append(status)
        if not keeps:
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()
    await writer.wait_closed()


async def _response(reader: asyncio.StreamReader) -> tuple[int, bool]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    await reader.readexactly(length)
    return int(head[9:12]), b"connection: close" not in head


def percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

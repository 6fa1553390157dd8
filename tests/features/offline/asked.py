"""The offline model asked by itself, without a memory and without tools."""

from app.features.offline.model import OfflineModel
from app.services import ModelRequest
from tests.fakes import FrozenClock


def reply_to(text: str) -> str:
    clock = FrozenClock()
    asked = ModelRequest([], [{"role": "user", "content": text}], [], 4096, clock.monotonic() + 10, "p_1")
    [block] = OfflineModel(clock).complete(asked).content
    assert block.type == "text"
    return block.text

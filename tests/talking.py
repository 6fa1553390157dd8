"""A turn held from end to end with Claude's real client, against the stand-in of this machine."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from app.conversation import turn
from app.services import Services
from tests.claude_server import ClaudeServer, Reply, model_at
from tests.conftest import MakeServices
from tests.memory.remembering import ANNA

Talk = Callable[[str, str], str]
"""Address and words in, reply out."""


def text(services: Services, words: str, address: str = ANNA) -> str:
    """What is answered to a text at the terminal, by whatever model the services have."""
    return turn.hold(services, address, words).text


@contextmanager
def talking(make_services: MakeServices, *replies: Reply, **changes: object) -> Iterator[tuple[ClaudeServer, Talk]]:
    """The server with its script, and a way to text; `changes` are services that are replaced beside the model."""
    clock = make_services().clock
    with ClaudeServer(*replies) as server, closing(model_at(server, clock)) as model:
        services = make_services(model=model, **changes)
        yield server, lambda address, words: turn.hold(services, address, words).text

"""All by which a feature joins the core: a folder of `app/features/` that can be deleted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from app.services.passkeys import Passkeys
from app.services.sources import Calendars
from app.services.tool import Tool
from app.services.tracing import Tracer
from app.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.services import Clock, Model, ServerTool, Services
    from app.services.summaries import Summariser


def _none_found(_: "Services") -> Sequence[Tool]:
    return ()


@dataclass(frozen=True)
class Feature:
    """What the core is told of a feature; it asks for nothing else of it."""

    name: str
    """Its folder's."""
    tools: tuple[Tool, ...] = ()
    """Offered to the model behind the core's own."""
    tools_found: "Callable[[Services], Sequence[Tool]]" = _none_found
    """Further tools, which only a running installation knows."""
    server_tool: "Callable[[Settings], ServerTool | None]" = lambda _: None
    """One that the model's own server runs; the first of all features is offered."""
    jobs: tuple[ModuleType, ...] = ()
    """Modules with a `SCHEDULE` and a `run`, as those of `app/jobs/`."""
    model: "Callable[[Clock], Model] | None" = None
    """Who writes the replies where no key is set."""
    summariser: "Callable[[], Summariser] | None" = None
    """Who writes episodes without a key, or where the model cannot."""
    tracer: "Callable[[Settings, Clock], Tracer | None] | None" = None
    """Where spans go."""
    answer: Callable[..., Any] | None = None
    """The reply to a turn of whoever needs no model for it: `(Services, OpenTurn) -> Reply | None`."""
    say: "Callable[[Services, int], bool] | None" = None
    """Whether something was said to the person with that id, or put off, when nothing else is due for them."""
    after_reply: Callable[..., None] | None = None
    """Told of each reply that is queued: `(Services, OpenTurn, Reply) -> None`. It may be lost with its process."""
    files: Callable[..., Any] | None = None
    """What came with a turn's texts beside words: `(Services, OpenTurn) -> Files`."""
    file_marks: "Callable[[Session, Sequence[int]], dict[int, str]] | None" = None
    """By the ids of texts: what stands in the history in the place of their files, as far as it is known."""
    calendars: "Callable[[Settings, Clock], Calendars] | None" = None
    """Who reads the calendars that people connect."""
    passkeys: Passkeys | None = None
    """What has operators log in with passkeys."""


def server_tool(features: Sequence[Feature], settings: Settings) -> "ServerTool | None":
    """The tool that the model's own server runs, where a feature offers one."""
    return next((tool for feature in features if (tool := feature.server_tool(settings)) is not None), None)

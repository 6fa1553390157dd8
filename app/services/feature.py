"""The interface by which a feature, a folder of `app/features/` that can be deleted, joins the core."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from app.services.tool import Tool
from app.settings import Settings

T = TypeVar("T")

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.services import Calendars, Clock, Embedder, Services, Tracer
    from app.services.model import Model, ServerTool, Summariser


@dataclass(frozen=True)
class CompletedLogin:
    """A completed login."""

    session: str  # The token of the session.
    browser: str  # The token that makes this a known browser.


@dataclass(frozen=True)
class DeviceRequest:
    """A request that the browser passes to the operator's device."""

    step: str  # The token that must come back with the answer.
    options: dict[str, Any]  # WebAuthn's JSON; empty if no passkey can be used.
    takes_code: bool = False  # True if an app's code or a recovery code is accepted too.


@dataclass(frozen=True)
class Feature:
    """Everything that a feature tells the core; the core uses nothing else of it."""

    name: str  # The name of its folder.
    tools: tuple[Tool, ...] = ()  # Offered to the model after the core's own.
    tools_found: "Callable[[Services], Sequence[Tool]]" = lambda _: ()
    """Further tools, known only to a running installation."""
    server_tool: "Callable[[Settings], ServerTool | None]" = lambda _: None
    """A tool that the model's own server runs; only the first that any feature brings is offered."""
    jobs: tuple[ModuleType, ...] = ()  # Modules with `EVERY_SECONDS` and a `run`, like those of `app/jobs/`.
    model: "Callable[[Clock, Embedder | None], Model | None]" = lambda *_: None
    """The model that writes replies if no key is set."""
    summariser: "Callable[[], Summariser | None]" = lambda: None
    """The summariser in use without a key, or when the model cannot write episodes."""
    tracer: "Callable[[Settings, Clock], Tracer | None]" = lambda *_: None  # The exporter of spans.
    answer: Callable[..., Any] = lambda *_: None
    """A reply to a turn that needs no model: `(Services, OpenTurn) -> Reply | None`; see `OpenTurn.is_for_code`."""
    say: "Callable[[Services, int], bool]" = lambda *_: False
    """True if it texted the person with that id, or put a text off; called when nothing else is due for them."""
    files: Callable[..., Any] = lambda *_: None
    """Files that came with a turn's texts: `(Services, OpenTurn) -> Files | None`."""
    file_marks: "Callable[[Session, Sequence[int]], dict[int, str]]" = lambda *_: {}
    """Words that stand for files in the history, by the ids of their texts, as far as they are known."""
    calendars: "Callable[[Settings], Calendars | None]" = lambda _: None
    """The reader of the calendars that people connect."""
    passkeys: ModuleType | None = None
    """Passkey logins of operators: a module with the public functions of `app/features/passkeys/keys.py`."""


def first_result(features: Sequence[Feature], bring: Callable[[Feature], T | None]) -> T | None:
    """The first result of `bring` over the features that is not None, or None."""
    return next((brought for feature in features if (brought := bring(feature)) is not None), None)

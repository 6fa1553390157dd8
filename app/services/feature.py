"""All by which a feature joins the core: a folder of `app/features/` that can be deleted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from app.services.tool import Tool
from app.settings import Settings

T = TypeVar("T")

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.services import Calendars, Clock, Services, Tracer
    from app.services.model import Model, ServerTool, Summariser


@dataclass(frozen=True)
class Opened:
    """A login that is done."""

    session: str  # The token of the session.
    browser: str  # The token by which the browser is known from now on.


@dataclass(frozen=True)
class Asked:
    """What the browser is to ask its operator's device for."""

    step: str  # The token that has to come back with the answer.
    options: dict[str, Any]  # As WebAuthn's JSON has it; empty where no passkey can be used.
    takes_code: bool = False  # Whether the code of an app or a recovery code will do as well.


@dataclass(frozen=True)
class Feature:
    """What the core is told of a feature; it asks for nothing else of it."""

    name: str  # Its folder's.
    tools: tuple[Tool, ...] = ()  # Offered to the model behind the core's own.
    tools_found: "Callable[[Services], Sequence[Tool]]" = lambda _: ()
    """Further tools, which only a running installation knows."""
    server_tool: "Callable[[Settings], ServerTool | None]" = lambda _: None
    """One that the model's own server runs; the first of all features is offered."""
    jobs: tuple[ModuleType, ...] = ()  # Modules with a `SCHEDULE` and a `run`, as those of `app/jobs/`.
    model: "Callable[[Clock], Model | None]" = lambda _: None  # Who writes the replies where no key is set.
    summariser: "Callable[[], Summariser | None]" = lambda: None
    """Who writes episodes without a key, or where the model cannot."""
    tracer: "Callable[[Settings, Clock], Tracer | None]" = lambda *_: None  # Where spans go.
    answer: Callable[..., Any] | None = None
    """The reply to a turn of whoever needs no model for it: `(Services, OpenTurn) -> Reply | None`."""
    say: "Callable[[Services, int], bool] | None" = None
    """Whether something was said to the person with that id, or put off, when nothing else is due for them."""
    files: Callable[..., Any] | None = None
    """What came with a turn's texts beside words: `(Services, OpenTurn) -> Files`."""
    file_marks: "Callable[[Session, Sequence[int]], dict[int, str]] | None" = None
    """By the ids of texts: what stands in the history in the place of their files, as far as it is known."""
    calendars: "Callable[[Settings], Calendars | None]" = lambda _: None
    """Who reads the calendars that people connect."""
    passkeys: ModuleType | None = None
    """Has operators log in with passkeys: a module with the public functions of `app/features/passkeys/keys.py`."""


def first_of(features: Sequence[Feature], bring: Callable[[Feature], T | None]) -> T | None:
    """What the first of the features brings that brings one."""
    return next((brought for feature in features if (brought := bring(feature)) is not None), None)

"""All by which a feature joins the core: a folder of `app/features/` that can be deleted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

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


class Passkeys(Protocol):
    """What a feature brings to have operators log in with passkeys.

    `here` is the address at which the browser is. Each raises `Refused` where there can be no passkeys, where the login
    was begun too long ago, and where what the device gave does not fit.
    """

    def why_none(self, services: "Services", here: str) -> str | None:
        """The sentence why there can be no passkeys at that address; None where there can."""
        ...

    def begin(self, services: "Services", operator_id: int, here: str) -> Asked:
        """Ask for a new passkey; refused where there are enough."""
        ...

    def keep(
        self,
        services: "Services",
        operator_id: int,
        step_token: str,
        name: str,
        credential: str,
        here: str,
        session: str,
    ) -> list[str] | None:
        """Keep what the device made, as JSON; recovery codes to be shown once, if it is the first second factor.

        Every session ends but that of the token `session`.
        """
        ...

    def remove(self, services: "Services", operator_id: int, passkey_id: int, session: str) -> None:
        """Take no login by that passkey any more. Every session ends but that of the token `session`.

        Raises:
            NotFound: the operator has no such passkey.
        """
        ...

    def begin_login(self, services: "Services", here: str) -> Asked:
        """Ask for any passkey of this site, whoever's it is."""
        ...

    def ask_again(self, services: "Services", step_token: str, here: str) -> Asked:
        """What is asked for in a login that has begun; no options where its operator has no passkey for this site."""
        ...

    def log_in(
        self, services: "Services", step_token: str, credential: str, here: str, browser: str | None = None
    ) -> Opened:
        """The login that the passkey ends. Nothing is counted: a signature cannot be guessed."""
        ...


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
    calendars: "Callable[[Settings, Clock], Calendars | None]" = lambda *_: None
    """Who reads the calendars that people connect."""
    passkeys: Passkeys | None = None  # What has operators log in with passkeys.


def first_of(features: Sequence[Feature], bring: Callable[[Feature], T | None]) -> T | None:
    """What the first of the features brings that brings one."""
    return next((brought for feature in features if (brought := bring(feature)) is not None), None)

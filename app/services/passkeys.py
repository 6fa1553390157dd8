"""Passkeys, as a feature brings them to the login: what is asked of an operator's browser, and what comes of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from app.services import Services


@dataclass(frozen=True)
class Opened:
    """A login that is done."""

    session: str
    """The token of the session."""
    browser: str
    """The token by which the browser is known from now on."""


@dataclass(frozen=True)
class Asked:
    """What the browser is to ask its operator's device for."""

    step: str
    """The token that has to come back with the answer."""
    options: dict[str, Any]
    """As WebAuthn's JSON has it; empty where no passkey can be used."""
    takes_code: bool = False
    """Whether the code of an app or a recovery code will do as well."""


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

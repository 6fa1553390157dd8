"""Settings as a page may show them: what is in force and where it came from, and nothing of what is secret."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from pydantic import SecretStr

from app.settings import Settings
from app.settings.limits import GROUPS

WHERE_UNSET: dict[str, Callable[[Settings], str]] = {
    "public_url": lambda settings: settings.address,
    "access": lambda settings: "allowlist" if settings.is_allowlist else "open",
    "embedding_model": lambda _: "the usual one",
    "log_format": lambda _: "text on a terminal, else json",
}
"""What holds where nothing is given, for those of which that depends on others."""


@dataclass(frozen=True)
class SettingShown:
    name: str
    """As in the environment."""
    value: str
    """Of a secret: whether it is set."""
    origin: str
    """`environment`, `.env`, `command line`, `made at the first start` or `default`."""

    @property
    def is_default(self) -> bool:
        return self.origin == "default"


def in_force(settings: Settings) -> dict[str, list[SettingShown]]:
    """All settings, by group."""
    groups: dict[str, list[SettingShown]] = {}
    title = ""
    for name, field in Settings.model_fields.items():
        title = GROUPS.get(name, title)
        is_secret = SecretStr in (field.annotation, *get_args(field.annotation))
        groups.setdefault(title, []).append(
            SettingShown(name.upper(), _value(settings, name, is_secret=is_secret), settings.origin(name))
        )
    return groups


def _value(settings: Settings, name: str, *, is_secret: bool) -> str:
    value = getattr(settings, name)
    origin = settings.origin(name)
    if is_secret:
        return "set" if value is not None or origin == "made at the first start" else "not set"
    if value in {None, ""}:
        return WHERE_UNSET[name](settings) if name in WHERE_UNSET else "not set"
    # A name and a password may stand in an address.
    return re.sub(r"//[^/@\s]*@", "//…@", str(value))

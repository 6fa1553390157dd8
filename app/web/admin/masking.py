"""The mask over people's words and numbers: it shows only that there are some, until a person's are revealed."""

import re
from collections.abc import Mapping
from datetime import datetime

from flask import g, request
from werkzeug.exceptions import Forbidden

from app.operators import reveals
from app.operators.passwords import digest
from app.web import auth

LAST_DIGITS = 4

_LENGTHS = ((30, "a few words"), (160, "a sentence"), (600, "a paragraph"))
"""Names of hidden words by their maximum length in characters; an exact count would confirm guesses."""

_KIND = re.compile(r"[a-z]+:")


def session() -> str:
    """The name (a digest) of the session of this request."""
    return digest(auth.session_token() or "")


def may_reveal() -> bool:
    return auth.operator().is_owner


def revealed() -> Mapping[int, tuple[str, datetime]]:
    """People whose words this session sees: address and end of the reveal by id. It is read once per request."""
    if "revealed" not in g:
        # The role is checked each time: an operator who loses it loses its reveals too.
        g.revealed = reveals.standing(auth.services(), session()) if may_reveal() else {}
    found: Mapping[int, tuple[str, datetime]] = g.revealed
    return found


def is_revealed(person_id: int) -> bool:
    return person_id in revealed()


def hidden(words: str, name: str = "") -> str:
    """The stand-in for words, with their name or length: plain text, so that it can be used anywhere on a page."""
    if not words:
        return ""
    return "▇▇▇ " + (name or next((size for most, size in _LENGTHS if len(words) <= most), "a long text"))


def hidden_number(address: str) -> str:
    """The address's channel and last digits: `…0100`, `whatsapp:…0100`."""
    kind = _KIND.match(address)
    digits = re.sub(r"\D", "", address)
    return f"{kind[0] if kind else ''}…{digits[-LAST_DIGITS:]}"


def searched(person_id: int, name: str) -> str:
    """The search words in the page's URL under that name, once the person's words are revealed.

    Before that there is no search, since a hit reveals as much as the words themselves.
    """
    return request.args.get(name, "").strip() if is_revealed(person_id) else ""


def check_revealed(person_id: int) -> None:
    """Raise `Forbidden`, which gets an error page, if the words to be changed are masked."""
    if not is_revealed(person_id):
        raise Forbidden(
            "What this person wrote is hidden. Reveal it on one of their pages first, and say why you look."
        )

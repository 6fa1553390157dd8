"""The mask over people's words and numbers: that there are some, until one person's are revealed."""

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
"""Up to how many characters what is hidden is called so. A count would tell which of two guesses is right."""

_KIND = re.compile(r"[a-z]+:")


def session() -> str:
    """The name of the session that asks."""
    return digest(auth.session_token() or "")


def may_reveal() -> bool:
    return auth.operator().is_owner


def revealed() -> Mapping[int, tuple[str, datetime]]:
    """Whose words this session sees, by the person's id: their address, and until when. Looked up once a request."""
    if "revealed" not in g:
        # Asked at every look: a role that was taken away takes with it what it had revealed.
        g.revealed = reveals.standing(auth.services(), session()) if may_reveal() else {}
    found: Mapping[int, tuple[str, datetime]] = g.revealed
    return found


def is_revealed(person_id: int) -> bool:
    return person_id in revealed()


def revealed_until(person_id: int) -> datetime:
    return revealed()[person_id][1]


def hidden(words: str) -> str:
    """What stands in place of words: plain text, so that it can be cut, and stand in any place of a page."""
    if not words:
        return ""
    return "hidden: " + next((size for most, size in _LENGTHS if len(words) <= most), "a long text")


def hidden_number(address: str) -> str:
    """The kind of address and its last digits: `…0100`, `whatsapp:…0100`."""
    kind = _KIND.match(address)
    digits = re.sub(r"\D", "", address)
    return f"{kind[0] if kind else ''}…{digits[-LAST_DIGITS:]}"


def searched(person_id: int, name: str) -> str:
    """What the page is asked to look for under that name, once the person's words are revealed.

    Before that nothing is looked for: whether something is found says as much as the words themselves.
    """
    return request.args.get(name, "").strip() if is_revealed(person_id) else ""


def check_revealed(person_id: int) -> None:
    """Refuse, on a page of its own, to change words that the operator cannot see.

    Raises:
        Forbidden: they are masked.
    """
    if not is_revealed(person_id):
        raise Forbidden(
            "What this person wrote is hidden. Reveal it on one of their pages first, and say why you look."
        )

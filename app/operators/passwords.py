"""Passwords: hashing, refusing weak ones, and making random ones."""

import hashlib
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from app.errors import Refused
from app.settings.validators import MIN_PASSWORD_CHARS, is_guessable

READABLE = "23456789abcdefghjkmnpqrstuvwxyz"  # Without 0, 1, i, l and o, which are misread.
GROUP_CHARS = 5
ONE_TIME_GROUPS = 4  # 31^20 is 99 bits.

# The minimum in OWASP's password storage cheat sheet: 19 MiB, two passes, one lane, about 30 ms.
# Source: docs/decisions/0009-operator-login.md, which says why not more.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$/ec8Jkf+YNNog4BVsg7S9w$4TidJUQazHtwy0h7edYEwh0oPKNBq354X7RogQEaiFw"
"""A hash to check passwords against for unknown names, so that they take as much work as known ones."""


def hashed(password: str) -> str:
    return _HASHER.hash(password)


def is_right(password_hash: str, password: str) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except VerifyMismatchError:
        return False


def readable(groups: int) -> str:
    """Random characters that can be read from paper, in groups of five: nearly 25 bits a group."""
    return "-".join("".join(secrets.choice(READABLE) for _ in range(GROUP_CHARS)) for _ in range(groups))


def refuse_weak(password: str) -> None:
    """Raise `Refused` if the password is too short or easily guessed."""
    if len(password) < MIN_PASSWORD_CHARS:
        raise Refused(
            f"A password has at least {MIN_PASSWORD_CHARS} characters; the new one has {len(password)}. "
            "A few words in a row are easy to keep in mind."
        )
    if is_guessable(password):
        raise Refused("The new password is easily guessed. A few words in a row are better, and easy to keep in mind.")


def digest(random: str) -> str:
    """The hash kept in place of a random word: SHA-256, which is fast, and enough for words that cannot be guessed."""
    return hashlib.sha256(random.encode()).hexdigest()

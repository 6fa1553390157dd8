"""Codes: six digits of an authenticator app, by the clock, each taken once; and recovery codes, each taken once.

Source: RFC 6238, with what every app takes for granted: SHA-1, six digits, half a minute.
"""

import hmac
from datetime import datetime

import pyotp
from sqlalchemy import delete
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Operator, RecoveryCode
from app.operators import factors
from app.operators.passwords import GROUP_CHARS, READABLE, digest
from app.operators.sessions import end_what_began
from app.services import Services

STEP_SECONDS = 30
STEPS_BESIDE = 1  # RFC 6238, section 5.2: one step for the way and for a phone's clock that is a little off.
DIGITS = 6
SECRET_CHARS = 32  # 160 bits, as long as the hash (RFC 4226, section 4).
BASE32 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def new_secret() -> str:
    return pyotp.random_base32(SECRET_CHARS)


def is_secret(given: str) -> bool:
    """Whether it could be one that was made here."""
    return len(given) == SECRET_CHARS and set(given) <= BASE32


def app_address(secret: str, name: str) -> str:
    """The `otpauth://` address that an authenticator app reads from a picture."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name="Keepsake")


def turn_on_app(services: Services, operator_id: int, secret: str, code: str, session: str) -> list[str] | None:
    """Ask for the app's codes from now on; recovery codes to be shown once, if nothing was asked for before.

    Every session ends but that of the token `session`.

    Raises:
        Refused: the code is not one of the secret's codes of now.
    """
    now = services.clock.now()
    step = _step_of(secret, code, now)
    if step is None:
        raise Refused("That code is not right. Type the one that the app shows now; its clock has to be right.")
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        was_first = not factors.has_second_factor(db, operator)
        operator.totp_secret, operator.totp_step = secret, step
        return factors.turned_on(db, operator, session, was_first=was_first)


def turn_off_app(services: Services, operator_id: int, session: str) -> None:
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        operator.totp_secret, operator.totp_step = None, 0
        factors.turned_off(db, operator, session)


def new_recovery_codes(services: Services, operator_id: int, session: str) -> list[str]:
    """Codes to be shown once; those of before are of no use any more. Every session ends but that of `session`.

    Raises:
        Refused: there is no second factor that they could stand in for.
    """
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        if not factors.has_second_factor(db, operator):
            raise Refused("Recovery codes stand in for a second factor, and there is none. Turn one on first.")
        end_what_began(db, operator, but=session)
        return factors.make_recovery_codes(db, operator.id)


def take(db: Session, operator: Operator, code: str, now: datetime) -> bool:
    """Whether the code is right, be it the app's or a recovery code; if so it is used up."""
    typed = "".join(one for one in code.lower() if one.isalnum())
    if len(typed) == DIGITS and typed.isdecimal():
        step = _step_of(operator.totp_secret, typed, now) if operator.totp_secret else None
        if step is None or step <= operator.totp_step:
            return False
        operator.totp_step = step
        return True
    if len(typed) != GROUP_CHARS * factors.RECOVERY_GROUPS or not set(typed) <= set(READABLE):
        return False
    groups = "-".join(typed[at : at + GROUP_CHARS] for at in range(0, len(typed), GROUP_CHARS))
    used = delete(RecoveryCode).where(RecoveryCode.code_hash == digest(groups), RecoveryCode.operator_id == operator.id)
    return bool(db.execute(used.returning(RecoveryCode.code_hash)).all())


def _step_of(secret: str, code: str, now: datetime) -> int | None:
    """The half minute whose code this is, counted from 1970."""
    typed = "".join(code.split())
    present = int(now.timestamp()) // STEP_SECONDS
    made = pyotp.TOTP(secret)
    for step in range(present - STEPS_BESIDE, present + STEPS_BESIDE + 1):
        if hmac.compare_digest(made.generate_otp(step).encode(), typed.encode()):
            return step
    return None

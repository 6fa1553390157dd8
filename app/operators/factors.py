"""Second factors: codes of an app, passkeys, and the recovery codes that replace them when they are lost.

A code of an app is valid once: RFC 6238 with the values that every app assumes, which are SHA-1, six digits and half a
minute. A recovery code is valid once as well.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pyotp
from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Operator, Passkey, RecoveryCode
from app.operators.passwords import GROUP_CHARS, READABLE, digest, readable
from app.operators.sessions import end_sessions_and_logins
from app.services import Services

RECOVERY_CODES = 10
RECOVERY_GROUPS = 3  # 31^15 is 74 bits.

STEP_SECONDS = 30
STEPS_BESIDE = 1  # RFC 6238, section 5.2: one step for the delay and for a phone's clock that is slightly off.
STEPS_AHEAD = 10  # A code used further ahead was of a clock that has since been set back: it locks nobody out.
DIGITS = 6
SECRET_CHARS = 32  # 160 bits, as long as the hash (RFC 4226, section 4).
BASE32 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


@dataclass(frozen=True)
class Factors:
    """The second factors of one operator."""

    has_app: bool
    passkeys: Sequence[Passkey]
    codes_left: int

    @property
    def are_on(self) -> bool:
        """True if a login asks for more than the password."""
        return self.has_app or bool(self.passkeys)


def factors_of(services: Services, operator_id: int) -> Factors:
    with services.reading() as db:
        operator = db.get_one(Operator, operator_id)
        passkeys = db.scalars(select(Passkey).where(Passkey.operator_id == operator_id).order_by(Passkey.id)).all()
        codes = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.operator_id == operator_id)
        return Factors(operator.totp_secret is not None, passkeys, db.scalar(codes) or 0)


def has_second_factor(db: Session, operator: Operator) -> bool:
    has_passkey = select(exists().where(Passkey.operator_id == operator.id))
    return operator.totp_secret is not None or bool(db.scalar(has_passkey))


def after_turning_on(db: Session, operator: Operator, session: str, *, was_first: bool) -> list[str] | None:
    """After a new second factor: end all sessions but `session`; returns recovery codes if it is the first one."""
    end_sessions_and_logins(db, operator, but=session)
    return _make_recovery_codes(db, operator.id) if was_first else None


def after_turning_off(db: Session, operator: Operator, session: str) -> None:
    """After a second factor was removed: end all sessions but `session`; without any, delete the recovery codes."""
    db.flush()
    if not has_second_factor(db, operator):
        db.execute(delete(RecoveryCode).where(RecoveryCode.operator_id == operator.id))
    end_sessions_and_logins(db, operator, but=session)


def drop_all(db: Session, operator: Operator) -> None:
    operator.totp_secret, operator.totp_step = None, 0
    for table in (Passkey, RecoveryCode):
        db.execute(delete(table).where(table.operator_id == operator.id))


def new_secret() -> str:
    return pyotp.random_base32(SECRET_CHARS)


def is_secret(given: str) -> bool:
    """True if `given` has the form of our secrets."""
    return len(given) == SECRET_CHARS and set(given) <= BASE32


def app_address(secret: str, name: str) -> str:
    """The `otpauth://` address that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name="Keepsake")


def turn_on_app(services: Services, operator_id: int, secret: str, code: str, session: str) -> list[str] | None:
    """Ask for the app's codes from now on. Returns recovery codes, to be shown once, if it is the first factor.

    Every session ends except that of the token `session`.

    Raises:
        Refused: the code is not one that the secret gives now.
    """
    step = _step_of(secret, code, services.clock.now())
    if step is None:
        raise Refused("That code is not right. Type the one that the app shows now; its clock has to be right.")
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        was_first = not has_second_factor(db, operator)
        operator.totp_secret, operator.totp_step = secret, step
        return after_turning_on(db, operator, session, was_first=was_first)


def turn_off_app(services: Services, operator_id: int, session: str) -> None:
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        operator.totp_secret, operator.totp_step = None, 0
        after_turning_off(db, operator, session)


def new_recovery_codes(services: Services, operator_id: int, session: str) -> list[str]:
    """New codes, to be shown once, in place of the old ones. Every session but `session` ends.

    Raises:
        Refused: there is no second factor that they could replace.
    """
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        if not has_second_factor(db, operator):
            raise Refused("Recovery codes stand in for a second factor, and there is none. Turn one on first.")
        end_sessions_and_logins(db, operator, but=session)
        return _make_recovery_codes(db, operator.id)


def take_code(db: Session, operator: Operator, code: str, now: datetime) -> bool:
    """True if `code` is a right code of the app or a recovery code; it is then used up."""
    typed = "".join(one for one in code.lower() if one.isalnum())
    if len(typed) == DIGITS and typed.isdecimal():
        step = _step_of(operator.totp_secret, typed, now) if operator.totp_secret else None
        if step is None or step <= operator.totp_step <= step + STEPS_AHEAD:
            return False
        operator.totp_step = step
        return True
    if len(typed) != GROUP_CHARS * RECOVERY_GROUPS or not set(typed) <= set(READABLE):
        return False
    groups = "-".join(typed[at : at + GROUP_CHARS] for at in range(0, len(typed), GROUP_CHARS))
    used = delete(RecoveryCode).where(RecoveryCode.code_hash == digest(groups), RecoveryCode.operator_id == operator.id)
    return bool(db.execute(used.returning(RecoveryCode.code_hash)).all())


def _step_of(secret: str, code: str, now: datetime) -> int | None:
    """The half minute, counted from 1970, to which this code belongs; None if it is wrong."""
    typed, present = "".join(code.split()), int(now.timestamp()) // STEP_SECONDS
    made = pyotp.TOTP(secret)
    for step in range(present - STEPS_BESIDE, present + STEPS_BESIDE + 1):
        if hmac.compare_digest(made.generate_otp(step).encode(), typed.encode()):
            return step
    return None


def _make_recovery_codes(db: Session, operator_id: int) -> list[str]:
    """Replace the old codes by new ones. Only hashes are kept, so this is the only time that they can be seen."""
    db.execute(delete(RecoveryCode).where(RecoveryCode.operator_id == operator_id))
    codes = [readable(RECOVERY_GROUPS) for _ in range(RECOVERY_CODES)]
    db.add_all(RecoveryCode(code_hash=digest(code), operator_id=operator_id) for code in codes)
    return codes

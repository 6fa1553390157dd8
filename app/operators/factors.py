"""Second factors: what an operator has of them, and the codes that stand in for them when they are lost."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from app.models import Operator, Passkey, RecoveryCode
from app.operators.passwords import digest, readable
from app.operators.sessions import end_what_began
from app.services import Services

RECOVERY_CODES = 10
RECOVERY_GROUPS = 3  # 31^15 is 74 bits.


@dataclass(frozen=True)
class Factors:
    """The second factors of one operator."""

    has_app: bool
    passkeys: Sequence[Passkey]
    codes_left: int

    @property
    def are_on(self) -> bool:
        """Whether a login asks for more than the password."""
        return self.has_app or bool(self.passkeys)


def factors_of(services: Services, operator_id: int) -> Factors:
    with services.reading() as db:
        operator = db.get_one(Operator, operator_id)
        passkeys = db.scalars(select(Passkey).where(Passkey.operator_id == operator_id).order_by(Passkey.id)).all()
        codes = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.operator_id == operator_id)
        return Factors(operator.totp_secret is not None, passkeys, db.scalar(codes) or 0)


def has_second_factor(db: Session, operator: Operator) -> bool:
    return operator.totp_secret is not None or bool(
        db.scalar(select(exists().where(Passkey.operator_id == operator.id)))
    )


def turned_on(db: Session, operator: Operator, session: str, *, was_first: bool) -> list[str] | None:
    """What follows a new second factor: all sessions end but that one; recovery codes, if it is the first."""
    end_what_began(db, operator, but=session)
    return make_recovery_codes(db, operator.id) if was_first else None


def turned_off(db: Session, operator: Operator, session: str) -> None:
    """What follows a second factor that is gone: all sessions end but that one; codes are of no use without any."""
    db.flush()
    if not has_second_factor(db, operator):
        db.execute(delete(RecoveryCode).where(RecoveryCode.operator_id == operator.id))
    end_what_began(db, operator, but=session)


def drop_all(db: Session, operator: Operator) -> None:
    operator.totp_secret, operator.totp_step = None, 0
    for table in (Passkey, RecoveryCode):
        db.execute(delete(table).where(table.operator_id == operator.id))


def make_recovery_codes(db: Session, operator_id: int) -> list[str]:
    """New codes in place of those of before. They are kept as hashes: this is the only time that they can be seen."""
    db.execute(delete(RecoveryCode).where(RecoveryCode.operator_id == operator_id))
    codes = [readable(RECOVERY_GROUPS) for _ in range(RECOVERY_CODES)]
    db.add_all(RecoveryCode(code_hash=digest(code), operator_id=operator_id) for code in codes)
    return codes

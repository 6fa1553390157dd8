"""Passkeys: kept for an operator, and asked for as a second factor or in place of name, password and all.

The library of WebAuthn takes 10 MB, so each function loads it that needs it: most installations have no passkey.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from app.errors import NotFound, Refused
from app.models import Operator, Passkey
from app.operators import factors, steps
from app.operators.login import Opened, opened
from app.services import Services

MAX_PASSKEYS = 20
MAX_NAME_CHARS = 40
NOT_TAKEN = "That passkey was not accepted. Try again, or log in another way."


@dataclass(frozen=True)
class Site:
    """The address that browsers know these pages by."""

    host: str
    """What passkeys are bound to, without a port."""
    origin: str


@dataclass(frozen=True)
class PasskeyAsked:
    """What the browser is to ask its operator's device for."""

    step: str
    """The token that has to come back with the answer."""
    options: dict[str, Any]
    """As WebAuthn's JSON has it; empty where no passkey can be used."""
    takes_code: bool = False
    """Whether the code of an app or a recovery code will do as well."""


def begin_passkey(services: Services, operator_id: int, site: Site) -> PasskeyAsked:
    """Ask for a new passkey.

    Raises:
        Refused: there are enough.
    """
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        held = db.scalars(select(Passkey).where(Passkey.operator_id == operator_id)).all()
        if len(held) >= MAX_PASSKEYS:
            raise Refused(f"You have {len(held)} passkeys, and {MAX_PASSKEYS} are allowed. Remove one first.")
        token, challenge = steps.begin(db, operator, services.clock.now())
    import webauthn  # noqa: PLC0415
    from webauthn.helpers import structs  # noqa: PLC0415

    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Keepsake",
        user_id=f"keepsake-operator-{operator_id}".encode(),
        user_name=operator.name,
        challenge=challenge,
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=one.credential_id) for one in held],
        # A key that says whose it is and asks its owner for a finger or a PIN can stand for the whole login.
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.PREFERRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
    )
    return PasskeyAsked(token, webauthn.helpers.options_to_json_dict(options))


def keep_passkey(
    services: Services, operator_id: int, step_token: str, name: str, credential: str, site: Site, session: str
) -> list[str] | None:
    """Keep what the device made; recovery codes to be shown once, if it is the first second factor.

    `credential` is JSON, as the browser gives it. Every session ends but that of the token `session`.

    Raises:
        Refused: it does not fit what was asked for.
    """
    import webauthn  # noqa: PLC0415

    now = services.clock.now()
    with services.reading() as db:
        step, asked = steps.found(db, step_token, now)
    if asked is None or asked.id != operator_id:
        raise Refused(NOT_TAKEN)
    try:
        made = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=step.challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except _malformed() as error:
        raise Refused("That passkey could not be kept. Try again.") from error
    with services.transaction() as db:
        step, _ = steps.found(db, step_token, now)
        operator = db.get_one(Operator, operator_id)
        if db.scalar(select(Passkey.id).where(Passkey.credential_id == made.credential_id)) is not None:
            raise Refused("That passkey is kept already.")
        was_first = not factors.has_second_factor(db, operator)
        db.delete(step)
        db.add(
            Passkey(
                operator_id=operator_id,
                name=" ".join(name.split())[:MAX_NAME_CHARS] or "Passkey",
                host=site.host,
                credential_id=made.credential_id,
                public_key=made.credential_public_key,
                sign_count=made.sign_count,
                created_at=now,
            )
        )
        db.flush()
        return factors.turned_on(db, operator, session, was_first=was_first)


def remove_passkey(services: Services, operator_id: int, passkey_id: int, session: str) -> None:
    """Take no login by that passkey any more. Every session ends but that of the token `session`.

    Raises:
        NotFound: the operator has no such passkey.
    """
    with services.transaction() as db:
        passkey = db.get(Passkey, passkey_id)
        if passkey is None or passkey.operator_id != operator_id:
            raise NotFound(f"You have no passkey {passkey_id}.")
        db.delete(passkey)
        factors.turned_off(db, db.get_one(Operator, operator_id), session)


def begin_passkey_login(services: Services, site: Site) -> PasskeyAsked:
    """Ask for any passkey of this site, whoever's it is."""
    with services.transaction() as db:
        token, challenge = steps.begin(db, None, services.clock.now())
    return _asked(token, challenge, site, [])


def ask_again(services: Services, step_token: str, site: Site | None) -> PasskeyAsked:
    """What is asked for in a login that has begun; no options where the operator has no passkey for this site.

    Raises:
        Refused: the login was begun too long ago.
    """
    with services.reading() as db:
        step, operator = steps.found(db, step_token, services.clock.now())
        held = list(
            db.scalars(
                select(Passkey.credential_id).where(
                    Passkey.operator_id == step.operator_id, Passkey.host == (site.host if site else None)
                )
            )
        )
    if site is None or (operator is not None and not held):
        return PasskeyAsked(step_token, {}, takes_code=True)
    return _asked(step_token, step.challenge, site, held)


def log_in_with_passkey(
    services: Services, step_token: str, credential: str, site: Site, browser: str | None = None
) -> Opened:
    """The login that the passkey ends. Nothing is counted: a signature cannot be guessed.

    Raises:
        Refused: it is no passkey of theirs, was not asked for, or the login was begun too long ago.
    """
    import webauthn  # noqa: PLC0415

    now = services.clock.now()
    try:
        given = webauthn.helpers.parse_authentication_credential_json(credential)
    except _malformed() as error:
        raise Refused(NOT_TAKEN) from error
    with services.reading() as db:
        step, _ = steps.found(db, step_token, now)
        passkey = db.scalars(
            select(Passkey).where(Passkey.credential_id == given.raw_id, Passkey.host == site.host)
        ).one_or_none()
    if passkey is None or step.operator_id not in {None, passkey.operator_id}:
        raise Refused(NOT_TAKEN)
    try:
        shown = webauthn.verify_authentication_response(
            credential=given,
            expected_challenge=step.challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            # In place of a password it has to be more than a thing that lies about.
            require_user_verification=step.operator_id is None,
        )
    except _malformed() as error:
        raise Refused(NOT_TAKEN) from error
    with services.transaction() as db:
        step, _ = steps.found(db, step_token, now)  # Once: whoever shows the same answer again finds no step.
        kept = db.get(Passkey, passkey.id)
        if kept is None:
            raise Refused(NOT_TAKEN)
        kept.sign_count, kept.last_used_at = shown.new_sign_count, now
        db.delete(step)
        return opened(db, db.get_one(Operator, kept.operator_id), browser, now)


def _malformed() -> tuple[type[Exception], ...]:
    """What reading a stranger's JSON and CBOR may raise."""
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    return WebAuthnException, ValueError, TypeError, KeyError


def _asked(token: str, challenge: bytes, site: Site, allowed: list[bytes]) -> PasskeyAsked:
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement  # noqa: PLC0415

    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        allow_credentials=[PublicKeyCredentialDescriptor(id=one) for one in allowed],
        user_verification=(UserVerificationRequirement.PREFERRED if allowed else UserVerificationRequirement.REQUIRED),
    )
    return PasskeyAsked(token, webauthn.helpers.options_to_json_dict(options), takes_code=bool(allowed))

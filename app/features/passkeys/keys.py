"""Passkeys: kept for an operator, and used as a second factor or in place of name, password and code.

`here` is the browser's address, without a path. Each function raises `Refused` if there can be no passkeys, if the
login was begun too long ago, and if the device's answer does not fit.

The WebAuthn library takes 10 MB, so only the functions that need it load it: most installations have no passkey.
"""

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import select

from app.errors import NotFound, Refused
from app.models import Operator, Passkey
from app.operators.factors import after_turning_off, after_turning_on, has_second_factor
from app.operators.login import begin_step, complete_login, pending_step
from app.services import Services
from app.services.feature import CompletedLogin, DeviceRequest

MAX_NAME_CHARS = 40
HTTPS_PORT = 443
NO_SITE = "Passkeys need these pages under https and a name (PUBLIC_URL), or http://localhost on the machine itself."
NOT_TAKEN = "That passkey was not accepted. Try again, or log in another way."


class _Site(NamedTuple):
    """The address that browsers know these pages by."""

    host: str  # The host that passkeys are bound to, without a port.
    origin: str


def why_unavailable(services: Services, here: str) -> str | None:
    """A sentence that says why there can be no passkeys at that address; None if there can."""
    return NO_SITE if _site(services, here) is None else None


def begin(services: Services, operator_id: int, here: str) -> DeviceRequest:
    """Begin to register a new passkey."""
    site = _needed_site(services, here)
    with services.transaction() as db:
        operator = db.get_one(Operator, operator_id)
        held = db.scalars(select(Passkey).where(Passkey.operator_id == operator_id)).all()
        token, challenge = begin_step(db, operator, services.clock.now())
    import webauthn  # noqa: PLC0415
    from webauthn.helpers import structs  # noqa: PLC0415

    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Keepsake",
        user_id=f"keepsake-operator-{operator_id}".encode(),
        user_name=operator.name,
        challenge=challenge,
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=one.credential_id) for one in held],
        # A key that names its owner and asks them for a finger or a PIN can replace the whole login.
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.PREFERRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
    )
    return DeviceRequest(token, webauthn.helpers.options_to_json_dict(options))


def keep(
    services: Services, operator_id: int, step_token: str, name: str, credential: str, here: str, session: str
) -> list[str] | None:
    """Keep the device's new key, given as JSON. Returns recovery codes, to be shown once, if it is the first factor.

    Every session ends except that of the token `session`.
    """
    import webauthn  # noqa: PLC0415

    site, now = _needed_site(services, here), services.clock.now()
    with services.reading() as db:
        step, asked = pending_step(db, step_token, now)
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
        step, _ = pending_step(db, step_token, now)
        operator = db.get_one(Operator, operator_id)
        if db.scalar(select(Passkey.id).where(Passkey.credential_id == made.credential_id)) is not None:
            raise Refused("That passkey is kept already.")
        was_first = not has_second_factor(db, operator)
        passkey = Passkey(
            operator_id=operator_id,
            name=" ".join(name.split())[:MAX_NAME_CHARS] or "Passkey",
            host=site.host,
            credential_id=made.credential_id,
            public_key=made.credential_public_key,
            sign_count=made.sign_count,
            created_at=now,
        )
        db.delete(step)
        db.add(passkey)
        db.flush()
        return after_turning_on(db, operator, session, was_first=was_first)


def remove(services: Services, operator_id: int, passkey_id: int, session: str) -> None:
    """Delete that passkey, so that it opens no login. Every session ends except that of the token `session`.

    Raises:
        NotFound: the operator has no such passkey.
    """
    with services.transaction() as db:
        passkey = db.get(Passkey, passkey_id)
        if passkey is None or passkey.operator_id != operator_id:
            raise NotFound(f"You have no passkey {passkey_id}.")
        db.delete(passkey)
        after_turning_off(db, db.get_one(Operator, operator_id), session)


def begin_login(services: Services, here: str) -> DeviceRequest:
    """Ask for any passkey of this site, of any operator."""
    _needed_site(services, here)
    with services.transaction() as db:
        token, _ = begin_step(db, None, services.clock.now())
    return ask_again(services, token, here)


def ask_again(services: Services, step_token: str, here: str) -> DeviceRequest:
    """The passkeys that a login already begun asks for; no options if its operator has none for this site."""
    site = _site(services, here)
    with services.reading() as db:
        step, operator = pending_step(db, step_token, services.clock.now())
        theirs = (Passkey.operator_id == step.operator_id) & (Passkey.host == (site.host if site else None))
        held = list(db.scalars(select(Passkey.credential_id).where(theirs)))
    if site is None or (operator is not None and not held):
        return DeviceRequest(step_token, {}, takes_code=True)
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement  # noqa: PLC0415

    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        challenge=step.challenge,
        allow_credentials=[PublicKeyCredentialDescriptor(id=one) for one in held],
        user_verification=UserVerificationRequirement.PREFERRED if held else UserVerificationRequirement.REQUIRED,
    )
    return DeviceRequest(step_token, webauthn.helpers.options_to_json_dict(options), takes_code=bool(held))


def log_in(
    services: Services, step_token: str, credential: str, here: str, browser: str | None = None
) -> CompletedLogin:
    """The login that the passkey completes. No try is counted: a signature cannot be guessed."""
    import webauthn  # noqa: PLC0415

    site, now = _needed_site(services, here), services.clock.now()
    try:
        given = webauthn.helpers.parse_authentication_credential_json(credential)
    except _malformed() as error:
        raise Refused(NOT_TAKEN) from error
    with services.reading() as db:
        step, _ = pending_step(db, step_token, now)
        of_site = (Passkey.credential_id == given.raw_id) & (Passkey.host == site.host)
        passkey = db.scalars(select(Passkey).where(of_site)).one_or_none()
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
            # In place of a password, possession is not enough: the device has to check its user.
            require_user_verification=step.operator_id is None,
        )
    except _malformed() as error:
        raise Refused(NOT_TAKEN) from error
    with services.transaction() as db:
        step, _ = pending_step(db, step_token, now)  # Once: a second use of the same answer finds no step.
        kept = db.get(Passkey, passkey.id)
        if kept is None:
            raise Refused(NOT_TAKEN)
        kept.sign_count, kept.last_used_at = shown.new_sign_count, now
        db.delete(step)
        return complete_login(db, db.get_one(Operator, kept.operator_id), browser, now)


def _malformed() -> tuple[type[Exception], ...]:
    """Errors that reading a stranger's JSON and CBOR may raise."""
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    return WebAuthnException, ValueError, TypeError, KeyError, RecursionError


def _needed_site(services: Services, here: str) -> _Site:
    site = _site(services, here)
    if site is None:
        raise Refused(NO_SITE)
    return site


def _site(services: Services, here: str) -> _Site | None:
    """The site that a passkey made here is bound to; None if browsers allow none: without https, or without a name."""
    asked = urlsplit(here)
    if asked.hostname == "localhost":
        return _Site("localhost", f"{asked.scheme}://{asked.netloc}".lower())
    public = urlsplit(services.settings.address.lower())
    if public.scheme != "https" or not public.hostname:
        return None
    try:
        ipaddress.ip_address(public.hostname)
    except ValueError:
        port = "" if public.port in {None, HTTPS_PORT} else f":{public.port}"
        return _Site(public.hostname, f"https://{public.hostname}{port}")
    return None

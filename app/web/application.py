"""The web application: its doors, its signing key, and the error responses of the doors."""

import fcntl
import logging
import os
import secrets
from http import HTTPStatus
from pathlib import PurePath
from threading import Event
from urllib.parse import urlsplit

from flask import Flask, Response, jsonify, redirect, request, url_for
from werkzeug.exceptions import HTTPException

from app.errors import KeepsakeError, SettingsError
from app.services import Services
from app.settings import Settings, load_settings
from app.settings.validators import is_long_key
from app.store.locks import make_private_folder
from app.web import admin, health, metrics, sms
from app.web.admin.blueprint import unknown_page
from app.web.every_request import Notices, PublicPrefix, compressed, measure_webhooks, with_relative_redirect
from app.web.phone import page as phone
from app.web.streams import Streams
from app.wiring import build_services

MAX_REQUEST_BYTES = 2**20  # Twilio's largest webhook has about ten kilobytes; nothing here accepts uploads.

DEBUG_MODE = (
    "Settings to mend: FLASK_DEBUG: must not be set. Debug mode shows what people wrote, and runs what visitors type. "
    "They are read from the environment and .env."
)

logger = logging.getLogger(__name__)


def create_app(settings: Settings | None = None, services: Services | None = None) -> Flask:
    """The Flask application; it starts no lanes and no jobs.

    Raises:
        SettingsError: debug mode is on.
    """
    if services is None:
        services = build_services(settings or load_settings())
    app = Flask("app", root_path=str(PurePath(__file__).parent))
    if app.debug:
        raise SettingsError(DEBUG_MODE)
    app.config.update(SECRET_KEY=secret_key(services.settings), MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES)
    # The sentence shown after an action travels in Flask's signed cookie, which has no other use here.
    is_https = services.settings.address.lower().startswith("https://")
    name = "__Host-keepsake_notice" if is_https else "keepsake_notice"
    app.config.update(
        SESSION_COOKIE_NAME=name, SESSION_COOKIE_PATH="/", SESSION_COOKIE_SAMESITE="Lax", SESSION_COOKIE_SECURE=is_https
    )
    app.session_interface = Notices()
    app.extensions |= {"services": services, "stopping": Event(), "streams": Streams()}
    measure_webhooks(app, services.clock)
    for door in (sms, phone, health, metrics, admin):
        app.register_blueprint(door.bp)
    app.register_error_handler(KeepsakeError, _known)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unknown)
    app.add_url_rule("/", "home", lambda: redirect(url_for("admin.home")))
    # These two run in reverse order: `compressed` gets the result of `with_relative_redirect`.
    app.after_request(compressed)
    app.after_request(with_relative_redirect)
    app.wsgi_app = PublicPrefix(app.wsgi_app, urlsplit(services.settings.address).path)  # type: ignore[method-assign]
    return app


def secret_key(settings: Settings) -> str:
    """The key that signs cookies: from the settings, or made once beside the database and shared by all processes.

    Raises:
        SettingsError: the key in the file is too short.
    """
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    make_private_folder(settings.instance_path)
    path = settings.instance_path / "secret_key"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", errors="ignore") as file:
        # Locked, so that processes that start together agree; a file left empty by a kill is filled, not used.
        fcntl.flock(file, fcntl.LOCK_EX)
        key = file.read().strip()
        if not key:
            key = secrets.token_hex(32)
            file.write(key)
    if not is_long_key(key):
        raise SettingsError(f"{path} holds no key that is long enough to sign with. Remove it to have a new one made.")
    return key


def _known(error: KeepsakeError) -> Response:
    if error.is_fault:
        logger.exception("A request failed")
    return _error(error.code, str(error), error.http_status)


def _http(error: HTTPException) -> Response:
    is_nothing_there = error.code in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
    is_at_the_pages = request.path.startswith(f"{admin.bp.url_prefix}/") and request.method in {"GET", "HEAD"}
    # A client that accepts anything, or does not say, is not a browser.
    is_browser = request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
    if is_nothing_there and is_at_the_pages and is_browser:
        return unknown_page(error.code or HTTPStatus.NOT_FOUND)
    response = _error((error.name or "error").lower().replace(" ", "_"), error.description or "", error.code or 500)
    for name, value in error.get_headers():
        if name.lower() not in {"content-type", "content-length"}:
            response.headers[name] = value
    return response


def _unknown(_: Exception) -> Response:
    logger.exception("A request failed")
    return _error("error", "Something went wrong here; it has been logged.", 500)


def _error(code: str, message: str, status: int) -> Response:
    """The JSON response for an error at a door without error pages of its own; it reveals no internals."""
    response = jsonify({"code": code, "message": message, "details": {}})
    response.status_code = status
    return response

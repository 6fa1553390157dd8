"""The web application with all its doors."""

from pathlib import PurePath
from threading import Event
from urllib.parse import urlsplit

from flask import Flask, redirect, url_for
from werkzeug.wrappers import Response

from app.errors import SettingsError
from app.services import Services
from app.settings import Settings, load_settings
from app.web import admin, errors, health, metrics, phone, recall_words, sms, status, voice
from app.web.compressed import compressed
from app.web.notices import Notices
from app.web.prefix import PublicPrefix, by_path
from app.web.secret import secret_key
from app.web.streams import Streams
from app.wiring import build_services

MAX_REQUEST_BYTES = 2**20  # Twilio's largest webhook has some ten kilobytes; nothing here takes uploads.

DEBUG_MODE = (
    "Settings to mend: FLASK_DEBUG: must not be set. Debug mode shows what people wrote, and runs what visitors type. "
    "They are read from the environment and .env."
)


def create_app(settings: Settings | None = None, services: Services | None = None) -> Flask:
    """The application; it starts nothing.

    Raises:
        SettingsError: debug mode is on.
    """
    if services is None:
        services = build_services(settings or load_settings())
    app = Flask("app", root_path=str(PurePath(__file__).parent))
    if app.debug:
        raise SettingsError(DEBUG_MODE)
    app.config.update(SECRET_KEY=secret_key(services.settings), MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES)
    app.session_interface = Notices()
    app.extensions["services"] = services
    app.extensions["stopping"] = Event()
    app.extensions["streams"] = Streams()
    metrics.measure_webhooks(app, services.clock)
    for door in (sms, status, voice, phone, health, metrics, admin):
        app.register_blueprint(door.bp)
    errors.register(app)
    recall_words.add_filters(app)
    app.add_url_rule("/", "home", _home)
    app.after_request(compressed)  # They run in reverse: it packs what the other one has left.
    app.after_request(by_path)
    app.wsgi_app = PublicPrefix(app.wsgi_app, urlsplit(services.settings.address).path)  # type: ignore[method-assign]
    return app


def _home() -> Response:
    return redirect(url_for("admin.home"))

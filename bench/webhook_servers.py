"""The servers of `bench/webhook.py`, each in its own process: `python -m bench.webhook_servers NAME PORT`."""

import logging
import os
import sys
import threading

from cheroot.wsgi import Server
from flask import Flask, abort, request
from sqlcipher3 import dbapi2
from twilio.request_validator import RequestValidator

from app.cli.serve import BACKLOG, WEB_THREADS, freeze_loaded_objects, shorten_thread_switches
from app.settings import load_settings
from app.web.application import create_app
from app.wiring import build_services


def bare() -> Flask:
    """A Flask app whose route does nothing, as a baseline."""
    app = Flask("bare")

    @app.post("/sms")
    def receive() -> str:
        return "<Response/>"

    return app


def least() -> Flask:
    """A minimal durable webhook: Twilio's check, one row through the driver, and the wait for the disk."""
    app = Flask("least")
    validator = RequestValidator(os.environ["TWILIO_AUTH_TOKEN"])
    url = f"http://127.0.0.1:{os.environ['PORT']}/sms"  # The requests are signed for the product's port.
    lock = threading.Lock()
    database = dbapi2.connect("least.db", isolation_level=None, check_same_thread=False)
    for statement in (
        "PRAGMA journal_mode = wal",
        "PRAGMA synchronous = FULL",
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, person INTEGER, sid TEXT UNIQUE, body TEXT)",
        "CREATE INDEX of_person ON messages (person, id)",
    ):
        database.execute(statement)

    @app.post("/sms")
    def receive() -> str:
        if not validator.validate(url, request.form, request.headers["X-Twilio-Signature"]):
            abort(403)
        row = (request.form["From"], request.form["MessageSid"], request.form["Body"])
        with lock:
            database.execute("INSERT OR IGNORE INTO messages (person, sid, body) VALUES (?, ?, ?)", row)
        return "<Response/>"

    return app


def keepsake() -> Flask:
    """The whole product with settings from the environment; its lanes wake and answer nobody, see `bench/turn.py`."""
    services = build_services(load_settings())
    services.background.start(lambda _: None)
    return create_app(services=services)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    name, port = sys.argv[1:]
    server = Server(
        ("127.0.0.1", int(port)),
        {"bare": bare, "least": least, "keepsake": keepsake}[name](),
        numthreads=WEB_THREADS,
        request_queue_size=BACKLOG,
    )
    server.prepare()
    freeze_loaded_objects()
    shorten_thread_switches()
    print("ready", flush=True)
    server.serve()

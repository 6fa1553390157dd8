"""The two servers of `bench/webhook.py`, each in a process of its own: `python -m bench.webhook_servers NAME PORT`."""

import logging
import sys

from cheroot.wsgi import Server
from flask import Flask

from app import create_app
from app.assistant.turn import start
from app.cli.serve import BACKLOG, WEB_THREADS, spare_what_is_loaded, take_short_turns
from app.settings import load_settings
from app.wiring import build_services


def bare() -> Flask:
    """What Flask costs when a route does nothing."""
    app = Flask("bare")

    @app.post("/sms")
    def receive() -> str:
        return "<Response/>"

    return app


def keepsake() -> Flask:
    """The whole product, lanes and all, with its settings from the environment."""
    services = build_services(load_settings())
    start(services)
    return create_app(services=services)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    name, port = sys.argv[1:]
    server = Server(
        ("127.0.0.1", int(port)),
        {"bare": bare, "keepsake": keepsake}[name](),
        numthreads=WEB_THREADS,
        request_queue_size=BACKLOG,
    )
    server.prepare()
    spare_what_is_loaded()
    take_short_turns()
    print("ready", flush=True)
    server.serve()

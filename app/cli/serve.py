import gc
import logging
import re
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

import click
from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Server
from flask import Flask

from app.cli.process_log import log_to_stderr, log_uncaught_errors
from app.cli.scheduling import Scheduling
from app.conversation import finish, turn
from app.errors import EmbeddingError, Refused
from app.operators import ensure_first
from app.services import Embedder, Services
from app.settings import Settings, load_settings
from app.web.application import create_app
from app.wiring import build_services

WEB_THREADS = 40  # An open phone page holds one for its stream; a webhook holds one for a few milliseconds.
BACKLOG = 256  # Connections that wait in the kernel while all threads are busy: a burst is late, not refused.
SWITCH_SECONDS = 0.0005
YOUNG_OBJECTS = 5_000
SIGNALS = (signal.SIGTERM, signal.SIGINT)
LOOK_SECONDS = 0.25

logger = logging.getLogger(__name__)


class _Headers(dict[bytes, bytes]):
    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name == b"Content-Length" and name in self:
            raise ValueError("Send Content-Length once.")
        super().__setitem__(name, value)


class _Request(HTTPRequest):
    def read_request_line(self) -> bool:
        """Refuse an address that is none, such as `http://[x`; the library would fail on it, and log that each time."""
        with suppress(ValueError):
            return bool(super().read_request_line())  # type: ignore[no-untyped-call]
        self.simple_response("400 Bad Request", "The address in the request line is none.")
        return False

    def read_request_headers(self) -> bool:
        """Refuse a body that states its length twice: a proxy may use the other length, and the rest be smuggled in.

        Source: RFC 9112, sections 6.1 and 6.3. A refused request ends its connection.
        """
        self.inheaders = _Headers()
        if not super().read_request_headers():  # type: ignore[no-untyped-call]
            return False
        if b"Transfer-Encoding" in self.inheaders and b"Content-Length" in self.inheaders:
            self.simple_response("400 Bad Request", "Send Content-Length or Transfer-Encoding, not both.")
            return False
        return True


class _Connection(HTTPConnection):
    RequestHandlerClass = _Request


class _Server(Server):
    ConnectionClass = _Connection

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        # Broken connections are normal; all other errors go into the log.
        logger.log(logging.DEBUG if level == logging.INFO else level, msg, exc_info=traceback)

    def stop_listening(self) -> None:
        """Refuse new connections; open ones are served until `stop`."""
        listener, self.socket = self.socket, None
        listener.close()


class Stopping:
    """SIGTERM and SIGINT ask the process to end; a second signal ends it at once."""

    def __init__(self) -> None:
        self._is_asked = False
        for number in SIGNALS:
            signal.signal(number, self._once)

    def wait(self) -> None:
        """Return once a signal has come, even before the call."""
        nothing = threading.Event()
        while not self._is_asked:
            # Python handles a signal between two steps of this thread. One that comes in the instant before the wait
            # begins is handled only when it ends: so were two of 1,500 sent to processes just started.
            nothing.wait(LOOK_SECONDS)

    def _once(self, _number: int, _frame: FrameType | None) -> None:
        self._is_asked = True
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)


@click.command()
@click.option("--host", help="Address to listen on. [default: HOST, or 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on. [default: PORT, or 8080]")
def serve(host: str | None, port: int | None) -> None:
    """Start everything in one process: pages, answers, jobs."""
    settings = load_settings(**{name: value for name, value in (("host", host), ("port", port)) if value is not None})
    log_to_stderr(logging.INFO, form=settings.log_format, secrets=settings.secrets)
    log_uncaught_errors()
    services = build_services(settings)
    app = create_app(services=services)
    server = _listen(settings, app)
    try:
        _run(services, app, server)
    finally:
        app.extensions["streams"].close()
        server.stop()
    services.close()


def _run(services: Services, app: Flask, server: _Server) -> None:
    given = services.settings.admin_password
    password = ensure_first(services, given.get_secret_value() if given else None)
    stopping = Stopping()
    if services.embedder is not None:
        threading.Thread(target=warm, args=(services.embedder,), name="warm", daemon=True).start()
    turn.start(services)
    scheduling = Scheduling(services)
    scheduling.start()
    freeze_loaded_objects()
    shorten_thread_switches()
    threading.Thread(target=server.serve, name="accept", daemon=True).start()
    _introduce(services, password)
    stopping.wait()
    app.extensions["stopping"].set()
    server.stop_listening()
    click.echo("Stopping: no new texts are taken, the answers under way are finished.")
    scheduling.stop()
    services.background.stop(grace_seconds=services.settings.shutdown_grace_seconds)
    if cut_off := finish.end_leases(services):
        click.echo(f"{cut_off} cut off: taken up at the next start, or by another process.")


def warm(embedder: Embedder) -> None:
    """Load the embedder now, in the background: neither a text nor the start should wait for 90 MB."""
    try:
        embedder.embed(["warm"], is_query=True)
    except EmbeddingError as error:
        logger.warning("Memory is searched by words alone until there are vectors: %s", error)


def shorten_thread_switches() -> None:
    """Have threads hand over the interpreter ten times as often as by Python's default of every 5 ms.

    A webhook gives it up a dozen times, at each wait for the database, and may wait for every turn under way to get it
    back. With 256 turns under way its 99th percentile fell from 157 to 87 ms, and 95 of 100 replies left within 87
    instead of 165 ms of the model's last word.
    """
    sys.setswitchinterval(SWITCH_SECONDS)


def freeze_loaded_objects() -> None:
    """Exempt all objects that exist by now from garbage collection, for the life of the process.

    The libraries have hundreds of thousands of objects, and scanning them now and then took a tenth of each turn.
    Later objects, above all the database layer's cached statements, were scanned in full at every hundredth page, which
    then waited 30 ms. With a higher threshold for young objects no page waits more than 14 ms; with one ten times as
    high again, the scans of young objects alone take 77 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def _listen(settings: Settings, app: Flask) -> _Server:
    server = _Server(
        (settings.host, settings.port), app, numthreads=WEB_THREADS, server_name="keepsake", request_queue_size=BACKLOG
    )
    try:
        server.prepare()
    except OSError as error:
        # The server wraps the system's message in its own text.
        found = re.search(r"\[Errno -?\d+\] ([^)]+)", str(error))
        reason = found[1].lower() if found else str(error)
        where = f"{settings.host} port {settings.port}"
        raise Refused(f"Cannot listen on {where}: {reason}. Choose another with --host and --port.") from error
    return server


def _introduce(services: Services, password: str | None) -> None:
    settings = services.settings
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if settings.host in {"0.0.0.0", "::"}:  # noqa: S104  (compared, not bound)
        host = "127.0.0.1"
    click.echo("Keepsake is running. Ctrl-C stops it.")
    if services.process.others:
        click.echo("Another process has the same database open: if it is a server, too, either may answer a text.")
    for page in ("phone", "admin"):
        click.echo(f"{page.capitalize()} page:  http://{host}:{settings.port}/{page}")
    if password is not None:
        click.echo(f"One-time password for the admin page: {password}")
    if settings.model_key:
        click.echo(f"Replies come from {services.model.name} at {getattr(services.model, 'host', 'an unknown host')}.")
    else:
        click.echo("Replies come from the offline model. Set ANTHROPIC_API_KEY to have Claude write them.")

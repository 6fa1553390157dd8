"""The checks in rounds: at a glance, what can be looked at here, and what others have to be asked for."""

import logging
import threading
from collections.abc import Callable, Iterable

from app.clock import SystemClock
from app.delivery.account import CarrierAccount
from app.operations.checks import Finding, warn
from app.operations.checks.database import check_files, check_machine, check_open, check_pages
from app.operations.checks.settings import check_embeddings, check_model, check_settings
from app.operations.checks.twilio import check_twilio
from app.services import Embedder
from app.services.model import Model
from app.settings import Settings
from app.store.db import Database

logger = logging.getLogger(__name__)


def glance(settings: Settings) -> list[Finding]:
    """What is amiss as far as it is seen without a question to the database: half a millisecond.

    What its look at the database adds is left to `look`.
    """
    found = [*check_settings(settings), *check_files(settings), *check_machine(settings)]
    return [one for one in found if one.level != "ok"]


def look(settings: Settings, database: Database) -> list[Finding]:
    """What a look at the settings, the database and the machine shows; no round of it takes longer than a page may."""
    return [*check_settings(settings), *check_open(settings, database, reads_all=False), *check_machine(settings)]


def ask(
    settings: Settings,
    database: Database,
    account: CarrierAccount | None,
    model: Model,
    embedder: Embedder | None,
    *,
    seconds: float,
) -> list[Finding]:
    """What Twilio, the model and the embedder say, and whether the file is sound; what takes longer says so."""
    checks: dict[str, Callable[[], Iterable[Finding]]] = {
        "Twilio": lambda: check_twilio(settings, account) if account is not None else (),
        "model": lambda: check_model(settings, model),
        "EMBEDDINGS": lambda: check_embeddings(settings, embedder),
        "pages": lambda: check_pages(database),
    }
    found: dict[str, list[Finding]] = {}

    def make(name: str) -> None:
        try:
            found[name] = list(checks[name]())
        except Exception:  # Of its own thread, where nobody else would hear of it.
            logger.exception("The check %s failed", name)
            found[name] = [warn(name, "it could not be looked at; the log says why.")]

    # Daemons: the process need not wait at its end for somebody who does not answer.
    threads = [threading.Thread(target=make, args=(name,), name=f"check-{name}", daemon=True) for name in checks]
    for thread in threads:
        thread.start()
    until = SystemClock().monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, until - SystemClock().monotonic()))
    late = [warn(name, f"no answer within {seconds:.0f} seconds. Ask again.") for name in checks]
    return [finding for name, none in zip(checks, late, strict=True) for finding in found.get(name, [none])]

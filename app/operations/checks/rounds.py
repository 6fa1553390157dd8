"""Rounds of checks: at a glance, with a look at the database, and with questions to other servers."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from app.delivery.account import CarrierAccount
from app.operations.checks import Finding, warn
from app.operations.checks.database import check_files, check_machine, check_open, check_pages
from app.operations.checks.settings import check_embeddings, check_model, check_settings
from app.operations.checks.twilio import check_twilio
from app.services import Services
from app.settings import Settings

logger = logging.getLogger(__name__)


def quick_problems(settings: Settings) -> list[Finding]:
    """Problems that can be found without a query to the database, in half a millisecond.

    Checks that read the database are left to `check_local`.
    """
    found = [*check_settings(settings), *check_files(settings), *check_machine(settings)]
    return [one for one in found if one.level != "ok"]


def check_local(services: Services) -> list[Finding]:
    """Findings about the settings, the database and the machine; fast enough for a page."""
    settings = services.settings
    return [*check_settings(settings), *check_open(settings, services.store, reads_all=False), *check_machine(settings)]


def check_outside(services: Services, account: CarrierAccount | None, *, seconds: float) -> list[Finding]:
    """Findings from Twilio, the model, the embedder and the file's pages; a check without an answer in time says so."""
    settings = services.settings
    checks: dict[str, Callable[[], list[Finding]]] = {
        "Twilio": lambda: list(check_twilio(settings, account)) if account is not None else [],
        "model": lambda: list(check_model(settings, services.model)),
        "EMBEDDINGS": lambda: list(check_embeddings(settings, services.embedder)),
        "pages": lambda: list(check_pages(services.store)),
    }
    asking = ThreadPoolExecutor(len(checks))
    asked = {name: asking.submit(check) for name, check in checks.items()}
    wait(asked.values(), timeout=seconds)
    asking.shutdown(wait=False)
    return [finding for name, answer in asked.items() for finding in _findings_of(name, answer, seconds)]


def _findings_of(name: str, answer: "Future[list[Finding]]", seconds: float) -> list[Finding]:
    if not answer.done():
        return [warn(name, f"no answer within {seconds:.0f} seconds. Ask again.")]
    if error := answer.exception():
        logger.error("The check %s failed", name, exc_info=error)
        return [warn(name, "it could not be looked at; the log says why.")]
    return answer.result()

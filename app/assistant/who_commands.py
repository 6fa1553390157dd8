"""`/who looked`: who was shown what the person wrote, when and why, told without the model."""

from collections.abc import Callable

from app import audit, people
from app.assistant.command import Command
from app.clock import local, spoken_date
from app.models import AuditEntry

TOLD = 3  # The last few: each line is paid for.
REASON_CHARS = 60


def _looked(asked: Command) -> str:
    with asked.services.reading() as db:
        zone = people.by_id(db, asked.person_id).timezone
        found = audit.looks(db, asked.person_id, TOLD + 1)
    if not found:
        return "Nobody has looked at what you wrote or what I know about you."
    earlier = "Earlier ones are left out here." if len(found) > TOLD else ""
    return "\n".join(filter(None, ["Your words were shown to:", *(_line(one, zone) for one in found[:TOLD]), earlier]))


def _line(entry: AuditEntry, zone: str) -> str:
    at = f"{spoken_date(entry.at, zone)}, {local(entry.at, zone):%H:%M}"
    if entry.who == audit.TERMINAL:
        return f"{at}: whoever runs this, by keepsake {entry.did}"
    why = entry.reason if len(entry.reason) <= REASON_CHARS else f"{entry.reason[: REASON_CHARS - 3].rstrip()}..."
    return f"{at}: {entry.who}. Reason: {why}"


WHO_COMMANDS: tuple[tuple[str, Callable[[Command], str]], ...] = ((r"/who(?: has)? looked\??", _looked),)

"""`/who looked`: who was shown what the person wrote, when and why, told without the model."""

from collections.abc import Callable

from app import audit, people
from app.assistant.command import NUMBER, Command
from app.clock import local, spoken_date
from app.models import AuditEntry

TOLD = 3  # A text: each line is paid for.
PAGES_MOST = 100  # Nobody asks for more, and whatever is asked for is read.
REASON_CHARS = 60


def _looked(asked: Command) -> str:
    page = max(1, asked.number_or(1))
    with asked.services.reading() as db:
        zone = people.by_id(db, asked.person_id).timezone
        found = audit.looks(db, asked.person_id, TOLD * min(page, PAGES_MOST) + 1)
    if not found:
        return "Nobody has looked at what you wrote or what I know about you."
    told = found[TOLD * (page - 1) : TOLD * page]
    if not told:
        return f"There is no page {page} of who looked. /who looked tells the last ones."
    # All of them can be asked for: else a look could be hidden behind a few that are harmless.
    has_more = len(found) > TOLD * page
    earlier = [f"Next: /who looked {page + 1}, or just text: more."] if has_more and page < PAGES_MOST else []
    return "\n".join(["Your words were shown to:", *(_line(one, zone) for one in told), *earlier])


def _line(entry: AuditEntry, zone: str) -> str:
    at = f"{spoken_date(entry.at, zone)}, {local(entry.at, zone):%H:%M}"
    if entry.who == audit.TERMINAL:
        return f"{at}: whoever runs this, by keepsake {entry.did}"
    why = entry.reason if len(entry.reason) <= REASON_CHARS else f"{entry.reason[: REASON_CHARS - 3].rstrip()}..."
    return f"{at}: {entry.who}. Reason: {why}"


WHO_COMMANDS: tuple[tuple[str, Callable[[Command], str]], ...] = ((rf"/who(?: has)? looked(?: {NUMBER})?\??", _looked),)

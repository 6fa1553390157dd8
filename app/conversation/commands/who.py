"""`/who looked`, or asked in plain words: who was shown what the person wrote, when and why; without the model."""

import re

from app import people
from app.clock import local, spoken_date
from app.conversation.commands.command import NUMBER, Command, command
from app.models import AuditEntry
from app.operations import audit

TOLD = 3  # A text: each line is paid for.
PAGES_MOST = 100  # Nobody asks for more, and whatever is asked for is read.
REASON_CHARS = 60

_LEAD = r"(?:(?:hey|hi|hello|keepsake|so|and|ok|okay|please|(?:can you )?tell me|do you know|i want to know)[ ,]+)*"
_ANYONE = r"(?:anyone|anybody|someone|somebody|any (?:operator|human|person))(?: else| ever| here)*"
_WORDS = (
    r"(?:(?:any of |all of )?(?:my|our|these|the) (?:private |own )?(?:messages?|texts?|text messages|words|sms|"
    r"conversations?|chats?|data|memory|memories|facts)|"
    r"(?:what|everything|anything|all|the things)(?: that)? i(?:['’]ve| have)? "
    r"(?:wr[oi]te|written|said|say|text|texted|sent|told you|tell you))"
)
_WHEN = r"(?: (?:here|so far|yet|lately|recently|today|yesterday|this week|last week|before|ever|to you|you))*"
# Not "who looked after the dog": what was looked at has to be what they wrote.
_ASKS = re.compile(
    rf"{_LEAD}(?:who(?:['’]s| has| have)?(?: ever| else| all)* looked{_WHEN}|"
    rf"who(?:['’]s| is| has| have| was| did)?(?: ever| else| all| been| already)* "
    rf"(?:look(?:ed|ing)? at|see[n]?|saw|seeing|read|reading|view(?:ed|ing)|access(?:ed|ing)|shown) {_WORDS}{_WHEN}|"
    rf"(?:has|have|did|is|was|does) {_ANYONE} (?:been )?"
    rf"(?:look(?:ed|ing)? at|see[n]?|saw|seeing|read|reading|view(?:ed|ing)|access(?:ed|ing)|shown) {_WORDS}{_WHEN})",
)


def asks_who_looked(words: str) -> bool:
    """Whether the text is no more than the question who has seen what the person wrote."""
    return _ASKS.fullmatch(" ".join(words.split()).casefold().rstrip(".!? ")) is not None


@command(rf"/who(?: has)? looked(?: {NUMBER})?\??", help="/who looked - who saw your words, why")
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

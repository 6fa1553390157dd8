"""Files that came with the texts: pictures fetched for the model to see, and the rest named."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.conversation import steps
from app.conversation.claim import OpenTurn
from app.delivery.inbox import PLACE
from app.errors import MediaError
from app.models import Media
from app.services import Picture, Services
from app.store.faultpoints import reach
from app.text import kind_words

logger = logging.getLogger(__name__)

MAX_PICTURES = 4  # Of one turn: each costs as much as a page of text, and may take megabytes while it is opened.
MAX_NAMED = 12  # A flood of texts may bring thousands.
SECONDS_FOR_ALL = 20.0  # A third of the turn's; the rest is the model's.
ENDED = frozenset({"end_turn", "stop_sequence", "refusal"})

# By how the content type begins: what the history, the model and the person are told of it. The carrier claims it;
# what claims to be a picture, or says nothing, is looked at.
_KINDS = {
    "audio/": "recording",
    "video/": "video",
    "application/pdf": "document",
    "application/msword": "document",
    "application/vnd.": "document",
    "text/vcard": "card",
    "text/x-vcard": "card",
    "text/directory": "card",
    PLACE: "place",
    "image/": "picture",
    "application/octet-stream": "picture",
}
_AS_TOLD = {
    "recording": "a recording, which you cannot hear",
    "video": "a video, which you cannot watch",
    "document": "a document, which you cannot open",
    "card": "a contact card, which you cannot open",
    "file": "a file, which you cannot open",
}


@dataclass(frozen=True)
class Files:
    """What came with the texts of one turn."""

    pictures: tuple[Picture, ...] = ()
    """Those that the model is shown, in the order in which they came."""
    named: tuple[str, ...] = ()
    """Each file in words, as the model is told of it."""
    excuse: str = ""
    """The answer where there is neither a word nor a picture to go by."""

    @property
    def say_something(self) -> bool:
        """Whether the model has something to go by, also without a word."""
        return not self.excuse and bool(self.named)


def of_turn(services: Services, turn: OpenTurn) -> Files:
    """What came with the turn's texts, its pictures fetched; whatever fails, the turn goes on without it."""
    if not any(text.media_count for text in turn.texts):
        return Files()
    with services.reading() as db:
        rows = _rows(db, [text.id for text in turn.texts if text.media_count])
    lost = sum(text.media_count for text in turn.texts) - len(rows)  # Counted by the carrier, and not named.
    looking = _Looking(services, turn)
    for row in rows:
        looking.look_at(row)
    if looking.notes:
        with services.transaction() as db:
            for media_id, note in looking.notes.items():
                db.execute(update(Media).where(Media.id == media_id).values(note=note))
    reach("pictures.fetched")
    return looking.files(lost)


def marks(db: Session, message_ids: Sequence[int]) -> dict[int, str]:
    """What stands in the history in the place of the files of each text: `[sent a picture]`."""
    if not message_ids:
        return {}
    found: dict[int, list[str]] = defaultdict(list)
    for row in _rows(db, message_ids):
        found[row.message_id].append(_in_words(row) if kind_of(row) == "place" else f"a {kind_of(row)}")
    return {one: f"[sent {', '.join(found.get(one, ['a file']))}]" for one in message_ids}


def kind_of(row: Media) -> str:
    """`picture`, `recording`, `video`, `document`, `card`, `place` or `file`, as its carrier claims."""
    claimed = row.content_type.partition(";")[0].strip().lower()
    if not claimed:
        return "picture"
    return next((kind for begins, kind in _KINDS.items() if claimed.startswith(begins)), "file")


class _Looking:
    """One turn's files looked at, one after the other."""

    def __init__(self, services: Services, turn: OpenTurn) -> None:
        self._services = services
        self._source = services.pictures
        self._shown_before = _has_answered(services, turn)
        left = turn.deadline - services.clock.monotonic()
        self._until = services.clock.monotonic() + min(SECONDS_FOR_ALL, left / 3)
        self._pictures: list[Picture] = []
        self._named: list[str] = []
        self._kinds: list[str] = []
        self._opened = 0
        self.notes: dict[int, str] = {}
        """By the row's id: why it could not be shown."""

    def look_at(self, row: Media) -> None:
        kind = kind_of(row)
        self._kinds.append(kind)
        if kind == "picture":
            self._named.append(self._picture(row))
        elif kind == "place":
            self._named.append(_in_words(row))
        else:
            self._named.append(_AS_TOLD[kind])

    def files(self, lost: int) -> Files:
        named = self._named[:MAX_NAMED]
        if lost + len(self._named) > len(named):
            named.append(f"{lost + len(self._named) - len(named)} more that are not shown")
        if self._pictures or self._shown_before or ("place" in self._kinds and self._source is not None):
            return Files(tuple(self._pictures), tuple(named))
        return Files((), tuple(named), _excuse(self._kinds, has_eyes=self._source is not None))

    def _picture(self, row: Media) -> str:
        if self._source is None:
            return "a picture, which you cannot see"
        if self._shown_before:
            return "a picture, which you were shown"
        if self._opened == MAX_PICTURES:
            return f"a picture that is not shown: {MAX_PICTURES} at once are the most"
        self._opened += 1
        try:
            with self._services.background.away():
                picture = self._source.picture(row.url, self._until - self._services.clock.monotonic())
        except MediaError as error:
            logger.warning("File %s could not be shown: %s", row.id, error)
            self.notes[row.id] = str(error)
            return error.as_told
        self._pictures.append(picture)
        return "a picture, shown here"


def _excuse(kinds: Sequence[str], *, has_eyes: bool) -> str:
    if "picture" in kinds:
        return kind_words.PICTURE_NOT_OPENED if has_eyes else kind_words.NO_EYES
    return kind_words.CANNOT_OPEN[kinds[0] if kinds else "file"]


def _has_answered(services: Services, turn: OpenTurn) -> bool:
    """Whether an earlier attempt at the turn has the model's last word already: then nobody looks again."""
    answers = steps.of_earlier_attempts(services, turn).answers
    return bool(answers) and answers[-1][0].stop_reason in ENDED


def _rows(db: Session, message_ids: Iterable[int]) -> Sequence[Media]:
    found = select(Media).where(Media.message_id.in_(message_ids)).order_by(Media.message_id, Media.place)
    return db.scalars(found).all()


def _in_words(row: Media) -> str:
    where, _, words = row.url.removeprefix("geo:").partition("?q=")
    named = unquote(words).strip()
    return f"a place: {named} ({where})" if named else f"a place: {where}"

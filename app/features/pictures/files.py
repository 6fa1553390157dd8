"""Files that came with a turn's texts: pictures are fetched for the model to see, all others only named."""

import logging
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.conversation.claim import OpenTurn
from app.conversation.context import Files
from app.delivery.inbox import PLACE
from app.errors import MediaError
from app.models import Media
from app.services import Services
from app.store.faultpoints import reach
from app.text import kind_words

if TYPE_CHECKING:
    from app.features.pictures.twilio_media import TwilioMedia

logger = logging.getLogger(__name__)

MAX_PICTURES = 4  # Of one turn: each costs as much as a page of text, and may take megabytes to open.
MAX_NAMED = 12  # A flood of texts may bring thousands.
SECONDS_FOR_ALL = 20.0  # A third of the turn's time; the rest is the model's.

# Kinds by the start of the content type, as the history, the model and the person see them. The carrier claims it;
# a file that claims to be a picture, or claims nothing, is opened.
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


def picture_source(services: Services) -> "TwilioMedia | None":
    """The source of pictures; None without Twilio, and with the offline model, which cannot see."""
    if not services.settings.has_twilio or services.settings.model_key is None:
        return None
    from app.features.pictures.twilio_media import TwilioMedia  # noqa: PLC0415  (HTTP takes a while to load)

    return TwilioMedia(services.settings)


def files_of(services: Services, turn: OpenTurn) -> Files:
    """Files of the turn's texts, with its pictures fetched; if one fails, the turn goes on without it."""
    with services.reading() as db:
        rows = _rows(db, [text.id for text in turn.texts if text.media_count])
    source, now = services.once(picture_source), services.clock.monotonic()
    until = now + min(SECONDS_FOR_ALL, (turn.deadline - now) / 3)
    pictures = [row for row in rows if _kind_of(row) == "picture"][: MAX_PICTURES if source else 0]
    looks = {row.id: _look_at(services, source, row, until) for row in pictures if source}
    named = [_described(row, looks.get(row.id), has_eyes=source is not None) for row in rows]
    failed = {media_id: look for media_id, look in looks.items() if isinstance(look, MediaError)}
    if failed:
        with services.transaction() as db:
            for media_id, error in failed.items():
                db.execute(update(Media).where(Media.id == media_id).values(note=str(error)))
    reach("pictures.fetched")
    # The carrier may count more files than it lists.
    left_out = max(sum(text.media_count for text in turn.texts), len(named)) - len(named[:MAX_NAMED])
    more = [f"{left_out} more that are not shown"] if left_out else []
    shown = tuple(_as_block(look) for look in looks.values() if isinstance(look, bytes))
    excuse = "" if shown else _excuse([_kind_of(row) for row in rows], has_eyes=source is not None)
    return Files(shown, (*named[:MAX_NAMED], *more), excuse)


def history_marks(db: Session, message_ids: Sequence[int]) -> dict[int, str]:
    """For each text with files, the mark that stands for them in the history: `[sent a picture]`."""
    found: dict[int, list[str]] = defaultdict(list)
    for row in _rows(db, message_ids):
        found[row.message_id].append(_place_words(row) if _kind_of(row) == "place" else f"a {_kind_of(row)}")
    return {message_id: f"[sent {', '.join(files)}]" for message_id, files in found.items()}


def _kind_of(row: Media) -> str:
    """`picture`, `recording`, `video`, `document`, `card`, `place` or `file`, as its carrier claims."""
    claimed = row.content_type.partition(";")[0].strip().lower()
    if not claimed:
        return "picture"
    return next((kind for begins, kind in _KINDS.items() if claimed.startswith(begins)), "file")


def _look_at(services: Services, source: "TwilioMedia", row: Media, until: float) -> bytes | MediaError:
    """A JPEG of the picture, or the reason why it cannot be shown."""
    try:
        with services.background.leave_desk():
            return source.picture(row.url, until - services.clock.monotonic())
    except MediaError as error:
        logger.warning("File %s could not be shown: %s", row.id, error)
        return error


def _described(row: Media, look: bytes | MediaError | None, *, has_eyes: bool) -> str:
    """The file in words, for the model."""
    kind = _kind_of(row)
    if kind != "picture":
        return _place_words(row) if kind == "place" else _AS_TOLD[kind]
    if not has_eyes:
        return "a picture, which you cannot see"
    if look is None:
        return f"a picture that is not shown: {MAX_PICTURES} at once are the most"
    return look.as_told if isinstance(look, MediaError) else "a picture, shown here"


def _as_block(jpeg: bytes) -> dict[str, Any]:
    data = b64encode(jpeg).decode("ascii")
    return {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": data}}


def _excuse(kinds: Sequence[str], *, has_eyes: bool) -> str:
    """The reply if the texts have no words and no file that can be shown; else empty."""
    if "place" in kinds and has_eyes:
        return ""
    if "picture" in kinds:
        return kind_words.PICTURE_NOT_OPENED if has_eyes else kind_words.NO_EYES
    return kind_words.CANNOT_OPEN[kinds[0] if kinds else "file"]


def _rows(db: Session, message_ids: Iterable[int]) -> Sequence[Media]:
    found = select(Media).where(Media.message_id.in_(message_ids)).order_by(Media.message_id, Media.place)
    return db.scalars(found).all()


def _place_words(row: Media) -> str:
    where, _, words = row.url.removeprefix("geo:").partition("?q=")
    named = unquote(words).strip()
    return f"a place: {named} ({where})" if named else f"a place: {where}"

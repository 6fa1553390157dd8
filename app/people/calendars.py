"""Calendars that people connect and disconnect. Their addresses are shown to nobody."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app import people
from app.errors import NotFound, Refused, SourceError
from app.memory.changes import Origin, calendar_item, record
from app.models import Calendar, Message
from app.services import Services
from app.text.secrets import CALENDAR_SIGN
from app.text.wording import one_line

MAX_CALENDARS = 5  # Every look at a person's calendars fetches and reads all of them.
MAX_NAME_CHARS = 40
MAX_ADDRESS_CHARS = 2000
USUAL_NAME = "calendar"


def of(db: Session, person_id: int) -> Sequence[Calendar]:
    return db.scalars(select(Calendar).where(Calendar.person_id == person_id).order_by(Calendar.id)).all()


def connect(services: Services, person_id: int, address: str, name: str | None, seconds: float, origin: Origin) -> str:
    """The name of the calendar now connected, which replaces one of the same name; an undo reverts it.

    A sign replaces the address in the texts of the origin's turn.

    Raises:
        Refused: the name or the address is unfit, or `MAX_CALENDARS` are connected already.
        SourceError: no calendar can be read at that address.
    """
    name = one_line(name or "") or USUAL_NAME
    if len(name) > MAX_NAME_CHARS or "://" in name:
        raise Refused(f"A calendar's name is a word or two of at most {MAX_NAME_CHARS} characters, such as work.")
    if len(address) > MAX_ADDRESS_CHARS:
        raise Refused(f"A calendar's address has at most {MAX_ADDRESS_CHARS} characters; this has {len(address):,}.")
    now = services.clock.now()
    zone = people.timezone_of(services, person_id)
    if services.calendars is None:
        raise SourceError("Nobody here reads calendars.")
    with services.background.leave_desk():
        services.calendars.events(address, now, now + timedelta(days=1), zone, seconds)
    with services.transaction(person_id) as db:
        same = next((one for one in of(db, person_id) if one.name.casefold() == name.casefold()), None)
        if same is None and len(of(db, person_id)) >= MAX_CALENDARS:
            raise Refused(f"{MAX_CALENDARS} calendars are connected, which is the most. Disconnect one first.")
        item = calendar_item(same, same.name if same is not None else name)
        calendar = same or Calendar(person_id=person_id, name=name)
        calendar.address, calendar.turn_id = address, origin.turn_id
        db.add(calendar)
        record(db, person_id, "remember" if same is None else "revise", origin, now, [item])
        if origin.turn_id is not None:
            theirs = (Message.turn_id == origin.turn_id, Message.direction == "in", Message.person_id == person_id)
            db.execute(update(Message).where(*theirs).values(body=func.replace(Message.body, address, CALENDAR_SIGN)))
    return name


def disconnect(services: Services, person_id: int, name: str | None, origin: Origin) -> str:
    """The name of the calendar disconnected: the one of that name, or the only one. An undo reconnects it.

    Raises:
        NotFound: no calendar matches, or several do.
    """
    with services.transaction(person_id) as db:
        known = of(db, person_id)
        meant = [one for one in known if name is None or one.name.casefold() == one_line(name).casefold()]
        if len(meant) != 1:
            names = ", ".join(one.name for one in known) or "none"
            raise NotFound(f"It is not plain which calendar is meant. Connected are: {names}.")
        record(db, person_id, "forget", origin, services.clock.now(), [calendar_item(meant[0], None)])
        db.delete(meant[0])
        return meant[0].name

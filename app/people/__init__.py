"""People: their addresses, names, time zones, and permission to text."""

import secrets
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import phonenumbers
from phonenumbers import timezone as phone_timezones
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import has_come, local, zone_named
from app.errors import NotFound, Refused
from app.memory.changes import Field, Origin, record, set_fields
from app.memory.episodes.retelling import retell_without_name
from app.memory.forgotten import ForgottenThing
from app.models import Message, Notice, Person, Turn, move
from app.routines import rows
from app.routines.quiet_hours import QuietHours
from app.routines.schedule import instant_of
from app.services import Services
from app.text.phone_number import number_in
from app.text.secrets import is_secret
from app.text.word_files import read_words
from app.text.wording import one_line

HOME = "home"  # Stands for the zone that the person had before they went away.
STAY_MOST = timedelta(days=366)  # A person who is away for longer lives there.
_NO_STAY: dict[str, Field] = {"away_until": None, "home_timezone": None, "home_timezone_source": None}
MAX_NAME_CHARS = 80  # Longer than any name in use; it bounds how much text a name can bring into a prompt.

_READ = read_words(__file__, "zones.toml")
_USUAL_ZONES: dict[str, str] = _READ["usual"]

_USUAL_OF_SEVERAL = {tuple(zones.split()): usual for zones, usual in _READ["usual_of_several"].items()}

_RENAMED: dict[str, str] = _READ["renamed"]


def by_id(db: Session, person_id: int) -> Person:
    person = db.get(Person, person_id)
    if person is None:
        raise NotFound(f"There is no person with id {person_id}.")
    return person


def timezone_of(services: Services, person_id: int) -> str:
    """The person's IANA zone, read by itself."""
    with services.reading() as db:
        return by_id(db, person_id).timezone


def by_address(db: Session, address: str) -> Person | None:
    return db.scalars(select(Person).where(Person.address == address)).one_or_none()


def everyone(db: Session) -> list[Person]:
    """People, the latest to text first."""
    return list(db.scalars(select(Person).order_by(Person.last_text_id.desc(), Person.id.desc())))


def add(db: Session, address: str, *, access: str, now: datetime) -> Person:
    zone, source = guess_timezone(address)
    person = Person(
        address=address, key=secrets.token_hex(16), timezone=zone, timezone_source=source, access=access, created_at=now
    )
    db.add(person)
    db.flush()
    return person


def guess_timezone(address: str) -> tuple[str, str]:
    """The likeliest IANA zone of a number and its source, `guessed`; else UTC and `unknown`."""
    if (number := number_in(address)) is None:
        return "UTC", "unknown"
    zones = phone_timezones.time_zones_for_number(number)
    region = phonenumbers.region_code_for_number(number)
    if len(zones) == 1 and zones[0] != phone_timezones.UNKNOWN_TIMEZONE:
        return _RENAMED.get(zones[0], zones[0]), "guessed"
    usual = _USUAL_OF_SEVERAL.get(zones) or _USUAL_ZONES.get(region or "")
    return (usual, "guessed") if usual else ("UTC", "unknown")


def let_in(services: Services, person_id: int) -> None:
    """Let the person text from now on, and answer the texts that they sent while they waited."""
    with services.transaction() as db:
        by_id(db, person_id).access = "allowed"
        move(db, Message, "waiting", Message.person_id == person_id, Message.state == "held")
    services.background.wake(person_id, at_once=True)


def block(services: Services, person_id: int) -> None:
    """Keep the person's texts unanswered from now on, and drop replies that are queued."""
    with services.transaction() as db:
        by_id(db, person_id).access = "blocked"
        theirs, why = Message.person_id == person_id, "The operator blocked this number."
        move(db, Message, "unanswered", theirs, note=why)
        move(db, Turn, "done", Turn.person_id == person_id, outcome="blocked", ended_at=services.clock.now())
        move(db, Message, "refused", theirs, Message.state == "queued", note=why)


def set_profile(
    services: Services,
    person_id: int,
    origin: Origin,
    *,
    name: str | None = None,
    timezone: str | None = None,
    until: date | None = None,
    quiet_hours: str | None = None,
) -> Person:
    """The person with the new name, zone or quiet hours; an undo restores the old ones.

    Routines that travel with the person follow the new zone from now on. After `until`, the last day of a stay, the
    previous zone returns by itself; `HOME` as the zone restores it at once.

    Raises:
        Refused: the zone is not an IANA zone, the name is empty, too long or looks like a secret, the quiet hours
            cannot be read, or the stay is over or too long.
    """
    name, zone = checked_profile(name, None if timezone == HOME else timezone)
    values: dict[str, Field] = {} if name is None else {"name": name}
    if quiet_hours is not None:
        values["quiet_hours"] = str(QuietHours.parse(quiet_hours))
    now = services.clock.now()
    with services.transaction(person_id) as db:
        person = by_id(db, person_id)
        if zone is not None:
            values |= {"timezone": zone, "timezone_source": "told", **_stay_fields(person, zone, until, now)}
        elif timezone == HOME:
            values |= _home_fields(person)
        _change(db, person, values, origin, now)
        return person


def checked_profile(name: str | None, timezone: str | None) -> tuple[str | None, str | None]:
    """The name and the zone as they are stored; each is None if it is not given.

    Raises:
        Refused: the zone is not an IANA zone, or the name is empty, too long or looks like a secret.
    """
    if name is not None:
        name = one_line(name)
        if not name or len(name) > MAX_NAME_CHARS:
            raise Refused(f"A name has 1 to {MAX_NAME_CHARS} characters; this one has {len(name)}.")
        if is_secret(name):
            raise Refused("That looks like a password, a code, a card number or a key; those are never kept as a name.")
    return name, None if timezone is None else zone_named(one_line(timezone)).key


def end_passed_stays(services: Services) -> None:
    """Restore the home zone of people whose stay is over."""
    now = services.clock.now()
    over = select(Person).where(Person.away_until <= now)
    if not services.finds(over):
        return
    with services.transaction() as db:
        for person in db.scalars(over).all():
            _change(db, person, _home_fields(person), Origin("assistant", "inferred"), now)


def _change(db: Session, person: Person, values: Mapping[str, Field], origin: Origin, now: datetime) -> None:
    items = set_fields(person, values)
    record(db, person.id, "revise", origin, now, items)
    if any(item.field in {"timezone", "quiet_hours"} for item in items):
        rows.follow_person(db, person.id, now)


def _stay_fields(person: Person, zone: str, until: date | None, now: datetime) -> dict[str, Field]:
    """Columns for the end of a stay and the home zone; all None if no end was told or no other home zone is known."""
    if until is None:
        return dict(_NO_STAY)
    ahead = until - local(now, zone).date()
    if not timedelta() <= ahead <= STAY_MOST:
        raise Refused(f"until: {until} is no day from today on, {STAY_MOST.days} days ahead at most. Ask for the day.")
    home, source = person.home_timezone or person.timezone, person.home_timezone_source or person.timezone_source
    if source == "unknown" or home == zone:
        return dict(_NO_STAY)
    over = instant_of(datetime.combine(until + timedelta(days=1), time()), ZoneInfo(zone))
    return {"away_until": over, "home_timezone": home, "home_timezone_source": source}


def _home_fields(person: Person) -> dict[str, Field]:
    if person.home_timezone is None:
        return {}
    return {"timezone": person.home_timezone, "timezone_source": person.home_timezone_source, **_NO_STAY}


def forget_name(services: Services, person_id: int, origin: Origin) -> ForgottenThing:
    """Forget the person's name, also in their episodes and texts.

    Raises:
        NotFound: no name is known.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        person = by_id(db, person_id)
        name = person.name
        if name is None:
            raise NotFound("No name is known, so there is none to forget. Facts may hold it: list the memories.")
        items = [*set_fields(person, {"name": None}), *retell_without_name(db, person_id, name, now)]
        record(db, person_id, "forget", origin, now, items)
    return ForgottenThing(now, name=name)


def claim_notice(db: Session, person_id: int, kind: str, now: datetime, *, every: timedelta) -> bool:
    """True if the person is to get that notice now, at most once in `every`; it is then recorded as told."""
    told_at = notice_at(db, person_id, kind)
    if told_at is not None and not has_come(told_at + every, now, every):
        return False
    db.merge(Notice(person_id=person_id, kind=kind, at=now))
    db.flush()
    return True


def notice_at(db: Session, person_id: int, kind: str) -> datetime | None:
    """Instant at which the person last got that notice."""
    told = db.get(Notice, (person_id, kind))
    return told.at if told else None

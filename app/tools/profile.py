"""The tool for what a person is called and where their clocks are."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy.orm import Session

from app.errors import Refused
from app.memory.changes import made_by
from app.models import Change, Person
from app.people import by_id, forget_name, set_profile
from app.routines import values
from app.routines.described import spoken_end
from app.tools.context import ToolContext


def update_profile(
    ctx: ToolContext,
    name: Annotated[
        str | None,
        Field(description="What the person wants to be called. An empty string, sent alone, forgets the name."),
    ] = None,
    timezone: Annotated[
        str | None,
        Field(description="IANA time zone, such as America/New_York or Asia/Kolkata; home: they are back from a stay."),
    ] = None,
    until: Annotated[
        str | None, Field(description="YYYY-MM-DD, with timezone: the last day of a stay, if they say how long it is.")
    ] = None,
) -> dict[str, Any]:
    """Keep the person's name or time zone, or forget their name.

    Call it when they tell their name or what to call them, or where they live now or are staying when that changes
    their time zone; then also keep the place itself with extract_memory or update_memory. Where they will be later is
    no change yet. With until the zone goes back by itself after that day; else it stays until it is changed, so of a
    visit ask them to tell you when they are back. The zone in
    <profile> may only be guessed from their number: when time matters and they say otherwise, correct it here.
    When they ask you to forget their name, call it with name "" and nothing else; facts that hold the name as well
    are removed with remove_memory. Leave out what does not change: an empty name is not "no change".
    Returns the name and zone as they are now held; a forgotten name is null. Under known_already stands what you gave
    and was so before, and home where none is known, so ask where they are now; under then, from which day on which zone
    is theirs again.
    """
    if name is None and timezone is None:
        raise Refused("Nothing to change was given. Give the name, the time zone, or both.")
    if name is not None and not name.strip():
        if timezone is not None:  # Some models fill in every field; a name is not to be lost by that.
            raise Refused(
                "An empty name forgets the name and has to be sent alone. To keep the name, leave it out; nothing was "
                "changed."
            )
        ctx.check_asked_to_forget()
        forget_name(ctx.services, ctx.person_id, ctx.correction("name"))
    else:
        if name is not None:
            ctx.check_told(name)
        origin = ctx.correction(" ".join(filter(None, (name, timezone))))
        last = values.day("until", until) if until else None
        set_profile(ctx.services, ctx.person_id, origin, name=name, timezone=timezone, until=last)
    given = [field for field, value in (("name", name), ("timezone", timezone)) if value is not None]
    with ctx.services.reading() as db:
        return _answer(by_id(db, ctx.person_id), made_by(db, ctx.call), given)


def answer_of_update(db: Session, change: Change) -> dict[str, Any]:
    return _answer(db.get_one(Person, change.person_id), change, [])


def _answer(person: Person, change: Change | None, given: Sequence[str]) -> dict[str, Any]:
    changed = {item.field for item in change.items} if change is not None else set()
    known_already = [field for field in given if field not in changed]
    return {
        "memory_updated": True,
        "name": person.name,
        "timezone": person.timezone,
        **({"known_already": known_already} if known_already else {}),
        **({"then": _then(person, person.away_until)} if person.away_until else {}),
    }


def _then(person: Person, over: datetime) -> dict[str, str]:
    return {"from": spoken_end(over, person.timezone), "timezone": str(person.home_timezone)}

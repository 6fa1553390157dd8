"""The tool for what a person is called and where their clocks are."""

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Change, Person
from app.people import set_profile
from app.tools.context import ToolContext


def update_profile(
    ctx: ToolContext,
    name: Annotated[str | None, Field(description="What the person wants to be called.")] = None,
    timezone: Annotated[
        str | None, Field(description="IANA time zone, such as America/New_York or Asia/Kolkata.")
    ] = None,
) -> dict[str, Any]:
    """Keep the person's name or time zone.

    Call it when they tell their name or what to call them, or where they live, are moving to or are staying when that
    changes their time zone; then also keep the place itself with extract_memory or update_memory. The zone in <profile>
    may only be guessed from their number: when time matters and they say otherwise, correct it here.
    Returns the name and zone as they are now held.
    """
    if name is None and timezone is None:
        raise Refused("Nothing to change was given. Give the name, the time zone, or both.")
    origin = ctx.correction(" ".join(filter(None, (name, timezone))))
    person = set_profile(ctx.services, ctx.person_id, origin, name=name, timezone=timezone)
    return _answer(person)


def answer_of_update(db: Session, change: Change) -> dict[str, Any]:
    return _answer(db.get_one(Person, change.person_id))


def _answer(person: Person) -> dict[str, Any]:
    return {"memory_updated": True, "name": person.name, "timezone": person.timezone}

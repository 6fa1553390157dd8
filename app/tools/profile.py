"""The tool for what a person is called and where their clocks are."""

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy.orm import Session

from app.errors import Refused
from app.models import Change, Person
from app.people import forget_name, set_profile
from app.tools.context import ToolContext


def update_profile(
    ctx: ToolContext,
    name: Annotated[
        str | None,
        Field(description="What the person wants to be called. An empty string, sent alone, forgets the name."),
    ] = None,
    timezone: Annotated[
        str | None, Field(description="IANA time zone, such as America/New_York or Asia/Kolkata.")
    ] = None,
) -> dict[str, Any]:
    """Keep the person's name or time zone, or forget their name.

    Call it when they tell their name or what to call them, or where they live now or are staying when that changes
    their time zone; then also keep the place itself with extract_memory or update_memory. Where they will be later is
    no change yet. A zone stays until it is changed: of a visit ask them to tell you when they are back. The zone in
    <profile> may only be guessed from their number: when time matters and they say otherwise, correct it here.
    When they ask you to forget their name, call it with name "" and nothing else; facts that hold the name as well
    are removed with remove_memory. Leave out what does not change: an empty name is not "no change".
    Returns the name and zone as they are now held; a forgotten name is null.
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
        person = forget_name(ctx.services, ctx.person_id, ctx.correction("name"))
    else:
        if name is not None:
            ctx.check_told(name)
        origin = ctx.correction(" ".join(filter(None, (name, timezone))))
        person = set_profile(ctx.services, ctx.person_id, origin, name=name, timezone=timezone)
    return _answer(person)


def answer_of_update(db: Session, change: Change) -> dict[str, Any]:
    return _answer(db.get_one(Person, change.person_id))


def _answer(person: Person) -> dict[str, Any]:
    return {"memory_updated": True, "name": person.name, "timezone": person.timezone}

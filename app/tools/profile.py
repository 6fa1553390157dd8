"""The tool for a person's name, time zone and quiet hours."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy.orm import Session

from app.errors import Refused
from app.memory.changes import made_by
from app.models import Change, Person
from app.people import by_id, forget_name, set_profile
from app.routines import values
from app.routines.described import spoken_end
from app.routines.quiet_hours import QuietHours
from app.routines.setting import come_in_quiet_hours
from app.services.tool import KNOWN, REPLACED, CallMade, Proof, tool
from app.tools.context import ASKS_TO_FORGET, MOVED, ToolContext
from app.tools.facts import still_there


def answer_of_update(db: Session, change: Change) -> dict[str, Any]:
    return _answer(db, db.get_one(Person, change.person_id), change, [])


def _proof(call: CallMade) -> Proof:
    given = {field for field in ("name", "timezone", "quiet_hours") if call.input.get(field) is not None}
    if given and given <= set(call.answered.get("known_already", ())):
        return KNOWN
    return Proof(REPLACED.deeds | {"name"}) if "name" in given and call.answered["name"] is None else REPLACED


@tool(writes=True, needs_memory=False, proves=_proof, answered_before=answer_of_update)
def update_profile(
    ctx: ToolContext,
    name: Annotated[
        str | None, Field(description='What they want to be called; "" sent alone forgets the name.')
    ] = None,
    timezone: Annotated[
        str | None, Field(description="IANA zone where they are now; home: they are back from a stay.")
    ] = None,
    until: Annotated[str | None, Field(description="YYYY-MM-DD, with timezone: the last day of a stay.")] = None,
    quiet_hours: Annotated[
        str | None, Field(description="Local hours without texts of yours: 23:00-08:00, or none.")
    ] = None,
) -> dict[str, Any]:
    """Keep their name, time zone or quiet hours (22:00-07:00 unless they say otherwise). Leave out what stays.

    Call it when they tell their name, when they are in another zone now (keep the place itself with extract_memory), or
    when they say at which hours not to be texted. Returns the profile as it is now; known_already was so before;
    left_out: routines that no longer come, as their hour is quiet, so tell them; then: from which day on which zone is
    theirs again.
    """
    given = {"name": name, "timezone": timezone, "quiet_hours": quiet_hours}
    fields = [field for field, value in given.items() if value is not None]
    if not fields:
        raise Refused("Nothing to change was given. Give the name, the time zone or the quiet hours.")
    if fields != ["quiet_hours"]:  # Quiet hours are not memory.
        ctx.check_memory_on()
    if quiet_hours is not None:
        ctx.check_wanted()
    if timezone is not None:
        ctx.check_asks(MOVED)
    if name is not None and not name.strip():
        if len(fields) > 1:  # Some models fill in every field, and that must not erase the name.
            raise Refused(
                "An empty name forgets the name and has to be sent alone. To keep the name, leave it out; nothing was "
                "changed."
            )
        ctx.check_asks(ASKS_TO_FORGET)
        gone = [forget_name(ctx.services, ctx.person_id, ctx.correction("name"))]
    else:
        if name is not None:
            ctx.check_told(name)
        origin = ctx.correction(" ".join(value for value in given.values() if value))
        last = values.day("until", until) if until else None
        set_profile(ctx.services, ctx.person_id, origin, **given, until=last)
        gone = []
    with ctx.services.reading() as db:
        answered = _answer(db, by_id(db, ctx.person_id), made_by(db, ctx.call), fields)
        return answered | still_there(db, ctx.person_id, gone)


def _answer(db: Session, person: Person, change: Change | None, given: Sequence[str]) -> dict[str, Any]:
    changed = {item.field for item in change.items} if change is not None else set()
    over, home = person.away_until, str(person.home_timezone)
    then = {"from": spoken_end(over, person.timezone), "timezone": home} if over else {}
    known_already = [field for field in given if field not in changed]
    quieted = come_in_quiet_hours(db, person, change.at) if change is not None and "quiet_hours" in changed else []
    return {
        "memory_updated": True,
        "name": person.name,
        "timezone": person.timezone,
        "quiet_hours": str(QuietHours.parse(person.quiet_hours)),
        **({"known_already": known_already} if known_already else {}),
        **({"left_out": [{"id": one.number, "words": one.words} for one in quieted]} if quieted else {}),
        **({"then": then} if then else {}),
    }

"""Tools that keep, change, forget and list facts. Their docstrings are written for Claude."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from app.errors import Refused
from app.memory import NewFact, forget, recall, remember, revise
from app.memory import facts as rows
from app.memory.facts.categories import NAMED
from app.memory.forget import Forgotten, forgotten_by_change
from app.memory.forgotten import ForgottenThing
from app.memory.recall import MAX_FOUND
from app.memory.remember import Remembered, checked_category
from app.memory.rules import spoken
from app.models import Change, Fact
from app.routines.rows import STATES, described
from app.routines.still_coming import still_standing
from app.services.tool import ENDED, KEPT, KNOWN, NOTHING, REPLACED, CallMade, Proof, tool
from app.tools.context import ASKS_TO_FORGET, ToolContext

MAX_REMOVED_AT_ONCE = 50  # More in one call is more likely a mistake than a wish.
MAX_SUBJECTS_AT_ONCE = 5
MAX_LISTED = 60  # About 1,200 tokens; a query finds the others.

_ABOUT_A_NAME = re.compile(r"\b(?:(?:nick)?name|called|goes by)\b", re.IGNORECASE)


class FactInput(BaseModel):
    """One fact."""

    model_config = ConfigDict(extra="forbid")

    fact: Annotated[
        str,
        Field(
            description="One short sentence that stands alone, in the third person without a subject. Dates absolute.",
            examples=["Has a dog named Max", "Sister Ana lives in Lima"],
        ),
    ]
    category: Annotated[str | None, Field(description=NAMED)] = None


def answer_of_extract(db: Session, change: Change) -> dict[str, Any]:
    stored = [db.get_one(Fact, item.added_fact_id) for item in change.items if item.added_fact_id]
    back = [db.get_one(Fact, fact_id) for fact_id in dict.fromkeys(item.fact_id for item in change.items) if fact_id]
    return _kept(Remembered(stored, duplicates=back, back=back))


def _proof_of_extract(call: CallMade) -> Proof:
    known = call.answered["duplicates"]
    is_kept = call.answered["stored"] or any(one.get("was_archived") for one in known)
    return KEPT if is_kept else KNOWN if known else NOTHING


@tool(writes=True, proves=_proof_of_extract, answered_before=answer_of_extract)
def extract_memory(
    ctx: ToolContext, facts: Annotated[list[FactInput], Field(description="Every new fact of this turn, in one call.")]
) -> dict[str, Any]:
    """Keep what they tell of themselves and will still matter in a month.

    People, pets, places, work, health, medication, tastes, dates, and whatever they ask you to remember: all facts of
    the turn in one call. Something known changed? Send the new sentence: conflicts returns the ids that it may replace;
    update or remove those that are over, or ask. Not what is known, recalled, guessed, a joke, a question, despair, or
    somebody else's claim. Only stored was saved; duplicates were known in the same words.
    """
    for one in facts:
        ctx.check_told(one.fact)
        ctx.check_no_echo(one.fact)
    new = [NewFact(one.fact, one.category, ctx.origin_of(one.fact)) for one in facts]
    return _kept(remember(ctx.services, ctx.person_id, new, ctx.origin_of("")))


def _kept(remembered: Remembered) -> dict[str, Any]:
    known, back = remembered.duplicates, remembered.back
    rivals = [{**_named(one.fact), "known": [_named(fact) for fact in one.known]} for one in remembered.conflicts]
    return {
        "memory_updated": True,
        "stored": [_named(fact) for fact in remembered.stored],
        "duplicates": [_named(fact) | ({"was_archived": True} if fact in back else {}) for fact in known],
        "conflicts": rivals,
    }


@tool(writes=True, proves=REPLACED)
def update_memory(
    ctx: ToolContext,
    fact_id: Annotated[int, Field(description="Its id, from conflicts or list_memories.")],
    fact: Annotated[str | None, Field(description="The whole sentence as it is true now.")] = None,
    category: str | None = None,
) -> dict[str, Any]:
    """Replace one known fact by what is true now; the old sentence is kept as history.

    One sentence about the same thing: "Lives in Seattle" for "Lives in Boston". Returns the fact as it is held.
    """
    if fact:
        ctx.check_told(fact)
        ctx.check_no_echo(fact)
    origin = ctx.correction(fact or "")
    changed = revise(ctx.services, ctx.person_id, fact_id, origin, fact=fact, category=category, same_subject_only=True)
    return {"memory_updated": True, "fact": listed(changed)}


def answer_of_remove(db: Session, change: Change) -> dict[str, Any]:
    return _removed(db, change.person_id, forgotten_by_change(db, change))


def _proof_of_remove(call: CallMade) -> Proof:
    removed = call.answered["removed"]
    if not removed and not call.answered.get("about"):
        return NOTHING
    of_name = _ABOUT_A_NAME.search(" ".join(one.get("fact", "") for one in removed)) is not None
    return Proof(ENDED.deeds | {"name"}) if of_name else ENDED


@tool(writes=True, proves=_proof_of_remove, answered_before=answer_of_remove)
def remove_memory(
    ctx: ToolContext,
    fact_ids: Annotated[list[int], Field(description="Ids of the facts, from list_memories; may be empty with about.")],
    about: Annotated[
        list[str] | None,
        Field(
            description="What they want forgotten, in their words and by its bare name: 'my dog', 'Max'. Nothing wider."
        ),
    ] = None,
) -> dict[str, Any]:
    """Forget facts, and with about also the earlier conversations that tell of it.

    "Forget about my dog": list_memories with query "dog", then all those ids and about ["my dog"] in one call.
    Returns what was removed; only that was forgotten. still_coming and still_ruling are reminders and rules that speak
    of it and stand all the same: name each and ask whether to end it. Their own name is forgotten with update_profile.
    """
    for what, given, most in (("facts", fact_ids, MAX_REMOVED_AT_ONCE), ("things", about or (), MAX_SUBJECTS_AT_ONCE)):
        if len(given) > most:
            raise Refused(
                f"{len(given)} {what} at once; at most {most} can be forgotten in one call. Ask the person which ones "
                "they mean."
            )
    ctx.check_asks(ASKS_TO_FORGET)
    forgotten = forget(ctx.services, ctx.person_id, fact_ids, ctx.correction(""), about=about or ())
    with ctx.services.reading() as db:
        return _removed(db, ctx.person_id, forgotten)


@tool(proves=KNOWN)
def list_memories(
    ctx: ToolContext,
    category: Annotated[str | None, Field(description="Only facts of this category.")] = None,
    query: Annotated[str | None, Field(description="Only facts about this, in a word or two.")] = None,
) -> dict[str, Any]:
    """List facts with their ids, at most 60 at a time: to remove some, or when they ask what you know.

    archived ones were put away unused and may not hold any more. of says how many there are.
    """
    only, now = checked_category(category), ctx.services.clock.now()
    if query:
        near = recall(ctx.services, ctx.person_id, query, MAX_FOUND, kinds=["fact"], deadline=ctx.deadline).facts
        with ctx.services.reading() as db:
            named = [fact.number for fact in rows.find(db, ctx.person_id, query)]
            wanted = list(dict.fromkeys([*named, *(one.fact.number for one in near)]))
            held = sorted(rows.held_by_numbers(db, ctx.person_id, wanted), key=lambda fact: wanted.index(fact.number))
        found = [fact for fact in held if only is None or fact.category == only]
        return _list(found, len(found), now)
    with ctx.services.reading() as db:
        live = rows.live(db, ctx.person_id, now, only)
        if len(live) > MAX_LISTED:
            foremost = [one.id for one in rows.most_important(db, ctx.person_id, len(live), now)]
            live.sort(key=lambda fact: foremost.index(fact.number) if fact.number in foremost else len(foremost))
        archived = rows.archived(db, ctx.person_id, now, only, MAX_LISTED)
        return _list([*live, *archived], len(live) + rows.count_archived(db, ctx.person_id, now, only), now)


def _list(found: Sequence[Fact], of: int, now: datetime) -> dict[str, Any]:
    shown = [listed(one) | ({"archived": True} if rows.is_archived(one, now) else {}) for one in found[:MAX_LISTED]]
    return {"facts": shown, "shown": len(shown), "of": of}


def _removed(db: Session, person_id: int, forgotten: Forgotten) -> dict[str, Any]:
    said = {"about": forgotten.about, "episodes": forgotten.episodes, "nothing_about": forgotten.nothing_about}
    return {
        "memory_updated": bool(forgotten.removed or forgotten.about),
        "removed": [_named(fact) for fact in forgotten.removed],
        "unknown": forgotten.unknown,
        **(said if forgotten.about or forgotten.nothing_about else {}),
        **still_there(db, person_id, forgotten.gone, forgotten.unsure),
    }


def still_there(
    db: Session, person_id: int, gone: Sequence[ForgottenThing], unsure: Sequence[Fact] = ()
) -> dict[str, list[dict[str, Any]]]:
    """Facts, routines and rules that still mention what was forgotten, and facts that may, under their keys."""
    facts, coming, ruling = still_standing(db, person_id, gone)
    comes = [{"id": one.number, "words": one.words, "when": described(db, one) + STATES[one.state]} for one in coming]
    rules = [{"id": one.number, "rule": spoken(one)} for one in ruling]
    still = {"still_known": list(map(_named, (*facts, *unsure))), "still_coming": comes, "still_ruling": rules}
    return {what: found for what, found in still.items() if found}


def _named(fact: Fact) -> dict[str, Any]:
    return {"id": fact.number, "fact": fact.sentence}


def listed(fact: Fact) -> dict[str, Any]:
    return {**_named(fact), "category": fact.category}

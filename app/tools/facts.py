"""Tools for what is true of the person. Their docstrings are written for Claude."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from app.errors import Refused
from app.memory import Forgotten, NewFact, forget, remember, revise
from app.memory import facts as rows
from app.memory.forget import forgotten_by
from app.memory.remember import checked_category
from app.models import Change, Fact
from app.routines.still_coming import StillComing, still_coming
from app.tools.context import ToolContext

MAX_REMOVED_AT_ONCE = 50  # More in one call is more likely a mistake than a wish.
MAX_SUBJECTS_AT_ONCE = 5
MAX_ARCHIVED_LISTED = 200  # The last archived; of all live ones there are a thousand at most, and a request has an end.


class FactInput(BaseModel):
    """One fact."""

    model_config = ConfigDict(extra="forbid")

    fact: Annotated[
        str,
        Field(
            description="One short self-contained sentence in the third person without a subject, such as "
            "'Likes black coffee', 'Has a dog named Max', 'Sister Ana lives in Lima'. Absolute dates, never 'tomorrow'."
        ),
    ]
    category: Annotated[
        str | None,
        Field(
            description="Optional: personal, work, family, pets, food, allergy, diet, health, places, preferences, "
            "dates, pronouns, or a word of your own."
        ),
    ] = None


def extract_memory(
    ctx: ToolContext,
    facts: Annotated[list[FactInput], Field(description="Every new fact of this turn, in one call.")],
) -> dict[str, Any]:
    """Keep lasting facts that the person has just told about themselves or their life.

    Call it by yourself whenever their newest texts state something that will still matter in a month: who and what
    they are, people and animals in their life, places, work, health, what they like and dislike, dates, and anything
    that they ask you to remember. Send all facts of the turn in one call.
    How they want you to do things from now on is no fact: that is set_rule.
    Do not keep: what <user_memory> says already, what you said or recalled yourself, guesses, jokes, hypotheticals,
    what somebody else said of themselves, moods and errands of the day, passwords, codes and card numbers.
    If a fact changes one that is known, call update_memory instead.
    Returns what was stored with ids, duplicates: known facts that say the same already (if yours says more, call
    update_memory; one with was_archived was out of your sight and is shown to you again from now on), and conflicts:
    known facts that a stored one may replace. Look at each conflict: if the old fact is no longer true, remove it with
    remove_memory; if both are true, leave them; if you cannot tell, ask the person.
    Only what is listed under stored was saved, with days such as "next Friday" written as dates: confirm those dates.
    """
    for one in facts:
        ctx.check_told(one.fact)
        ctx.check_no_echo(one.fact)
    new = [NewFact(one.fact, one.category, ctx.origin_of(one.fact)) for one in facts]
    remembered = remember(ctx.services, ctx.person_id, new, ctx.origin_of(""))
    return {
        "memory_updated": True,
        "stored": [_named(fact) for fact in remembered.stored],
        "duplicates": [
            _named(fact) | ({"was_archived": True} if fact in remembered.back else {}) for fact in remembered.duplicates
        ],
        "conflicts": [
            {**_named(one.fact), "known": [_named(fact) for fact in one.known]} for one in remembered.conflicts
        ],
    }


def update_memory(
    ctx: ToolContext,
    fact_id: Annotated[int, Field(description="The id of the fact that is no longer right, from list_memories.")],
    fact: Annotated[str | None, Field(description="The whole sentence as it is true now.")] = None,
    category: Annotated[str | None, Field(description="The new category, only when it changes.")] = None,
) -> dict[str, Any]:
    """Change one known fact when the person corrects it or when it has changed ("I moved to Seattle").

    The earlier sentence is kept as history and is no longer shown. Ids come from list_memories or from a conflict;
    never guess one. The new sentence is what is true now instead of the old one: "Likes green tea" for "Likes black
    coffee", "Quit caffeine" for "Drinks two coffees a day". A sentence that is plainly about something else, or that
    would end an allergy, a diet or another constraint without speaking of it, is refused: the refusal says what to do.
    Returns the fact as it is now held.
    """
    if fact:
        ctx.check_told(fact)
        ctx.check_no_echo(fact)
    origin = ctx.correction(fact or "")
    changed = revise(ctx.services, ctx.person_id, fact_id, origin, fact=fact, category=category, same_subject_only=True)
    return {"memory_updated": True, "fact": listed(changed)}


def remove_memory(
    ctx: ToolContext,
    fact_ids: Annotated[
        list[int], Field(description="Ids of all the facts to forget, from list_memories; empty where no fact says it.")
    ],
    about: Annotated[
        list[str] | None,
        Field(
            description="What the person wants forgotten, in a few of their own words, such as 'my exam' or 'my sister "
            "Ana'. Leave it out where only a fact was wrong."
        ),
    ] = None,
) -> dict[str, Any]:
    """Forget what the person asks you to forget, or a fact that is wrong and that nothing replaces.

    "Forget about my dog" means every fact that says so, archived ones too, and all that was said about it: call
    list_memories first and send all their ids, with about ["my dog"], in one call. Send about also when no fact says
    it: earlier conversations may. It reaches all facts, conversations and texts that name it, so name exactly what they
    mean and nothing wider. Their own name is forgotten with update_profile.
    Returns what was removed and which ids were unknown; with about also what of it was found and forgotten, how many
    episodes (earlier conversations) told of it, and under nothing_about what nothing was known of. Only what is listed
    under removed and about was forgotten. still_coming names reminders and routines that speak of it and come all the
    same: name each to the person, with when it comes, and ask whether to cancel it.
    """
    if len(fact_ids) > MAX_REMOVED_AT_ONCE:
        raise Refused(
            f"{len(fact_ids)} facts at once; at most {MAX_REMOVED_AT_ONCE} can be removed in one call. "
            "Ask the person which ones they mean."
        )
    if about and len(about) > MAX_SUBJECTS_AT_ONCE:
        raise Refused(
            f"{len(about)} things at once; at most {MAX_SUBJECTS_AT_ONCE} can be forgotten in one call. "
            "Ask the person which ones they mean."
        )
    ctx.check_asked_to_forget()
    forgotten = forget(ctx.services, ctx.person_id, fact_ids, ctx.correction(""), about=about or ())
    with ctx.services.reading() as db:
        return _removed(forgotten, still_coming(db, ctx.person_id, forgotten.gone))


def list_memories(
    ctx: ToolContext,
    category: Annotated[str | None, Field(description="Only facts of this category.")] = None,
) -> dict[str, Any]:
    """Every fact you know about the person, with ids.

    Use it before update_memory and remove_memory, and when the person asks what you know about them: <user_memory>
    may show only the most important facts, and it shows no ids. Facts marked "archived" were put away because nobody
    needed them for long or their time is over: they may not hold any more. archived_left_out counts further ones, which
    recall_memory finds.
    """
    now, only = ctx.services.clock.now(), checked_category(category)
    with ctx.services.reading() as db:
        live = rows.live(db, ctx.person_id, now, only)
        archived = rows.archived(db, ctx.person_id, now, only, MAX_ARCHIVED_LISTED)
        left_out = rows.count_archived(db, ctx.person_id, now, only) - len(archived)
    facts = [*map(listed, live), *(listed(fact) | {"archived": True} for fact in archived)]
    return {"facts": facts} | ({"archived_left_out": left_out} if left_out else {})


def answer_of_extract(db: Session, change: Change) -> dict[str, Any]:
    stored = [db.get_one(Fact, item.added_fact_id) for item in change.items if item.added_fact_id]
    back = {item.fact_id: db.get_one(Fact, item.fact_id) for item in change.items if item.fact_id}
    return {
        "memory_updated": True,
        "stored": [_named(fact) for fact in stored],
        "duplicates": [_named(fact) | {"was_archived": True} for fact in back.values()],
        "conflicts": [],
    }


def answer_of_update(db: Session, change: Change) -> dict[str, Any]:
    [fact] = [db.get_one(Fact, item.added_fact_id or item.fact_id) for item in change.items][-1:]
    return {"memory_updated": True, "fact": listed(fact)}


def answer_of_remove(db: Session, change: Change) -> dict[str, Any]:
    forgotten = forgotten_by(db, change)
    return _removed(forgotten, still_coming(db, change.person_id, forgotten.gone))


def _removed(forgotten: Forgotten, coming: Sequence[StillComing]) -> dict[str, Any]:
    said = {"about": forgotten.about, "episodes": forgotten.episodes, "nothing_about": forgotten.nothing_about}
    comes = [{"id": one.number, "words": one.words, "when": one.when} for one in coming]
    return {
        "memory_updated": bool(forgotten.removed or forgotten.about),
        "removed": [_named(fact) for fact in forgotten.removed],
        "unknown": forgotten.unknown,
        **(said if forgotten.about or forgotten.nothing_about else {}),
        **({"still_coming": comes} if comes else {}),
    }


def _named(fact: Fact) -> dict[str, Any]:
    return {"id": fact.number, "fact": fact.sentence}


def listed(fact: Fact) -> dict[str, Any]:
    return {
        **_named(fact),
        "category": fact.category,
        "created_at": fact.created_at.isoformat(),
        "updated_at": fact.recorded_at.isoformat(),
    }

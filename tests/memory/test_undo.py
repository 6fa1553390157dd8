from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import people
from app.errors import Conflict, NotFound, Refused
from app.memory import (
    Origin,
    RuleWords,
    forget,
    forget_rules,
    recall,
    restore,
    restore_rule,
    revise,
    revise_rule,
    rules,
    set_rule,
    undo,
)
from app.memory.index import documents
from app.memory.index.documents import shelf_of
from app.services import Services
from app.store.dialect import RawRows
from tests.memory.remembering import TOLD, add_person, fact, found, live, person, tell, versions


def test_undoing_a_change_brings_back_what_was_before_and_is_no_history(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland", origin=Origin("assistant", "explicit", quote="Portland is home"))
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")

    assert undo(services, person_id) == "Undone: it is again: Lives in Portland."

    back = fact(services, person_id, 1)
    assert (back.sentence, back.quote, back.valid_to) == ("Lives in Portland", "Portland is home", None)
    assert found(services, person_id, "Seattle") == []
    assert found(services, person_id, "Portland") == ["Lives in Portland"]
    before = recall(services, person_id, "where did I live before").facts
    assert [one.fact.sentence for one in before] == ["Lives in Portland"]


def test_undoing_a_zone_brings_the_guess_back_as_one(services: Services, person_id: int) -> None:
    people.set_profile(services, person_id, TOLD, name="Alex", timezone="Europe/Lisbon")
    people.set_profile(services, person_id, TOLD, name="Al")

    assert undo(services, person_id) == "Undone: your name is again Alex."
    assert undo(services, person_id) == (
        "Undone: your name is again not known; your time zone is again America/Los_Angeles; "
        "your time zone is again a guess from your number."
    )
    back = person(services, person_id)
    assert (back.name, back.timezone, back.timezone_source) == (None, "America/Los_Angeles", "guessed")


STEPS = st.lists(
    st.tuples(
        st.sampled_from("tell revise forget pin unpin restore category name rule reword pause unrule rerule".split()),
        st.integers(1, 6),
        st.sampled_from(["Likes tea", "Likes cake", "Has a cat", "Lives in Lima", "Plays chess"]),
    ),
    max_size=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_undoing_all_passes_through_each_state_backwards(services: Services, steps: list[tuple[str, int, str]]) -> None:
    person_id = add_person(services, f"+1206{services.clock.monotonic():07.0f}")
    services.clock.wait(1)
    states = [state(services, person_id)]
    for step in steps:
        take(services, person_id, *step)
        if state(services, person_id) != states[-1]:
            states.append(state(services, person_id))

    while len(states) > 1:
        states.pop()
        assert undo(services, person_id) is not None
        assert state(services, person_id) == states[-1]
        assert indexed(services, person_id) == sorted(one.id for one in live(services, person_id))
    assert undo(services, person_id) is None


def state(services: Services, person_id: int) -> object:
    facts = [(one.number, one.sentence, one.category, one.pinned) for one in live(services, person_id)]
    with services.reading() as db:
        held = [(one.number, one.procedure, one.state) for one in rules.live(db, person_id)]
    return facts, person(services, person_id).name, held


def indexed(services: Services, person_id: int) -> list[int]:
    """The ids of the facts that the index holds."""
    with services.reading() as db:
        items: list[int] = documents.load(RawRows(db), shelf_of(person_id, "fact")).rows["item"].tolist()
    return sorted(items)


def take(services: Services, person_id: int, step: str, number: int, sentence: str) -> None:
    numbers = {one.number for one in live(services, person_id)}
    sentences = {one.sentence for one in live(services, person_id)}
    gone = {one.number: one.sentence for one in versions(services, person_id, number)}
    if step == "tell":
        tell(services, person_id, sentence, "Likes tea")
    elif step == "name":
        people.set_profile(services, person_id, TOLD, name=sentence)
    elif step == "forget":
        forget(services, person_id, [number, number + 1], TOLD)
    elif step == "restore" and number not in numbers and number in gone and gone[number] not in sentences:
        restore(services, person_id, number, TOLD)
    elif step == "revise" and number in numbers and sentence not in sentences:
        revise(services, person_id, number, TOLD, fact=sentence, pinned=number % 2 == 0)
    elif step == "category" and number in numbers:
        revise(services, person_id, number, TOLD, category=sentence)
    elif step in {"pin", "unpin"} and number in numbers:
        revise(services, person_id, number, TOLD, pinned=step == "pin")
    elif "rule" in step or step in {"reword", "pause"}:
        rule_step(services, person_id, step, number, RuleWords("always", None, sentence))


def rule_step(services: Services, person_id: int, step: str, number: int, words: RuleWords) -> None:
    with suppress(Conflict, NotFound, Refused):  # What cannot be done changes nothing.
        if step == "rule":
            set_rule(services, person_id, words, TOLD, proposed=number > 3)
        elif step == "reword":
            revise_rule(services, person_id, number, TOLD, words=words, confirmed=number > 2)
        elif step == "pause":
            revise_rule(services, person_id, number, TOLD, paused=number % 2 == 0)
        elif step == "unrule":
            forget_rules(services, person_id, [number, number + 1], TOLD)
        else:
            restore_rule(services, person_id, number, TOLD)

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from app.errors import Conflict, NotFound, Refused
from app.memory import Origin, revise
from app.models import Change, Fact
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.remembering import BEN, TOLD, add_person, fact, found, known, tell, versions

CORRECTED = Origin("assistant", "corrected", quote="I moved to Seattle last week")


def test_a_change_makes_a_version_and_both_know_their_words_when_they_were_true_and_when_that_was_known(
    services: Services, person_id: int, clock: FrozenClock
) -> None:
    told_at = clock.now()
    tell(services, person_id, "Lives in Portland", origin=Origin("assistant", "explicit", quote="home is Portland"))
    clock.advance(days=30)

    revised = revise(services, person_id, 1, CORRECTED, fact="Lives in Seattle.")

    assert (revised.number, revised.version, known(services, person_id)) == (1, 2, {1: "Lives in Seattle"})
    assert found(services, person_id, "Portland") == []
    assert found(services, person_id, "seattle") == ["Lives in Seattle"]
    before, now = versions(services, person_id, 1)
    assert (before.source, before.confidence, before.quote) == ("explicit", 1.0, "home is Portland")
    assert (now.source, now.confidence, now.quote) == ("corrected", 0.9, "I moved to Seattle last week")
    assert now.times_told == 1
    moved_at = told_at + timedelta(days=30)
    assert (before.valid_from, before.valid_to) == (told_at, moved_at)
    assert (before.recorded_at, before.retired_at) == (told_at, moved_at)
    assert (now.valid_from, now.valid_to) == (moved_at, None)
    assert (now.recorded_at, now.retired_at, now.created_at) == (moved_at, None, told_at)


def test_a_new_category_changes_nothing_of_what_is_true(services: Services, person_id: int, clock: FrozenClock) -> None:
    told_at = clock.now()
    tell(services, person_id, "Likes tea", origin=Origin("assistant", "explicit", quote="I like tea"))
    clock.advance(days=1)

    revised = revise(services, person_id, 1, Origin("assistant", "corrected", quote="that is food"), category=" Food ")

    assert (revised.category, revised.sentence, revised.version) == ("food", "Likes tea", 2)
    assert (revised.source, revised.confidence, revised.quote) == ("explicit", 1.0, "I like tea")
    assert (revised.valid_from, versions(services, person_id, 1)[0].valid_to) == (told_at, None)
    assert revised.recorded_at == clock.now()
    assert revise(services, person_id, 1, TOLD, fact="Is allergic to tea", category="").importance == 0.9
    assert fact(services, person_id, 1).category is None


def test_what_is_unknown_anothers_said_or_unfit_is_refused_with_the_way(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Likes green tea")
    for number in (0, -1, 7, 2**31, 2**63, 10**30):
        with pytest.raises(NotFound, match=f"No fact with id {number}"):
            revise(services, person_id, number, TOLD, fact="Likes coffee")
    with pytest.raises(NotFound):
        revise(services, add_person(services, BEN), 1, TOLD, fact="Likes coffee")
    with pytest.raises(Conflict, match=r"Fact 2 says 'Likes green tea' already\. Remove fact 1 instead"):
        revise(services, person_id, 1, TOLD, fact="likes GREEN tea!")
    for given, why in ((None, "Nothing to change"), (" . ", "empty"), ("x" * 301, "301 characters")):
        with pytest.raises(Refused, match=why):
            revise(services, person_id, 1, TOLD, fact=given)

    assert known(services, person_id) == {1: "Likes tea", 2: "Likes green tea"}


def test_a_pin_stays_and_neither_it_nor_the_same_words_are_a_version(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")

    assert revise(services, person_id, 1, TOLD, fact="Lives in Portland.").version == 1, "it says the same"
    for _ in range(2):
        assert revise(services, person_id, 1, TOLD, pinned=True).version == 1
    with services.reading() as db:
        assert db.scalar(select(func.count(Change.id))) == 2, "a pin that is there already is no change"
    assert revise(services, person_id, 1, TOLD, fact="Lives in Seattle").pinned
    assert not revise(services, person_id, 1, TOLD, pinned=False).pinned
    assert not fact(services, person_id, 1).pinned


def test_a_sentence_that_stays_is_not_dated_anew(services: Services, person_id: int, clock: FrozenClock) -> None:
    tell(services, person_id, "Has an exam")
    with services.transaction() as db:  # As facts were kept before they were dated.
        db.execute(update(Fact).values(sentence="Has an exam tomorrow", normalised="has an exam tomorrow"))
    clock.advance(days=7)

    revised = revise(services, person_id, 1, TOLD, fact="Has an exam tomorrow", category="work")

    assert (revised.sentence, revised.category) == ("Has an exam tomorrow", "work")
    assert revise(services, person_id, 1, TOLD, fact="Has a test tomorrow").sentence.endswith("tomorrow [29 Nov 2026]")

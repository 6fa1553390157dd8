"""What was removed where, told from the change itself and from the index as it is now."""

from app.features.offline.extract import ExtractiveSummariser
from app.memory import Origin, forget, merge, move, undo
from app.memory.facts import versions
from app.memory.forget import Receipt, receipt
from app.services import Services
from tests.conftest import MakeServices
from tests.memory.remembering import BEN, TOLD, add_person, live, tell
from tests.memory.talking import Talk

OPERATOR = Origin("operator", "operator")


def receipt_of(services: Services, person_id: int, number: int) -> Receipt | None:
    with services.reading() as db:
        return receipt(db, versions(db, person_id, number))


def test_a_receipt_names_the_facts_the_episodes_and_how_many_texts_it_was_taken_from(
    make_services: MakeServices,
) -> None:
    alex = Talk(make_services(summariser=ExtractiveSummariser()))
    alex.say("My dog is called Max")
    alex.say("I signed the lease of a flat in Lisbon today, and the movers come next week")
    alex.fall_silent()
    services, person_id = alex.services, alex.person_id
    [dog] = [one for one in live(services, person_id) if "Max" in one.sentence]
    assert receipt_of(services, person_id, dog.number) is None

    forget(services, person_id, [dog.number], TOLD)

    told = receipt_of(services, person_id, dog.number)
    assert told is not None
    assert (told.verb, told.actor, told.facts, told.episodes) == ("forget", "person", [dog.number], [1])
    assert told.texts >= 1
    assert told.left_in_index == 0
    undo(services, person_id)
    assert receipt_of(services, person_id, dog.number) is None


def test_what_was_forgotten_with_its_subject_names_the_subject_and_all_facts(
    services: Services, person_id: int
) -> None:
    tell(services, person_id, "Sister Ana lives in Lima", "Likes tea", "Sister plays chess")
    forget(services, person_id, [], TOLD, about=["my sister"])

    told = receipt_of(services, person_id, 1)

    assert told is not None
    assert (told.facts, told.subjects) == ([1, 3], ["my sister"])


def test_a_merging_and_a_move_have_receipts_of_their_own(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes black tea", "Likes green tea", "Has a cat")
    merge(services, person_id, [1, 2], "Likes black and green tea", OPERATOR)
    move(services, person_id, 3, add_person(services, BEN), OPERATOR)

    merged, moved = receipt_of(services, person_id, 2), receipt_of(services, person_id, 3)

    assert merged is not None
    assert moved is not None
    assert (merged.verb, merged.facts, merged.left_in_index) == ("merge", [2], 0)
    assert (moved.verb, moved.facts, moved.left_in_index) == ("move", [3], 0)
    assert receipt_of(services, person_id, 1) is None

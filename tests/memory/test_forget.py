"""Facts forgotten and restored, and the receipt of what was removed where."""

from sqlalchemy import text

from app.features.offline.extract import ExtractiveSummariser
from app.memory import facts, forget, recall, receipt, revise, undo
from app.memory.forget import Receipt
from app.services import Services
from tests.conftest import MakeServices
from tests.memory.remembering import TOLD, found, known, live, tell
from tests.memory.talking import Talk


def test_a_forgotten_fact_is_not_shown_recalled_or_found_in_any_version(services: Services, person_id: int) -> None:
    tell(services, person_id, "Has a dog named Max", "Likes tea")
    revise(services, person_id, 1, TOLD, fact="Has a dog named Rex")

    forgotten = forget(services, person_id, [1], TOLD)

    assert [one.sentence for one in forgotten.removed] == ["Has a dog named Rex"]
    assert known(services, person_id) == {2: "Likes tea"}
    assert recall(services, person_id, "dog Max Rex").facts == []
    assert found(services, person_id, "Rex") == []
    with services.reading() as db:
        words = db.execute(text("SELECT word FROM word_postings ORDER BY word")).scalars().all()
    assert words == ["like", "tea"]


def receipt_of(services: Services, person_id: int, number: int) -> Receipt | None:
    with services.reading() as db:
        return receipt(db, facts.versions(db, person_id, number))


def test_a_receipt_names_the_facts_the_episodes_and_how_many_texts_it_is_of(make_services: MakeServices) -> None:
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

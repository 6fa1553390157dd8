from dataclasses import replace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.jobs import pair_facts
from app.memory import facts, forget, merge, revise, undo
from app.memory.facts import pairs
from app.models import Fact, FactPair
from app.services import Services
from app.store.postgres import PostgresDatabase
from tests import postgres
from tests.memory.remembering import BEN, OPERATOR, TOLD, add_person, tell
from tests.stores import Meanwhile
from tests.tables import rows


def paired(services: Services, person_id: int) -> set[tuple[str, str, str]]:
    """Kind and both sentences, each pair once, after the job has run."""
    pair_facts.run(services)
    with services.reading() as db:
        rows = db.scalars(select(FactPair).where(FactPair.person_id == person_id)).all()
        sentence = dict(db.execute(select(Fact.id, Fact.sentence)).all())
        assert {(row.fact_id, row.other_id) for row in rows} == {(row.other_id, row.fact_id) for row in rows}
        return {
            (row.kind, *sorted((sentence[row.fact_id], sentence[row.other_id])))  # type: ignore[misc]
            for row in rows
        }


@pytest.mark.parametrize(("first", "second", "kind"), rows("paired.jsonl"))
def test_facts_that_may_be_one_and_facts_that_may_contradict_each_other_are_found(
    services: Services, person_id: int, first: str, second: str, kind: str
) -> None:
    tell(services, person_id, first, "Is allergic to peanuts")
    assert paired(services, person_id) == set()
    tell(services, person_id, second)

    assert paired(services, person_id) == {(kind, *sorted((first, second)))}


def test_what_answers_another_question_or_is_anothers_is_no_pair(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Lima", "Sister Ana lives in Cusco", "Lives with their husband Tom", "Has a cat")
    tell(services, add_person(services, BEN), "Lives in Lima", "Plays chess")
    tell(services, person_id, "Plays chess")

    assert paired(services, person_id) == set()


def test_a_pair_goes_and_comes_back_with_its_facts_until_it_is_parted(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Lima", "Moved to Cusco")
    assert len(paired(services, person_id)) == 1

    forget(services, person_id, [1], TOLD)
    assert paired(services, person_id) == set()
    undo(services, person_id)
    assert len(paired(services, person_id)) == 1

    revise(services, person_id, 2, TOLD, fact="Loves Cusco")
    assert paired(services, person_id) == set()
    tell(services, person_id, "Likes black tea", "Likes green tea")
    assert len(paired(services, person_id)) == 1
    merge(services, person_id, [3, 4], "Likes black and green tea", OPERATOR)
    assert paired(services, person_id) == set()

    undo(services, person_id)
    assert len(paired(services, person_id)) == 1
    with services.reading() as db:
        first, second = db.scalars(select(FactPair.fact_id))
    pairs.delete_pair(services, second, first)
    assert paired(services, person_id) == set(), "what somebody parted is not found again"


@pytest.mark.parametrize("after", [0, 1])
def test_what_another_process_has_found_and_somebody_parted_meanwhile_stays_parted(
    services: Services, person_id: int, after: int
) -> None:
    def find_and_part() -> None:
        assert len(paired(services, person_id)) == 1
        pairs.delete_pair(services, 1, 2)

    tell(services, person_id, "Likes black tea", "Likes green tea")
    pair_facts.run(replace(services, store=Meanwhile(services.store, find_and_part, after=after)))  # type: ignore[arg-type]
    assert paired(services, person_id) == set()


@pytest.mark.postgres
def test_a_fact_that_is_kept_after_one_with_a_higher_id_is_looked_at_too(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes black tea")
    assert paired(services, person_id) == set()
    ben, now, store = add_person(services, BEN), services.clock.now(), services.store
    assert isinstance(store, PostgresDatabase)

    def add(db: Session, whose: int, sentence: str) -> None:
        facts.add(db, whose, sentence, None, TOLD, now)

    def tell_beside() -> None:
        with services.transaction(ben) as db:
            add(db, ben, "Likes chess")

    with services.transaction(person_id) as db:
        add(db, person_id, "Likes green tea")
        postgres.start(tell_beside).join()
        looking = postgres.start(lambda: pair_facts.run(services))
        postgres.wait_for_a_waiting_writer(store.engine)
    looking.join()
    assert paired(services, person_id) == {("alike", "Likes black tea", "Likes green tea")}

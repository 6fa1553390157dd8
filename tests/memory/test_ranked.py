"""The best of one kind: within its days and within one person, lifted by what matters."""

from datetime import UTC, date, datetime

from app.jobs import index_texts
from app.memory import forget, revise
from app.memory.index.query import prepare
from app.memory.index.ranked import Best, ranked
from app.services import Services
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.memory.remembering import BEN, TOLD, add_person, live, tell

AT = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)


def best(
    services: Services,
    person_id: int,
    question: str,
    *,
    first_day: date | None = None,
    last_day: date | None = None,
) -> Best:
    embedder = services.embedder
    query = prepare(question, [], AT)
    vector = embedder.embed([query.meaning], is_query=True)[0] if embedder is not None else None
    with services.reading() as db:
        return ranked(
            db,
            person_id,
            "fact",
            query,
            vector=vector,
            model=embedder.name if embedder is not None else None,
            at=services.clock.now(),
            limit=10,
            first_day=first_day,
            last_day=last_day,
        )


def sentences(services: Services, person_id: int, found: Best) -> list[str]:
    by_id = {fact.id: fact.sentence for fact in live(services, person_id)}
    return [by_id[item] for item in found.items]


def test_of_equals_the_one_that_is_pinned_comes_first(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays chess with Ana", "Plays chess with Ben", "Plays chess with Kim")
    revise(services, person_id, 2, TOLD, pinned=True)

    found = best(services, person_id, "chess")

    assert sentences(services, person_id, found)[0] == "Plays chess with Ben"
    assert found.scores == sorted(found.scores, reverse=True)
    assert found.cosines == [None] * 3
    assert all(score > 0 for score in found.bm25)


def test_r81_nothing_of_another_person_is_found_and_an_empty_memory_is_empty(
    services: Services, person_id: int
) -> None:
    tell(services, add_person(services, BEN), "Plays chess")

    assert len(best(services, person_id, "chess")) == 0


def test_what_was_forgotten_is_not_found(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays chess", "Plays chess on Sundays")
    forget(services, person_id, [1], TOLD)

    assert sentences(services, person_id, best(services, person_id, "chess")) == ["Plays chess on Sundays"]


def test_e4_days_leave_out_all_else(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays chess")
    services.clock.wait(5 * 86_400)
    tell(services, person_id, "Plays chess on Sundays")

    early = best(services, person_id, "chess", last_day=date(2026, 11, 22))
    late = best(services, person_id, "chess", first_day=date(2026, 11, 25))

    assert sentences(services, person_id, early) == ["Plays chess"]
    assert sentences(services, person_id, late) == ["Plays chess on Sundays"]


def test_r65_what_has_no_vector_yet_is_found_by_its_words_and_counted(
    make_services: MakeServices, person_id: int
) -> None:
    services = make_services(embedder=WordEmbedder())
    tell(services, person_id, "Plays chess")
    before = best(services, person_id, "chess")
    index_texts.run(services)
    after = best(services, person_id, "chess")

    assert (before.cosines, before.unembedded) == ([None], 1)
    assert after.unembedded == 0
    assert (after.cosines[0] or 0) > 0.3
    assert before.items == after.items

"""The best of one kind: within its days and within one person, lifted by what matters."""

from datetime import date

from app.clock import local
from app.jobs import index_texts
from app.memory import forget, revise
from app.memory.index.query import meaning, prepare
from app.memory.recall import Best, Search
from app.services import Services
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.memory.remembering import BEN, TOLD, add_person, live, tell


def chess(services: Services, person_id: int, *, since: date | None = None, until: date | None = None) -> Best:
    now = services.clock.now()
    query = prepare("chess", [], local(now, "UTC"))
    means = meaning(services, query.meaning, seconds=1)
    with services.reading() as db:
        return Search(person_id, query, means, now, 10, since, until).best(db, "fact")


def sentences(services: Services, person_id: int, found: Best) -> list[str]:
    by_id = {fact.id: fact.sentence for fact in live(services, person_id)}
    return [by_id[item] for item in found.items]


def test_of_equals_the_pinned_one_comes_first_and_what_was_forgotten_or_is_anothers_is_not_found(
    services: Services, person_id: int
) -> None:
    """R81."""
    tell(services, add_person(services, BEN), "Plays chess")
    assert len(chess(services, person_id)) == 0

    tell(services, person_id, "Plays chess with Ana", "Plays chess with Ben", "Plays chess with Kim")
    revise(services, person_id, 2, TOLD, pinned=True)
    forget(services, person_id, [1], TOLD)

    found = chess(services, person_id)
    assert sentences(services, person_id, found) == ["Plays chess with Ben", "Plays chess with Kim"]
    assert found.scores == sorted(found.scores, reverse=True)
    assert found.cosines == [None] * 2
    assert all(score > 0 for score in found.bm25)


def test_e4_days_leave_out_all_else(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays chess")
    services.clock.wait(5 * 86_400)
    tell(services, person_id, "Plays chess on Sundays")

    early = chess(services, person_id, until=date(2026, 11, 22))
    late = chess(services, person_id, since=date(2026, 11, 25))

    assert sentences(services, person_id, early) == ["Plays chess"]
    assert sentences(services, person_id, late) == ["Plays chess on Sundays"]


def test_r65_what_has_no_vector_yet_is_found_by_its_words_and_counted(
    make_services: MakeServices, person_id: int
) -> None:
    services = make_services(embedder=WordEmbedder())
    tell(services, person_id, "Plays chess")
    before = chess(services, person_id)
    index_texts.run(services)
    after = chess(services, person_id)

    assert (before.cosines, before.unembedded) == ([None], 1)
    assert after.unembedded == 0
    assert (after.cosines[0] or 0) > 0.3
    assert before.items == after.items

"""Facts found again: by a question, by their words, and by no other person."""

from datetime import date

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.jobs import index_texts
from app.memory import facts, forget, recall, revise, undo
from app.memory.recall import MAX_FOUND
from app.services import Services
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.memory.remembering import BEN, TOLD, add_person, block, found, known, tell

ODD_QUERIES = [
    *("", " ", '" OR 1', "' OR 1=1 --", "'; DROP TABLE facts; --", "NEAR(", "NEAR(tea coffee, 5)", "*", "te*", "^tea"),
    *("sentence:tea", "sentence : *", "{sentence rowid}: tea", "rowid:1", "tea AND", "OR", "NOT tea", "(((", "-tea"),
    *("+", "\\", "%", "_", "🐶", "寿司", "\x00", "\ud800", "a" * 5000, "tea " * 5000),
]


def sentences(services: Services, person_id: int, query: str, limit: int = 5) -> list[str]:
    return [one.fact.sentence for one in recall(services, person_id, query, limit).facts]


def test_what_shares_words_with_the_question_is_found_best_first(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Has a dog named Max", "Dog Max is a poodle", "Lives in Lima")

    first, second = recall(services, person_id, "what breed of poodle is my dog Max?").facts
    assert (first.fact.sentence, second.fact.sentence) == ("Dog Max is a poodle", "Has a dog named Max")
    assert 0 < second.relevance < first.relevance <= 1


def test_r82_what_was_true_is_found_beside_what_is_true_and_out_of_sight(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    revise(services, person_id, 1, TOLD, fact="Lives in Seattle")
    assert "Portland" not in block(services, person_id)

    found_facts = recall(services, person_id, "where did I live before?").facts

    assert [(one.fact.sentence, one.current) for one in found_facts] == [
        ("Lives in Seattle", True),
        ("Lives in Portland", False),
    ]


def test_an_earlier_version_is_found_by_words_of_the_newest_and_back(services: Services, person_id: int) -> None:
    tell(services, person_id, "Lives in Portland")
    revise(services, person_id, 1, TOLD, fact="Moved to Seattle")

    assert set(sentences(services, person_id, "Portland")) == {"Lives in Portland", "Moved to Seattle"}
    assert set(sentences(services, person_id, "Seattle")) == {"Lives in Portland", "Moved to Seattle"}


def test_the_limit_is_kept_between_one_and_twenty(services: Services, person_id: int) -> None:
    tell(services, person_id, *(f"Likes tea number {number}" for number in range(20)))
    tell(services, person_id, *(f"Likes tea number {number}" for number in range(20, 25)))

    for limit, count in ((-3, 1), (0, 1), (1, 1), (7, 7), (20, 20), (MAX_FOUND + 1, 20), (10**30, 20)):
        assert len(sentences(services, person_id, "tea", limit)) == count


SENTENCE = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z", "S"]), min_size=1, max_size=60).filter(
    lambda text: any(char.isalnum() for char in text)
)
QUERY = st.one_of(st.text(max_size=80), st.sampled_from(ODD_QUERIES), SENTENCE)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    mine=st.lists(SENTENCE, max_size=4), theirs=st.lists(SENTENCE, min_size=1, max_size=4), query=QUERY, data=st.data()
)
def test_two_people_never_see_each_others_facts(
    services: Services, mine: list[str], theirs: list[str], query: str, data: st.DataObject
) -> None:
    services.clock.wait(1)
    asking = add_person(services, f"+1206{services.clock.monotonic():07.0f}")
    other = add_person(services, f"whatsapp:+1206{services.clock.monotonic():07.0f}")
    for person_id, told in ((asking, mine), (other, theirs)):
        if told:
            tell(services, person_id, *told)
    revised = f"Zanzibar {theirs[0]}"
    revise(services, other, 1, TOLD, fact=revised)
    forget(services, other, [2], TOLD)
    before = known(services, other)
    words = data.draw(st.sampled_from([query, *theirs, revised, "Zanzibar"]))

    assert {one.fact.person_id for one in recall(services, asking, words, 20).facts} <= {asking}
    now = services.clock.now()
    with services.reading() as db:
        read = [
            *facts.find(db, asking, words),
            *facts.live(db, asking, now),
            *facts.live(db, asking, now, words),
            *facts.archived(db, asking, now),
            *facts.archived_alike(db, asking, words, now),
            *facts.earlier_versions(db, asking),
            *facts.forgotten(db, asking),
            *(one for number in range(5) for one in facts.versions(db, asking, number)),
        ]
        foremost = {one.id for one in facts.most_important(db, asking, 100, now)}
        assert foremost == {one.id for one in facts.live(db, asking, now)}
    assert {one.person_id for one in read} <= {asking}
    assert "Zanzibar" not in block(services, asking)

    forget(services, asking, list(range(10)), TOLD)
    while undo(services, asking):
        pass
    assert known(services, other) == before


MAX, ZURICH = "Has two dogs named Max and Dog's Best", "Loves the Café Zürich"


def test_a_fact_is_found_by_its_words(services: Services, person_id: int) -> None:
    tell(services, person_id, MAX, ZURICH, "Loves tea", "Has the cat 🐶?")
    for words in ("dog", "DOGS", "dog's", "named dog", "max", "Max, dog!", "named: Max"):
        assert found(services, person_id, words) == [MAX], words
    assert found(services, person_id, "cafe zurich") == [ZURICH]
    for words in ("cafe tea", "", "the", "?", "🐶"):
        assert found(services, person_id, words) == [], words


def test_of_equals_the_pinned_one_is_first_and_the_forgotten_is_not_found(services: Services, person_id: int) -> None:
    """R81."""
    tell(services, add_person(services, BEN), "Plays chess")
    assert sentences(services, person_id, "chess") == []
    tell(services, person_id, "Plays chess with Ana", "Plays chess with Ben", "Plays chess with Kim")
    revise(services, person_id, 3, TOLD, pinned=True)
    forget(services, person_id, [1], TOLD)
    assert sentences(services, person_id, "chess") == ["Plays chess with Kim", "Plays chess with Ben"]


def test_e4_days_leave_out_all_else(services: Services, person_id: int) -> None:
    tell(services, person_id, "Plays chess")
    services.clock.wait(5 * 86_400)
    tell(services, person_id, "Plays chess on Sundays")
    early = recall(services, person_id, "chess", until=date(2026, 11, 22))
    late = recall(services, person_id, "chess", since=date(2026, 11, 25))
    assert [one.fact.sentence for one in early.facts] == ["Plays chess"]
    assert [one.fact.sentence for one in late.facts] == ["Plays chess on Sundays"]


def test_r65_what_has_no_vector_is_found_by_its_words_and_counted(make_services: MakeServices, person_id: int) -> None:
    services = make_services(embedder=WordEmbedder())
    tell(services, person_id, "Plays chess")
    before = recall(services, person_id, "chess")
    index_texts.run(services)
    after = recall(services, person_id, "chess")
    assert (before.by_words_alone, after.by_words_alone) == (1, 0)
    assert [one.fact.number for one in before.facts] == [one.fact.number for one in after.facts] == [1]

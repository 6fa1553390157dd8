import html
import re
from collections.abc import Sequence

import pytest

from app import memory
from app.memory import NewFact, Origin
from app.memory import facts as fact_rows
from app.models import Fact, Person
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_person, add_text

TOLD = Origin(actor="assistant", source="explicit")


def learn(services: Services, person_id: int, *sentences: str, origin: Origin = TOLD) -> list[Fact]:
    return memory.remember(services, person_id, [NewFact(sentence) for sentence in sentences], origin).stored


def live(services: Services, person_id: int) -> dict[int, str]:
    with services.reading() as db:
        return {fact.number: fact.sentence for fact in fact_rows.live(db, person_id, services.clock.now())}


def listed(page: str) -> Sequence[str]:
    return re.findall(r'<a class="name" [^>]*dir="auto"[^>]*>([^<]+)</a>', page)


def test_before_anything_is_known_the_page_says_what_to_do_and_offers_the_form(operator: Browser, alex: Person) -> None:
    page = operator.get(f"/people/{alex.id}/facts")

    assert "Nothing is remembered yet" in page
    assert '<details class="card adding" open>' in page


def test_facts_are_listed_the_newest_first_with_source_and_confidence(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex.id, "Likes black coffee")
    learn(services, alex.id, "Has a dog named Max", origin=Origin(actor="assistant", source="inferred"))

    page = operator.get(f"/people/{alex.id}/facts")

    assert listed(page) == ["Has a dog named Max", "Likes black coffee"]
    assert re.sub(r"<[^>]+>", "", page).count("told 100%") == 1
    assert re.sub(r"<[^>]+>", "", page).count("inferred 70%") == 1


def test_a_fact_links_to_the_text_it_was_learned_from(operator: Browser, services: Services, alex: Person) -> None:
    text = add_text(services, alex.id, "I love black coffee, really")
    origin = Origin(actor="assistant", source="explicit", message_id=text.id, quote="I love black coffee")
    learn(services, alex.id, "Likes black coffee", origin=origin)

    page = operator.get(f"/people/{alex.id}/facts")
    link = re.findall(r'class="quote" [^>]*href="/admin([^"#]+)#message-\d+"', page)[0]

    assert "“I love black coffee”" in page
    assert f'sought" id="message-{text.id}"' in operator.get(html.unescape(link))
    assert html.unescape(link) in html.unescape(operator.get(f"/people/{alex.id}/facts/1"))


def test_facts_are_found_by_their_words_and_by_category(operator: Browser, services: Services, alex: Person) -> None:
    memory.remember(
        services, alex.id, [NewFact("Has a dog named Max", "pets"), NewFact("Likes black coffee", "drinks")], TOLD
    )

    assert listed(operator.get(f"/people/{alex.id}/facts?words=dogs")) == ["Has a dog named Max"]
    assert listed(operator.get(f"/people/{alex.id}/facts?category=drinks")) == ["Likes black coffee"]
    assert "No fact found" in operator.get(f"/people/{alex.id}/facts?words=cat")


def test_the_operator_adds_a_fact(operator: Browser, services: Services, alex: Person) -> None:
    page = operator.act(f"/people/{alex.id}/facts", fact="Allergic to peanuts", category="Allergy")

    assert "Added as fact 1." in page
    assert listed(page) == ["Allergic to peanuts"]
    with services.reading() as db:
        fact = fact_rows.live(db, alex.id, services.clock.now())[0]
    assert (fact.source, fact.category) == ("operator", "allergy")


def test_a_fact_that_is_known_already_is_not_added_again(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex.id, "Likes black coffee")

    page = operator.act(f"/people/{alex.id}/facts", fact="likes  black coffee!")

    assert "Fact 1 says that already." in page
    assert live(services, alex.id) == {1: "Likes black coffee"}


def test_a_fact_that_may_contradict_another_is_added_and_the_other_is_named(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex.id, "Lives in Portland")

    page = operator.act(f"/people/{alex.id}/facts", fact="Lives in Seattle")

    assert "Added as fact 2. It may be about the same thing as fact 1" in page


def test_a_sentence_that_will_not_do_is_given_back_with_the_reason(operator: Browser, alex: Person) -> None:
    response = operator.post(f"/people/{alex.id}/facts", fact="Likes " + "very " * 80 + "long sentences")

    assert response.status_code == 403
    assert "at most 300 are kept" in response.text
    assert "very very long sentences" in response.text


def test_the_operator_corrects_a_fact_and_the_version_of_before_is_kept(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    learn(services, alex.id, "Lives in Portland")
    clock.advance(days=2)
    operator.log_in()

    page = operator.act(f"/people/{alex.id}/facts/1", fact="Lives in Seattle", category="home")

    assert "Fact 1 is corrected." in page
    assert live(services, alex.id) == {1: "Lives in Seattle"}
    versions = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page[page.rindex("<tbody>") :]))
    assert (
        "2 Lives in Seattle home operator 23 Nov 2026, 09:00 PST now 23 Nov 2026, 09:00 PST now "
        "1 Lives in Portland told 21 Nov 2026, 09:00 PST 23 Nov 2026, 09:00 PST 21 Nov 2026, 09:00 PST "
        "23 Nov 2026, 09:00 PST"
    ) in versions


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [("Likes tea", "Fact 2 says"), ("  ", "this one is empty"), ("My PIN is 4821", "never kept")],
)
def test_a_correction_that_will_not_do_is_given_back_with_the_reason(
    operator: Browser, services: Services, alex: Person, sentence: str, reason: str
) -> None:
    learn(services, alex.id, "Likes black coffee", "Likes tea")

    response = operator.post(f"/people/{alex.id}/facts/1", fact=sentence, category="drinks")

    assert response.status_code in {403, 409}
    assert reason in response.text
    assert 'value="drinks"' in response.text
    assert live(services, alex.id) == {1: "Likes black coffee", 2: "Likes tea"}


def test_emptying_the_category_takes_it_away(operator: Browser, services: Services, alex: Person) -> None:
    memory.remember(services, alex.id, [NewFact("Likes tea", "drinks")], TOLD)

    operator.post(f"/people/{alex.id}/facts/1", fact="Likes tea", category="")

    with services.reading() as db:
        assert fact_rows.live(db, alex.id, services.clock.now())[0].category is None


def test_a_fact_is_pinned_and_unpinned(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex.id, "Likes tea")

    pinned = operator.act(f"/people/{alex.id}/facts/1/pin")
    assert ">pinned</span>" in pinned
    assert f'formaction="/admin/people/{alex.id}/facts/1/unpin"' in pinned

    unpinned = operator.act(f"/people/{alex.id}/facts/1/unpin")
    assert ">pinned</span>" not in unpinned


def test_a_forgotten_fact_is_listed_apart_and_can_be_restored(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex.id, "Likes tea", "Has a dog named Max")

    forgotten = operator.act(f"/people/{alex.id}/facts/1/forget")

    assert "Forgot fact 1. It is kept under Forgotten." in forgotten
    assert listed(forgotten) == ["Has a dog named Max"]
    assert listed(operator.get(f"/people/{alex.id}/forgotten")) == ["Likes tea"]
    assert ">forgotten</span>" in operator.get(f"/people/{alex.id}/facts/1")

    restored = operator.act(f"/people/{alex.id}/facts/1/restore")

    assert "Fact 1 is remembered again." in restored
    assert live(services, alex.id) == {1: "Likes tea", 2: "Has a dog named Max"}
    assert "Nothing is forgotten" in operator.get(f"/people/{alex.id}/forgotten")


def test_a_fact_that_another_one_says_by_now_cannot_come_back(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex.id, "Likes tea")
    operator.post(f"/people/{alex.id}/facts/1/forget")
    learn(services, alex.id, "Likes tea")

    page = operator.act(f"/people/{alex.id}/facts/1/restore")

    assert "Fact 1 cannot come back" in page
    assert live(services, alex.id) == {2: "Likes tea"}


def test_forgetting_twice_says_that_it_is_not_there(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex.id, "Likes tea")
    operator.post(f"/people/{alex.id}/facts/1/forget")

    assert "Fact 1 is not there to forget." in operator.act(f"/people/{alex.id}/facts/1/forget")


def test_a_change_is_written_down_with_who_made_it_and_can_be_taken_back(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex.id, "Lives in Portland")
    operator.post(f"/people/{alex.id}/facts/1", fact="Lives in Seattle", category="")

    page = operator.get(f"/people/{alex.id}/changes")
    assert re.findall(r'data-label="Who">(\w+)<', page) == ["operator", "assistant"]
    assert re.findall(r'data-label="Did"><span class="mark \w+">(\w+)<', page) == ["revise", "remember"]
    assert "Lives in Portland</a></s> → " in page

    undone = operator.undo_newest(alex.id)
    assert "The change is taken back." in undone
    assert ">undone</span>" in undone
    assert live(services, alex.id) == {1: "Lives in Portland"}


def test_undo_stands_beside_the_sentence_that_says_what_was_done(
    operator: Browser, services: Services, alex: Person
) -> None:
    page = operator.act(f"/people/{alex.id}/facts", fact="Likes tea")

    notice = page[page.index('class="notice') : page.index("<h1>")]
    assert f'action="/admin/people/{alex.id}/changes/1/undo"' in notice


def test_with_nothing_left_undo_says_so(operator: Browser, alex: Person) -> None:
    assert "There is no such change left to take back." in operator.act(f"/people/{alex.id}/changes/1/undo")
    assert "No changes yet" in operator.get(f"/people/{alex.id}/changes")


def test_many_facts_are_shown_fifty_at_a_time(operator: Browser, services: Services, alex: Person) -> None:
    for start in range(0, 120, 20):
        learn(services, alex.id, *(f"Knows the word number{number}" for number in range(start, start + 20)))

    first = operator.get(f"/people/{alex.id}/facts")
    second = operator.get(re.findall(r'href="/admin([^"]+before=\d+)"', first)[0])
    third = operator.get(re.findall(r'href="/admin([^"]+before=\d+)"', second)[0])

    assert [len(listed(page)) for page in (first, second, third)] == [50, 50, 20]
    assert "120 facts" in first
    assert len({*listed(first), *listed(second), *listed(third)}) == 120
    assert "Earlier facts" not in third


def test_one_persons_pages_never_reach_another_persons_facts(
    operator: Browser, services: Services, alex: Person
) -> None:
    other = add_person(services, "+12065550199", name="Blake")
    learn(services, other.id, "Likes tea")

    assert operator.client.get(f"/admin/people/{alex.id}/facts/1").status_code == 404
    assert operator.post(f"/people/{alex.id}/facts/1", fact="Hates tea", category="").status_code == 404
    assert operator.post(f"/people/{alex.id}/facts/1/pin").status_code == 404
    assert operator.post(f"/people/{alex.id}/facts/1/restore").status_code == 404
    operator.post(f"/people/{alex.id}/facts/1/forget")
    assert live(services, other.id) == {1: "Likes tea"}

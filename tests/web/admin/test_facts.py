"""A person's facts, live, archived and forgotten: found, added, corrected, pinned, forgotten and restored."""

import html
import re

import pytest

from app import memory
from app.memory import NewFact, Origin
from app.memory import facts as fact_rows
from app.models import Person
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.archiving import archived, held, put_away
from tests.memory.remembering import known, tell
from tests.web.admin.conftest import Browser, in_words, listed
from tests.web.admin.scenes import TOLD, add_text, learn, live


def test_facts_are_listed_the_newest_first_with_source_and_confidence(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes black coffee")
    learn(services, alex, "Has a dog named Max", origin=Origin(actor="assistant", source="inferred"))

    page = operator.get(f"/people/{alex.id}/facts")

    assert listed(page) == ["Has a dog named Max", "Likes black coffee"]
    assert re.sub(r"<[^>]+>", "", page).count("told 100%") == 1
    assert re.sub(r"<[^>]+>", "", page).count("inferred 70%") == 1


def test_a_fact_links_to_the_text_it_was_learned_from(operator: Browser, services: Services, alex: Person) -> None:
    text = add_text(services, alex.id, "I love black coffee, really")
    origin = Origin(actor="assistant", source="explicit", message_id=text.id, quote="I love black coffee")
    learn(services, alex, "Likes black coffee", origin=origin)

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
    operator.post(f"/people/{alex.id}/facts/1", fact="Allergic to peanuts", category="")
    with services.reading() as db:
        assert fact_rows.live(db, alex.id, services.clock.now())[0].category is None


def test_a_fact_that_is_known_already_is_not_added_and_one_that_may_contradict_another_names_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Lives in Portland")
    assert "Fact 1 says that already." in operator.act(f"/people/{alex.id}/facts", fact="lives  in portland!")
    assert live(services, alex) == {1: "Lives in Portland"}
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
    learn(services, alex, "Lives in Portland")
    clock.advance(days=2)
    operator.log_in()

    page = operator.act(f"/people/{alex.id}/facts/1", fact="Lives in Seattle", category="home")

    assert "Fact 1 is corrected." in page
    assert live(services, alex) == {1: "Lives in Seattle"}
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
    learn(services, alex, "Likes black coffee", "Likes tea")

    response = operator.post(f"/people/{alex.id}/facts/1", fact=sentence, category="drinks")

    assert response.status_code in {403, 409}
    assert reason in response.text
    assert 'value="drinks"' in response.text
    assert live(services, alex) == {1: "Likes black coffee", 2: "Likes tea"}


def test_a_fact_is_pinned_and_unpinned(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex, "Likes tea")

    pinned = operator.act(f"/people/{alex.id}/facts/1/pin")
    assert ">pinned</span>" in pinned
    assert f'formaction="/admin/people/{alex.id}/facts/1/unpin"' in pinned

    unpinned = operator.act(f"/people/{alex.id}/facts/1/unpin")
    assert ">pinned</span>" not in unpinned


def test_a_forgotten_fact_is_listed_apart_and_can_be_restored(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a dog named Max")

    forgotten = operator.act(f"/people/{alex.id}/facts/1/forget")

    assert "Forgot fact 1. It is kept under Forgotten." in forgotten
    assert listed(forgotten) == ["Has a dog named Max"]
    assert listed(operator.get(f"/people/{alex.id}/forgotten")) == ["Likes tea"]
    assert ">forgotten</span>" in operator.get(f"/people/{alex.id}/facts/1")
    assert "Fact 1 is not there to forget." in operator.act(f"/people/{alex.id}/facts/1/forget")

    restored = operator.act(f"/people/{alex.id}/facts/1/restore")

    assert "Fact 1 is remembered again." in restored
    assert live(services, alex) == {1: "Likes tea", 2: "Has a dog named Max"}
    assert "Nothing is forgotten" in operator.get(f"/people/{alex.id}/forgotten")


def test_a_fact_that_another_one_says_by_now_cannot_come_back(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    operator.post(f"/people/{alex.id}/facts/1/forget")
    learn(services, alex, "Likes tea")

    page = operator.act(f"/people/{alex.id}/facts/1/restore")

    assert "Fact 1 cannot come back" in page
    assert live(services, alex) == {2: "Likes tea"}


def test_a_change_is_written_down_with_who_made_it_and_can_be_taken_back(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Lives in Portland")
    operator.post(f"/people/{alex.id}/facts/1", fact="Lives in Seattle", category="")

    page = operator.get(f"/people/{alex.id}/changes")
    assert re.findall(r'data-label="Who">(\w+)<', page) == ["operator", "assistant"]
    assert re.findall(r'data-label="Did"><span class="mark \w+">(\w+)<', page) == ["revise", "remember"]
    assert "Lives in Portland</a></s> → " in page

    undone = operator.undo_newest(alex.id)
    assert "The change is taken back." in undone
    assert ">undone</span>" in undone
    assert live(services, alex) == {1: "Lives in Portland"}


def test_many_facts_are_shown_fifty_at_a_time(operator: Browser, services: Services, alex: Person) -> None:
    for start in range(0, 120, 20):
        learn(services, alex, *(f"Knows the word number{number}" for number in range(start, start + 20)))

    first = operator.get(f"/people/{alex.id}/facts")
    second = operator.get(re.findall(r'href="/admin([^"]+before=\d+)"', first)[0])
    third = operator.get(re.findall(r'href="/admin([^"]+before=\d+)"', second)[0])

    assert [len(listed(page)) for page in (first, second, third)] == [50, 50, 20]
    assert "120 facts" in first
    assert len({*listed(first), *listed(second), *listed(third)}) == 120
    assert "Earlier facts" not in third


KITE = "Has an old kite"


@pytest.fixture
def told(services: Services, alex: Person) -> int:
    """Somebody of whom two things are known, the first of them archived."""
    tell(services, alex.id, KITE, "Likes tea")
    put_away(services, alex.id, 1)
    return alex.id


def test_f9_what_is_archived_is_listed_apart_and_brought_back(operator: Browser, services: Services, told: int) -> None:
    assert listed(operator.get(f"/people/{told}/facts")) == ["Likes tea"]
    page = operator.get(f"/people/{told}/archived")
    assert listed(page) == [KITE]
    assert f'action="/admin/people/{told}/facts/1/restore"' in page
    assert "Bring back" in page

    assert "Fact 1 is remembered again." in operator.act(f"/people/{told}/facts/1/restore")

    assert known(services, told) == {1: KITE, 2: "Likes tea"}
    assert "Nothing is archived" in operator.get(f"/people/{told}/archived")
    assert "no longer archived" in operator.get(f"/people/{told}/changes")
    assert "The change is taken back." in operator.undo_newest(told)
    assert archived(services, told) == [KITE]


def test_f9_it_is_found_by_its_words_and_marked(operator: Browser, told: int) -> None:
    found = operator.get(f"/people/{told}/facts?words=kites")

    assert listed(found) == [KITE]
    assert ">archived</span>" in found
    assert re.search(r"Alex .* 1 ", in_words(operator.get("/people"))), "live facts alone are counted"
    assert ">archived</span>" not in operator.get(f"/people/{told}/facts")


def test_f9_its_page_says_so_and_it_is_forgotten_from_there(operator: Browser, services: Services, told: int) -> None:
    page = operator.get(f"/people/{told}/facts/1")
    assert ">archived</span>" in page
    assert re.search(r'facts/1/restore">Bring back</button>', page)

    operator.act(f"/people/{told}/facts/1/forget")

    assert archived(services, told) == []
    assert listed(operator.get(f"/people/{told}/forgotten")) == [KITE]


def test_f9_correcting_it_brings_it_back(operator: Browser, services: Services, told: int) -> None:
    operator.post(f"/people/{told}/facts/1", fact="Has an old red kite", category="")
    assert known(services, told)[1] == "Has an old red kite"


def test_f9_the_operator_gives_a_fact_its_last_day_and_takes_it_away(
    operator: Browser, services: Services, told: int, clock: FrozenClock
) -> None:
    page = operator.act(f"/people/{told}/facts/2", fact="Likes tea", category="", last_day="2026-11-22")
    assert 'name="last_day" value="2026-11-22"' in page
    assert ">until 22 Nov 2026</span>" in page
    assert ">until 22 Nov 2026</span>" in operator.get(f"/people/{told}/facts")
    assert "has a last day" in operator.get(f"/people/{told}/changes")

    operator.post(f"/people/{told}/facts/2", fact="Likes green tea", category="")
    assert held(services, told, 2).expires_at, "a form without the field leaves it"

    clock.advance(days=3)
    operator.log_in()
    assert listed(operator.get(f"/people/{told}/facts")) == []
    assert listed(operator.get(f"/people/{told}/archived")) == ["Likes green tea", KITE]
    expired = operator.get(f"/people/{told}/facts/2")
    assert 'name="last_day" value=""' in expired, "whoever corrects it has it shown again"

    operator.post(f"/people/{told}/facts/2", fact="Likes green tea", category="", last_day="")
    assert known(services, told) == {2: "Likes green tea"}
    assert held(services, told, 2).expires_at is None


@pytest.mark.parametrize(("last_day", "why"), [("2020-01-01", "is over for this person"), ("soon", "is no day")])
def test_f9_a_last_day_that_will_not_do_is_given_back_with_the_reason(
    operator: Browser, services: Services, told: int, last_day: str, why: str
) -> None:
    response = operator.post(f"/people/{told}/facts/2", fact="Likes green tea", category="hot", last_day=last_day)

    assert response.status_code == 403
    assert why in response.text
    assert f'name="last_day" value="{last_day}"' in response.text
    assert "Likes green tea" in response.text
    assert known(services, told) == {2: "Likes tea"}


def test_f9_many_archived_facts_are_shown_fifty_at_a_time(operator: Browser, services: Services, told: int) -> None:
    for start in range(0, 60, 20):
        tell(services, told, *(f"Knows the word number{number}" for number in range(start, start + 20)))
    put_away(services, told, *range(3, 63))

    first = operator.get(f"/people/{told}/archived")
    second = operator.get(re.findall(r'href="/admin([^"]+skip=\d+)"', first)[0])

    assert [len(listed(page)) for page in (first, second)] == [50, 11]

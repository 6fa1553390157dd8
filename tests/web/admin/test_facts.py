"""A person's facts, live, archived and forgotten: found, added, corrected, pinned, forgotten and restored."""

import html
import re

import pytest

from app import memory
from app.memory import NewFact, Origin
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.archiving import archived, held, put_away
from tests.web.admin.conftest import Browser, in_words, listed
from tests.web.admin.scenes import TOLD, Someone

KITE = "Has an old kite"


@pytest.fixture
def told(services: Services, alex: Someone) -> Someone:
    """A person with two facts, the first of them archived."""
    alex.learn(KITE, "Likes tea")
    put_away(services, alex.id, 1)
    return alex


def test_facts_are_listed_newest_first_with_source_confidence_and_their_text(operator: Browser, alex: Someone) -> None:
    text = alex.text("I love black coffee, really")
    origin = Origin("assistant", "explicit", message_id=text.id, quote="I love black coffee")
    alex.learn("Likes black coffee", origin=origin)
    alex.learn("Has a dog named Max", origin=Origin("assistant", "inferred"))
    page = operator.get(f"{alex.path}/facts")
    assert listed(page) == ["Has a dog named Max", "Likes black coffee"]
    for told in ("told 100%", "inferred 70%"):
        assert re.sub(r"<[^>]+>", "", page).count(told) == 1
    assert "“I love black coffee”" in page
    link = html.unescape(re.findall(r'class="quote" [^>]*href="/admin([^"#]+)#message-\d+"', page)[0])
    assert f'sought" id="message-{text.id}"' in operator.get(link)
    assert link in html.unescape(operator.get(f"{alex.path}/facts/1"))


def test_facts_are_found_by_their_words_and_by_category(operator: Browser, services: Services, alex: Someone) -> None:
    facts = [NewFact("Has a dog named Max", "pets"), NewFact("Likes black coffee", "drinks")]
    memory.remember(services, alex.id, facts, TOLD)
    assert listed(operator.get(f"{alex.path}/facts?words=dogs")) == ["Has a dog named Max"]
    assert listed(operator.get(f"{alex.path}/facts?category=drinks")) == ["Likes black coffee"]
    assert "No fact found" in operator.get(f"{alex.path}/facts?words=cat")


def test_the_operator_adds_a_fact_unless_it_is_known_and_is_told_what_it_may_contradict(
    operator: Browser, services: Services, alex: Someone
) -> None:
    page = operator.act(f"{alex.path}/facts", fact="Lives in Portland", category="Home")
    assert "Added as fact 1." in page
    assert listed(page) == ["Lives in Portland"]
    fact = held(services, alex.id, 1)
    assert (fact.source, fact.category) == ("operator", "home")
    assert "Fact 1 says that already." in operator.act(f"{alex.path}/facts", fact="lives  in portland!")
    assert alex.live() == {1: "Lives in Portland"}
    page = operator.act(f"{alex.path}/facts", fact="Lives in Seattle")
    assert "Added as fact 2. It may be about the same thing as fact 1" in page
    operator.post(f"{alex.path}/facts/1", fact="Lives in Portland", category="")
    assert held(services, alex.id, 1).category is None


@pytest.mark.parametrize(
    ("to", "fields", "reason"),
    [
        ("facts", {"fact": "Likes " + "very " * 80 + "long sentences"}, "at most 300 are kept"),
        ("facts/1", {"fact": "Likes tea"}, "Fact 2 says"),
        ("facts/1", {"fact": "  "}, "this one is empty"),
        ("facts/1", {"fact": "My PIN is 4821"}, "never kept as a fact. Leave it out. A text that said it"),
        ("facts/2", {"fact": "Likes green tea", "last_day": "2020-01-01"}, "is over for this person"),
        ("facts/2", {"fact": "Likes green tea", "last_day": "soon"}, "is no day"),
    ],
)
def test_a_fact_that_will_not_do_is_given_back_with_the_reason(
    operator: Browser, alex: Someone, to: str, fields: dict[str, str], reason: str
) -> None:
    alex.learn("Likes black coffee", "Likes tea")
    response = operator.post(f"{alex.path}/{to}", category="drinks", **fields)
    assert response.status_code in {403, 409}
    for kept in (reason, fields["fact"].strip(), 'value="drinks"', f'value="{fields.get("last_day", "")}"'):
        assert kept in response.text
    assert alex.live() == {1: "Likes black coffee", 2: "Likes tea"}


def test_the_operator_corrects_a_fact_which_is_written_down_with_its_versions_and_can_be_taken_back(
    operator: Browser, alex: Someone, clock: FrozenClock
) -> None:
    alex.learn("Lives in Portland")
    clock.advance(days=2)
    operator.log_in()

    page = operator.act(f"{alex.path}/facts/1", fact="Lives in Seattle", category="home")
    assert "Fact 1 is corrected." in page
    assert alex.live() == {1: "Lives in Seattle"}
    assert (
        "2 Lives in Seattle home operator 23 Nov 2026, 09:00 PST now 23 Nov 2026, 09:00 PST now "
        "1 Lives in Portland told 21 Nov 2026, 09:00 PST 23 Nov 2026, 09:00 PST 21 Nov 2026, 09:00 PST "
        "23 Nov 2026, 09:00 PST"
    ) in in_words(page[page.rindex("<tbody>") :])

    page = operator.get(f"{alex.path}/changes")
    assert re.findall(r'data-label="Who">(\w+)<', page) == ["operator", "assistant"]
    assert re.findall(r'data-label="Did"><span class="mark \w+">(\w+)<', page) == ["revise", "remember"]
    assert "Lives in Portland</a></s> → " in page
    undone = operator.undo_newest(alex.id)
    assert "The change is taken back." in undone
    assert ">undone</span>" in undone
    assert alex.live() == {1: "Lives in Portland"}


def test_a_forgotten_fact_is_listed_apart_and_restored_unless_another_says_it(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea", "Has a dog named Max")
    forgotten = operator.act(f"{alex.path}/facts/1/forget")
    assert "Forgot fact 1. It is kept under Forgotten." in forgotten
    assert listed(forgotten) == ["Has a dog named Max"]
    assert listed(operator.get(f"{alex.path}/forgotten")) == ["Likes tea"]
    assert ">forgotten</span>" in operator.get(f"{alex.path}/facts/1")
    assert "Fact 1 is not there to forget." in operator.act(f"{alex.path}/facts/1/forget")

    assert "Fact 1 is remembered again." in operator.act(f"{alex.path}/facts/1/restore")
    assert alex.live() == {1: "Likes tea", 2: "Has a dog named Max"}
    assert "Nothing is forgotten" in operator.get(f"{alex.path}/forgotten")
    operator.post(f"{alex.path}/facts/1/forget")
    alex.learn("Likes tea")
    assert "Fact 1 cannot come back" in operator.act(f"{alex.path}/facts/1/restore")
    assert alex.live() == {2: "Has a dog named Max", 3: "Likes tea"}


def test_f9_what_is_archived_is_found_and_brought_back(operator: Browser, services: Services, told: Someone) -> None:
    live = operator.get(f"{told.path}/facts")
    assert listed(live) == ["Likes tea"]
    assert ">archived</span>" not in live
    assert re.search(r"Alex .* 1 ", operator.read("/people")), "live facts alone are counted"
    for where in ("facts?words=kites", "facts/1"):
        assert ">archived</span>" in (page := operator.get(f"{told.path}/{where}"))
        assert KITE in page
    assert re.search(r'facts/1/restore">Bring back</button>', page)
    page = operator.get(f"{told.path}/archived")
    assert listed(page) == [KITE]
    assert f'action="/admin{told.path}/facts/1/restore"' in page

    assert "Fact 1 is remembered again." in operator.act(f"{told.path}/facts/1/restore")
    assert told.live() == {1: KITE, 2: "Likes tea"}
    assert "Nothing is archived" in operator.get(f"{told.path}/archived")
    assert "no longer archived" in operator.get(f"{told.path}/changes")
    assert "The change is taken back." in operator.undo_newest(told.id)
    assert archived(services, told.id) == [KITE]


def test_f9_the_operator_gives_a_fact_its_last_day_and_takes_it_away(
    operator: Browser, services: Services, told: Someone, clock: FrozenClock
) -> None:
    page = operator.act(f"{told.path}/facts/2", fact="Likes tea", category="", last_day="2026-11-22")
    assert 'name="last_day" value="2026-11-22"' in page
    for where in (page, operator.get(f"{told.path}/facts")):
        assert ">until 22 Nov 2026</span>" in where
    assert "has a last day" in operator.get(f"{told.path}/changes")
    operator.post(f"{told.path}/facts/2", fact="Likes green tea", category="")
    assert held(services, told.id, 2).expires_at, "a form without the field leaves it"

    clock.advance(days=3)
    operator.log_in()
    assert listed(operator.get(f"{told.path}/facts")) == []
    assert listed(operator.get(f"{told.path}/archived")) == ["Likes green tea", KITE]
    expired = operator.get(f"{told.path}/facts/2")
    assert 'name="last_day" value=""' in expired, "whoever corrects it has it shown again"
    operator.post(f"{told.path}/facts/2", fact="Likes green tea", category="", last_day="")
    assert told.live() == {2: "Likes green tea"}
    assert held(services, told.id, 2).expires_at is None


def test_f9_many_facts_are_shown_fifty_at_a_time(operator: Browser, services: Services, alex: Someone) -> None:
    for start in range(0, 120, 20):
        alex.learn(*(f"Knows the word number{number}" for number in range(start, start + 20)))
    assert "120 facts" in operator.get(f"{alex.path}/facts")
    live = operator.pages(f"{alex.path}/facts")
    put_away(services, alex.id, *range(1, 121))
    for pages in (live, operator.pages(f"{alex.path}/archived")):
        assert [len(listed(page)) for page in pages] == [50, 50, 20]
        assert len({fact for page in pages for fact in listed(page)}) == 120

"""All memory of everybody: what is found by facets and words, and what is done to several at once."""

import html
import re
from typing import Any

import pytest

from app import memory
from app.jobs import pair_facts
from app.memory import Origin, changes
from app.models import Fact
from app.services import Services
from app.web.admin import memory_queries
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser, in_words, listed
from tests.web.admin.scenes import TOLD, Someone

INFERRED = Origin("assistant", "inferred")


def tick(operator: Browser, action: str, *chosen: str, path: str = "/memory") -> str:
    """The page that follows when these rows were ticked and the button was pressed."""
    operator.get(path)
    ticked: Any = list(chosen)
    return operator.act(path, action=action, chosen=ticked)


def said(page: str) -> str:
    [sentence] = re.findall(r'role="status">\s*<p>([^<]+)</p>', page)
    return html.unescape(sentence)


def add_numbered(person: Someone, count: int) -> None:
    now = person.services.clock.now()
    columns = {"category": None, "source": "explicit", "confidence": 1.0, "version": 1, "person_id": person.id}
    at = {"created_at": now, "recorded_at": now, "fresh_at": now}
    with person.services.transaction() as db:
        db.add_all(
            Fact(number=number, sentence=f"Fact {number}", normalised=f"fact {number}", **at, **columns)
            for number in range(1, count + 1)
        )


def test_facts_of_everybody_are_listed_the_newest_first_and_one_persons_by_themselves(
    operator: Browser, alex: Someone, ben: Someone
) -> None:
    alex.learn("Likes tea")
    ben.learn("Plays chess")
    alex.learn("Has a cat")
    page = operator.get("/memory")
    assert listed(page) == ["Has a cat", "Plays chess", "Likes tea"]
    assert f'href="/admin/memory?person={alex.id}"' in page
    assert listed(operator.get(f"/memory?person={ben.id}")) == ["Plays chess"]
    assert operator.client.get("/admin/memory?person=99").status_code == 404


def test_facets_narrow_and_each_says_how_many_the_others_leave(
    operator: Browser, services: Services, alex: Someone, ben: Someone, clock: FrozenClock
) -> None:
    alex.learn("Likes tea", "Likes soup", category="food")
    clock.advance(days=10)
    ben.learn("Likes cake", category="food", origin=INFERRED)
    ben.learn("Has a cat", "Has a dog", category="pets", origin=INFERRED)
    memory.pin_facts(services, ben.id, [2], TOLD)
    operator.log_in()

    page = operator.read("/memory")
    for words in (
        "pinned 1 archived 0 near-duplicates 0 conflicts 0",
        "Category food 3 pets 2",
        "Source inferred 3 told 2",
        "Confidence less 3 90% and more 2",
        "last 24 hours 3 1–7 days ago 0 7–30 days ago 2 before that 0",
    ):
        assert words in page
    for query, found in (
        ("category=food", ["Likes cake", "Likes soup", "Likes tea"]),
        ("category=food&source=inferred", ["Likes cake"]),
        ("marks=pinned", ["Has a cat"]),
        ("age=month", ["Likes soup", "Likes tea"]),
        ("confidence=unsure&category=pets", ["Has a dog", "Has a cat"]),
        ("category=pets&source=explicit", []),
    ):
        assert listed(page := operator.get(f"/memory?{query}")) == found, query
    assert "Nothing found" in page
    narrowed = operator.read("/memory?category=pets&source=inferred")
    assert "Category pets" in narrowed
    assert "inferred" in narrowed


def test_archived_facts_those_that_may_be_one_or_contradict_episodes_and_rules_are_found_by_their_facets(
    operator: Browser, services: Services, alex: Someone
) -> None:
    alex.learn("Likes black tea", "Lives in Lima", "Sings")
    alex.learn("Likes green tea", "Moved to Cusco")
    memory.archive_facts(services, alex.id, [3], TOLD)
    pair_facts.run(services)
    alex.episode(importance=0.95)
    alex.rule("Be brief")
    alex.rule("Three lines", "news")

    on_news = 'On "news": Three lines'
    for query, found in (
        ("marks=archived", ["Sings"]),
        ("marks=alike", ["Likes green tea", "Likes black tea"]),
        ("marks=conflict", ["Moved to Cusco", "Lives in Lima"]),
        ("kind=episodes", ["Alex passed the exam."]),
        ("kind=episodes&words=EXAM", ["Alex passed the exam."]),
        ("kind=rules", [on_news, "Be brief"]),
        ("kind=rules&holds=phrase", [on_news]),
    ):
        assert listed(operator.get(f"/memory?{query}")) == found, query
    assert ">conflict</a>" in operator.get("/memory")
    assert "Importance 90% and more 1" in operator.read("/memory?kind=episodes")


def test_over_everybody_words_are_sought_letter_by_letter_and_inside_one_person_in_any_form_and_by_meaning(
    operator: Browser, alex: Someone, ben: Someone
) -> None:
    alex.learn("Has two dogs", "Likes tea", "Has a cat named Max")
    ben.learn("Walks the dog of a neighbour")
    for query, found in (
        ("words=dog", ["Walks the dog of a neighbour", "Has two dogs"]),
        ("words=walking", []),
        (f"words=walking&person={ben.id}", ["Walks the dog of a neighbour"]),
        ("words=100%25", []),
    ):
        assert listed(operator.get(f"/memory?{query}")) == found, query
    assert "inside one person" in operator.get("/memory?words=dog")
    found = listed(operator.get(f"/memory?words=what+is+the+cat+named&by=meaning&person={alex.id}"))
    assert found[0] == "Has a cat named Max"
    assert "Likes tea" not in found


def test_what_is_looked_through_is_bounded_and_the_page_says_so_and_leads_further_back(
    operator: Browser, services: Services, alex: Someone
) -> None:
    most = memory_queries.LOOKED_THROUGH
    add_numbered(alex, 2 * most + 10)
    memory.pin_facts(services, alex.id, [7], TOLD)
    first = operator.get("/memory?confidence=unsure")
    assert listed(first) == []
    assert f"Nothing among the {most:,} looked through fits; there are more." in in_words(first)
    all_ = operator.get("/memory")
    assert f"{most}+ facts among the {most:,} looked through" in in_words(all_)
    assert listed(all_)[0] == f"Fact {2 * most + 10}"
    earlier = re.findall(r'href="/admin(/memory\?before=[^"]+)">Earlier', all_)[0]
    assert listed(operator.get(html.unescape(earlier)))[0] == f"Fact {2 * most - 40}"
    assert listed(operator.get("/memory?marks=pinned")) == ["Fact 7"], "found however long ago"


def test_ticked_facts_of_several_people_are_pinned_in_one_change_of_each(
    operator: Browser, services: Services, alex: Someone, ben: Someone
) -> None:
    alex.learn("Likes tea", "Has a cat")
    ben.learn("Plays chess")
    page = tick(operator, "pin", f"{alex.id}-1", f"{alex.id}-2", f"{ben.id}-1", f"{ben.id}-9", "x-1", "1-x")
    assert said(page) == (
        f"Pinned: facts 1, 2 of person {alex.id}; fact 1 of person {ben.id}. "
        f"Not there any more: fact 9 of person {ben.id}."
    )
    for person in (alex, ben):
        with services.reading() as db:
            assert [change.verb for change in changes.latest(db, person.id, 5)] == ["revise", "remember"]
    assert page.count('mark accent">pinned</span>') == 3
    assert said(tick(operator, "pin", f"{alex.id}-1")) == f"Pinned: nothing. So already: fact 1 of person {alex.id}."


def test_what_is_ticked_is_unpinned_archived_and_forgotten(
    operator: Browser, services: Services, alex: Someone
) -> None:
    alex.learn("Likes tea", "Has a cat", "Sings")
    memory.pin_facts(services, alex.id, [1, 2], TOLD)
    tick(operator, "unpin", f"{alex.id}-1", f"{alex.id}-2")
    assert listed(operator.get("/memory?marks=pinned")) == []
    tick(operator, "archive", f"{alex.id}-2")
    assert alex.live() == {1: "Likes tea", 3: "Sings"}
    page = tick(operator, "forget", f"{alex.id}-1", f"{alex.id}-3", path=f"/memory?person={alex.id}")
    assert said(page) == f"Forgotten: facts 1, 3 of person {alex.id}."
    assert listed(page) == ["Has a cat"]
    operator.undo_newest(alex.id)
    assert alex.live() == {1: "Likes tea", 3: "Sings"}

    alex.episode()
    alex.rule("Be brief")
    for kind in ("episode", "rule"):
        page = tick(operator, "forget", f"{alex.id}-1", path=f"/memory?kind={kind}s")
        assert said(page) == f"Forgotten: {kind} 1 of person {alex.id}."
        assert listed(page) == []


def test_where_nothing_is_ticked_or_the_action_is_none_nothing_is_done(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    assert said(tick(operator, "forget")).startswith("Nothing was ticked.")
    response = operator.post("/memory", action="praise", chosen=f"{alex.id}-1")
    assert response.status_code == 403
    assert "“praise” cannot be done to facts." in response.text
    assert alex.live() == {1: "Likes tea"}


def test_ticked_facts_of_one_person_are_merged_into_a_sentence_that_the_operator_edits(
    operator: Browser, alex: Someone, ben: Someone
) -> None:
    text = alex.text("My dog Max is a poodle")
    alex.learn("Has a dog named Max", "Likes tea")
    alex.learn("Max is a poodle", origin=Origin("assistant", "explicit", message_id=text.id))
    ben.learn("Likes tea")

    assert "only one person's can be merged" in said(tick(operator, "merge", f"{alex.id}-1", f"{ben.id}-1"))
    assert said(tick(operator, "merge", f"{alex.id}-1")) == "1 fact ticked; 2 to 20 can be merged."
    page = tick(operator, "merge", f"{alex.id}-3", f"{alex.id}-1")
    assert listed(page) == ["Has a dog named Max", "Max is a poodle"]
    assert ">Has a dog named Max</textarea>" in page
    assert f"#message-{text.id}" in page
    refused = operator.post(f"{alex.path}/merge", numbers="1,3", fact="Likes tea")
    assert refused.status_code == 409
    assert "Fact 2 says" in refused.text
    assert ">Likes tea</textarea>" in refused.text
    assert "Fewer than two of these facts are held" in operator.get(f"{alex.path}/merge?numbers=1,9,x")

    merged = operator.act(f"{alex.path}/merge", numbers="1,3", fact="Has a poodle named Max")
    assert said(merged) == "Fact 1 says it now, also what fact 3 said."
    assert alex.live() == {1: "Has a poodle named Max", 2: "Likes tea"}
    operator.undo_newest(alex.id)
    assert alex.live() == {1: "Has a dog named Max", 2: "Likes tea", 3: "Max is a poodle"}


@pytest.mark.parametrize("query", ["kind=x", "person=x", "before=x&age=y", "marks=z", "category=", f"before={10**30}"])
def test_what_no_page_of_ours_asks_for_shows_a_page_all_the_same(operator: Browser, alex: Someone, query: str) -> None:
    alex.learn("Likes tea")
    operator.get(f"/memory?{query}")

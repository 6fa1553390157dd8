"""All memory of everybody: what is found by filters and words, and what is done to several at once."""

import html
import re
from typing import Any

from app import memory
from app.jobs import pair_facts
from app.memory import Origin, changes
from app.services import Services
from tests.fakes import FrozenClock
from tests.tables import rows
from tests.web.admin.conftest import Browser, listed
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


def test_all_facts_are_listed_newest_first_or_one_persons(operator: Browser, alex: Someone, ben: Someone) -> None:
    alex.learn("Likes tea")
    ben.learn("Plays chess")
    alex.learn("Has a cat")
    page = operator.get("/memory")
    assert listed(page) == ["Has a cat", "Plays chess", "Likes tea"]
    assert f'href="/admin/memory?person={alex.id}"' in page
    assert listed(operator.get(f"/memory?person={ben.id}")) == ["Plays chess"]
    assert operator.client.get("/admin/memory?person=99").status_code == 404


def test_facts_episodes_and_rules_are_found_by_one_filter_and_by_several(
    operator: Browser, services: Services, alex: Someone, ben: Someone, clock: FrozenClock
) -> None:
    alex.learn("Likes soup", "Likes black tea", "Lives in Lima", "Sings", category="food")
    memory.archive_facts(services, alex.id, [4], TOLD)
    clock.advance(days=10)
    alex.learn("Likes green tea", "Moved to Cusco")
    pair_facts.run(services)
    ben.learn("Likes cake", category="food", origin=INFERRED)
    ben.learn("Has a cat", category="pets", origin=INFERRED)
    memory.pin_facts(services, ben.id, [2], TOLD)
    alex.episode()
    alex.rule("Be brief")
    operator.log_in()

    for query, found in rows("found_in_memory.jsonl"):
        assert listed(page := operator.get(f"/memory?{query}")) == found, query
        assert ("Nothing found" in page) == (not found)
    page = operator.get("/memory?category=pets")
    assert ">conflict</a>" in operator.get("/memory")
    assert "<option>food</option>" in page
    assert "<option selected>pets</option>" in page


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


def test_fifty_stand_on_a_page_and_a_rare_one_is_found(operator: Browser, services: Services, alex: Someone) -> None:
    for start in range(0, 120, 20):
        alex.learn(*(f"Knows the word number{number}" for number in range(start, start + 20)))
    memory.pin_facts(services, alex.id, [7], TOLD)
    pages = [listed(page) for page in operator.pages("/memory?source=explicit")]
    assert [len(page) for page in pages] == [50, 50, 20]
    assert pages[0][0] == "Knows the word number119"
    assert listed(operator.get("/memory?marks=pinned")) == ["Knows the word number6"]
    pages = [listed(page) for page in operator.pages(f"/memory?words=word&person={alex.id}")]
    assert [len(page) for page in pages] == [50, 50, 20]


def test_marks_alone_find_nothing_and_an_episode_is_found_as_it_is_written(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    alex.episode("Alex didn't pass Ana's exam.")
    for kind in ("facts", "episodes"):
        assert listed(operator.get(f"/memory?words=!!!&kind={kind}")) == []
    for words in ("didn't", "ANA'S exam."):
        assert len(listed(operator.get(f"/memory?words={words}&kind=episodes"))) == 1


def test_ticked_facts_of_several_people_are_pinned_in_one_change_of_each(
    operator: Browser, services: Services, alex: Someone, ben: Someone
) -> None:
    alex.learn("Likes tea", "Has a cat")
    ben.learn("Plays chess")
    page = tick(operator, "pin", f"{alex.id}-1", f"{alex.id}-2", f"{ben.id}-1", f"{ben.id}-9", "x-1", "1-x")
    assert said(page) == ("Pinned: facts 1, 2 of Alex; fact 1 of Ben. Not there any more: fact 9 of Ben.")
    for person in (alex, ben):
        with services.reading() as db:
            assert [change.verb for change in changes.latest(db, person.id, 5)] == ["revise", "remember"]
    assert page.count('mark accent">pinned</span>') == 3
    assert said(tick(operator, "pin", f"{alex.id}-1")) == "Pinned: nothing. So already: fact 1 of Alex."


def test_what_is_ticked_is_unpinned_archived_or_forgotten(operator: Browser, services: Services, alex: Someone) -> None:
    alex.learn("Likes tea", "Has a cat", "Sings")
    memory.pin_facts(services, alex.id, [1, 2], TOLD)
    tick(operator, "unpin", f"{alex.id}-1", f"{alex.id}-2")
    assert listed(operator.get("/memory?marks=pinned")) == []
    tick(operator, "archive", f"{alex.id}-2")
    assert alex.live() == {1: "Likes tea", 3: "Sings"}
    page = tick(operator, "forget", f"{alex.id}-1", f"{alex.id}-3", path=f"/memory?person={alex.id}")
    assert said(page) == "Forgotten: facts 1, 3 of Alex."
    assert listed(page) == ["Has a cat"]
    operator.undo_newest(alex.id)
    assert alex.live() == {1: "Likes tea", 3: "Sings"}

    alex.episode()
    alex.rule("Be brief")
    for kind in ("episode", "rule"):
        page = tick(operator, "forget", f"{alex.id}-1", path=f"/memory?kind={kind}s")
        assert said(page) == f"Forgotten: {kind} 1 of Alex."
        assert listed(page) == []


def test_where_nothing_is_ticked_or_the_action_is_none_nothing_is_done(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    assert said(tick(operator, "forget")).startswith("Nothing was ticked.")
    response = operator.post("/memory", action="praise", chosen=f"{alex.id}-1")
    assert response.status_code == 403
    assert "“praise” cannot be done to facts." in response.text
    assert alex.live() == {1: "Likes tea"}


def test_ticked_facts_of_one_person_are_merged_into_one_edited(operator: Browser, alex: Someone, ben: Someone) -> None:
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


def test_what_no_page_of_ours_asks_for_shows_a_page_all_the_same(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    for query in ("kind=x", "person=x", "before=x&age=y", "marks=z", "category=", f"before={10**30}"):
        operator.get(f"/memory?{query}")

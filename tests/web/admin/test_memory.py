"""All memory of everybody: what is found by facets and words, and what is done to several at once."""

import html
import re
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from app import memory
from app.jobs import pair_facts
from app.memory import Origin, RuleWords, changes
from app.models import Fact, Person
from app.services import Services
from app.web.admin import memory_queries
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser, in_words, listed
from tests.web.admin.scenes import TOLD, add_episode, add_person, add_text, add_turn, learn, live

INFERRED = Origin(actor="assistant", source="inferred")


@pytest.fixture
def ben(services: Services) -> Person:
    return add_person(services, "+12065550111", name="Ben")


def tick(operator: Browser, action: str, *chosen: str, path: str = "/memory") -> str:
    """The page that follows when these rows were ticked and the button was pressed."""
    operator.get(path)
    fields: MultiDict[str, Any] = MultiDict([("csrf_token", operator.token()), ("action", action)])
    fields.setlist("chosen", list(chosen))
    response = operator.client.post(f"/admin{path}", data=fields, headers={"Origin": "http://localhost"})
    assert response.status_code == 303, response.text
    return operator.get(response.headers["Location"].removeprefix("/admin"))


def said(page: str) -> str:
    [sentence] = re.findall(r'role="status">\s*<p>([^<]+)</p>', page)
    return html.unescape(sentence)


def test_facts_of_everybody_are_listed_the_newest_first_and_one_persons_by_themselves(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Likes tea")
    learn(services, ben, "Plays chess")
    learn(services, alex, "Has a cat")

    assert listed(operator.get("/memory")) == ["Has a cat", "Plays chess", "Likes tea"]
    assert listed(operator.get(f"/memory?person={ben.id}")) == ["Plays chess"]
    assert f'href="/admin/memory?person={alex.id}"' in operator.get("/memory")


def test_facets_narrow_and_each_says_how_many_the_others_leave(
    operator: Browser, services: Services, alex: Person, ben: Person, clock: FrozenClock
) -> None:
    learn(services, alex, "Likes tea", "Likes soup", category="food")
    clock.advance(days=10)
    learn(services, ben, "Likes cake", category="food", origin=INFERRED)
    learn(services, ben, "Has a cat", "Has a dog", category="pets", origin=INFERRED)
    memory.pin_facts(services, ben.id, [2], TOLD)
    operator.log_in()

    page = in_words(operator.get("/memory"))
    assert "pinned 1 archived 0 near-duplicates 0 conflicts 0" in page
    assert "Category food 3 pets 2" in page
    assert "Source inferred 3 told 2" in page
    assert "Confidence less 3 90% and more 2" in page
    assert "last 24 hours 3 1–7 days ago 0 7–30 days ago 2 before that 0" in page

    assert listed(operator.get("/memory?category=food")) == ["Likes cake", "Likes soup", "Likes tea"]
    assert listed(operator.get("/memory?category=food&source=inferred")) == ["Likes cake"]
    assert listed(operator.get("/memory?marks=pinned")) == ["Has a cat"]
    assert listed(operator.get("/memory?age=month")) == ["Likes soup", "Likes tea"]
    assert listed(operator.get("/memory?confidence=unsure&category=pets")) == ["Has a dog", "Has a cat"]
    assert "Category pets" in (narrowed := in_words(operator.get("/memory?category=pets&source=inferred")))
    assert "inferred" in narrowed
    assert "Nothing found" in operator.get("/memory?category=pets&source=explicit")


def test_archived_facts_and_those_that_may_be_one_or_contradict_are_facets(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes black tea", "Lives in Lima", "Sings")
    learn(services, alex, "Likes green tea", "Moved to Cusco")
    memory.archive_facts(services, alex.id, [3], TOLD)
    pair_facts.run(services)

    assert listed(operator.get("/memory?marks=archived")) == ["Sings"]
    assert listed(operator.get("/memory?marks=alike")) == ["Likes green tea", "Likes black tea"]
    assert listed(operator.get("/memory?marks=conflict")) == ["Moved to Cusco", "Lives in Lima"]
    assert ">conflict</a>" in operator.get("/memory")


def test_episodes_and_rules_have_facets_of_their_own(operator: Browser, services: Services, alex: Person) -> None:
    add_episode(services, add_turn(services, alex.id, "Passed!", "Great!"), importance=0.95)
    memory.set_rule(services, alex.id, RuleWords("always", None, "Be brief"), TOLD)
    memory.set_rule(services, alex.id, RuleWords("phrase", "news", "Three lines"), TOLD)

    episodes, rules = operator.get("/memory?kind=episodes"), operator.get("/memory?kind=rules")

    assert listed(episodes) == ["Alex passed the exam."]
    assert "Importance 90% and more 1" in in_words(episodes)
    assert listed(rules) == ['On "news": Three lines', "Be brief"]
    assert listed(operator.get("/memory?kind=rules&holds=phrase")) == ['On "news": Three lines']
    assert listed(operator.get("/memory?kind=episodes&words=EXAM")) == ["Alex passed the exam."]


def test_over_everybody_words_are_sought_letter_by_letter_and_inside_one_person_in_any_form(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Has two dogs", "Likes tea")
    learn(services, ben, "Walks the dog of a neighbour")

    assert listed(operator.get("/memory?words=dog")) == ["Walks the dog of a neighbour", "Has two dogs"]
    assert listed(operator.get("/memory?words=walking")) == []
    assert listed(operator.get(f"/memory?words=walking&person={ben.id}")) == ["Walks the dog of a neighbour"]
    assert "inside one person" in operator.get("/memory?words=dog")
    assert listed(operator.get("/memory?words=100%25")) == []


def test_inside_one_person_what_answers_best_comes_first_by_meaning(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Has a dog named Max", "Likes tea", "Walks with the dog every day")

    page = operator.get(f"/memory?words=what+is+the+dog+named&by=meaning&person={alex.id}")

    assert listed(page)[0] == "Has a dog named Max"
    assert "Likes tea" not in listed(page)


def test_what_is_looked_through_is_bounded_and_the_page_says_so_and_leads_further_back(
    operator: Browser, services: Services, alex: Person
) -> None:
    most = memory_queries.LOOKED_THROUGH
    add_numbered(services, alex, 2 * most + 10)

    first = operator.get("/memory?confidence=unsure")
    assert listed(first) == []
    assert f"Nothing among the {most:,} looked through fits; there are more." in in_words(first)
    all_ = operator.get("/memory")
    assert f"{most}+ facts among the {most:,} looked through" in in_words(all_)
    assert listed(all_)[0] == f"Fact {2 * most + 10}"
    earlier = re.findall(r'href="/admin(/memory\?before=[^"]+)">Earlier', all_)[0]
    assert listed(operator.get(html.unescape(earlier)))[0] == f"Fact {2 * most - 40}"


def test_of_many_the_few_that_are_pinned_are_found_however_long_ago(
    operator: Browser, services: Services, alex: Person
) -> None:
    add_numbered(services, alex, memory_queries.LOOKED_THROUGH + 100)
    memory.pin_facts(services, alex.id, [7], TOLD)

    assert listed(operator.get("/memory?marks=pinned")) == ["Fact 7"]


def add_numbered(services: Services, person: Person, count: int) -> None:
    now = services.clock.now()
    columns = {"category": None, "source": "explicit", "confidence": 1.0, "version": 1}
    with services.transaction() as db:
        db.add_all(
            Fact(
                person_id=person.id,
                number=number,
                sentence=f"Fact {number}",
                normalised=f"fact {number}",
                created_at=now,
                recorded_at=now,
                fresh_at=now,
                **columns,
            )
            for number in range(1, count + 1)
        )


def test_ticked_facts_of_several_people_are_pinned_in_one_change_of_each(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a cat")
    learn(services, ben, "Plays chess")

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


def test_ticked_facts_are_unpinned_archived_and_forgotten(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex, "Likes tea", "Has a cat", "Sings")
    memory.pin_facts(services, alex.id, [1, 2], TOLD)

    tick(operator, "unpin", f"{alex.id}-1", f"{alex.id}-2")
    assert listed(operator.get("/memory?marks=pinned")) == []
    tick(operator, "archive", f"{alex.id}-2")
    assert live(services, alex) == {1: "Likes tea", 3: "Sings"}
    page = tick(operator, "forget", f"{alex.id}-1", f"{alex.id}-3", path=f"/memory?person={alex.id}")

    assert said(page) == f"Forgotten: facts 1, 3 of person {alex.id}."
    assert listed(page) == ["Has a cat"]
    operator.undo_newest(alex.id)
    assert live(services, alex) == {1: "Likes tea", 3: "Sings"}


def test_ticked_episodes_and_rules_are_forgotten(operator: Browser, services: Services, alex: Person) -> None:
    add_episode(services, add_turn(services, alex.id, "Passed!", "Great!"))
    memory.set_rule(services, alex.id, RuleWords("always", None, "Be brief"), TOLD)

    episodes = tick(operator, "forget", f"{alex.id}-1", path="/memory?kind=episodes")
    rules = tick(operator, "forget", f"{alex.id}-1", path="/memory?kind=rules")

    assert said(episodes) == f"Forgotten: episode 1 of person {alex.id}."
    assert said(rules) == f"Forgotten: rule 1 of person {alex.id}."
    assert listed(episodes) == listed(rules) == []


def test_where_nothing_is_ticked_or_the_action_is_none_nothing_is_done(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")

    assert said(tick(operator, "forget")).startswith("Nothing was ticked.")
    response = operator.post("/memory", action="praise", chosen=f"{alex.id}-1")
    assert response.status_code == 403
    assert "“praise” cannot be done to facts." in response.text
    assert live(services, alex) == {1: "Likes tea"}


def test_ticked_facts_of_one_person_are_merged_into_a_sentence_that_the_operator_edits(
    operator: Browser, services: Services, alex: Person
) -> None:
    text = add_text(services, alex.id, "My dog Max is a poodle")
    learn(services, alex, "Has a dog named Max", "Likes tea")
    learn(services, alex, "Max is a poodle", origin=Origin("assistant", "explicit", message_id=text.id))

    page = tick(operator, "merge", f"{alex.id}-3", f"{alex.id}-1")
    assert listed(page) == ["Has a dog named Max", "Max is a poodle"]
    assert ">Has a dog named Max</textarea>" in page
    assert f"#message-{text.id}" in page

    merged = operator.act(f"/people/{alex.id}/merge", numbers="1,3", fact="Has a poodle named Max")

    assert said(merged) == "Fact 1 says it now, also what fact 3 said."
    assert live(services, alex) == {1: "Has a poodle named Max", 2: "Likes tea"}
    operator.undo_newest(alex.id)
    assert live(services, alex) == {1: "Has a dog named Max", 2: "Likes tea", 3: "Max is a poodle"}


def test_facts_of_two_people_or_a_single_one_are_not_merged(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Likes tea")
    learn(services, ben, "Likes tea")

    assert "only one person's can be merged" in said(tick(operator, "merge", f"{alex.id}-1", f"{ben.id}-1"))
    assert said(tick(operator, "merge", f"{alex.id}-1")) == "1 fact ticked; 2 to 20 can be merged."


def test_a_merging_that_will_not_do_is_given_back_with_the_reason(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Has a cat", "Likes tea", "Has a dog")

    response = operator.post(f"/people/{alex.id}/merge", numbers="1,3", fact="Likes tea")

    assert response.status_code == 409
    assert "Fact 2 says" in response.text
    assert ">Likes tea</textarea>" in response.text
    assert "Fewer than two of these facts are held" in operator.get(f"/people/{alex.id}/merge?numbers=1,9,x")


@pytest.mark.parametrize("query", ["kind=x", "person=x", "before=x&age=y", "marks=z", "category=", f"before={10**30}"])
def test_what_no_page_of_ours_asks_for_shows_a_page_all_the_same(
    operator: Browser, services: Services, alex: Person, query: str
) -> None:
    learn(services, alex, "Likes tea")

    operator.get(f"/memory?{query}")


def test_a_person_who_is_not_there_is_said_to_be_not_there(operator: Browser) -> None:
    assert operator.client.get("/admin/memory?person=99").status_code == 404


def test_the_ids_of_facts_that_are_listed_are_those_of_the_database(services: Services, alex: Person) -> None:
    add_numbered(services, alex, 3)
    with services.reading() as db:
        page = memory_queries.listed(db, memory_queries.Asked("facts"), services.clock.now())
        assert [row.id for row in page.rows] == list(db.scalars(select(Fact.id).order_by(Fact.id.desc())))
        assert page.is_all
        assert page.next_key is None

"""A fact's own page: what it is linked to, where it was shown and why, and what can be done with it."""

import html
import re

import pytest

from app import memory
from app.jobs import pair_facts
from app.memory import NewFact, Origin
from app.memory import facts as fact_rows
from app.models import Person
from app.services import Services
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn

TOLD = Origin(actor="assistant", source="explicit")


def learn(services: Services, person: Person, *sentences: str) -> None:
    memory.remember(services, person.id, [NewFact(sentence) for sentence in sentences], TOLD)


def live(services: Services, person: Person) -> dict[int, str]:
    with services.reading() as db:
        return {fact.number: fact.sentence for fact in fact_rows.live(db, person.id, services.clock.now())}


def section(page: str, title: str) -> str:
    """The words of the part of the page under this heading."""
    [part] = re.findall(rf'aria-labelledby="{title}">(.*?)</section>', page, re.DOTALL)
    return in_words(part)


def test_the_turns_that_had_it_say_why_and_lead_to_their_texts(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea & cake")
    near = {"kind": "fact", "id": 1, "score": 0.62, "scale": "meaning", "floor": 0.35}
    turns = [
        add_turn(services, alex.id, "Hi", "Hello", memory_shown="<facts>Likes tea &amp; cake.</facts>"),
        add_turn(services, alex.id, "What do I drink?", "Tea", recalled=[near]),
        add_turn(services, alex.id, "And?", "Cake", recalled=[near | {"carried": True}]),
        add_turn(services, alex.id, "Bye", "Bye", recalled=[near | {"id": 2}], memory_shown="<facts></facts>"),
    ]

    page = operator.get(f"/people/{alex.id}/facts/1")

    shown = section(page, "uses-title")
    assert re.findall(r"carried over|by meaning, 0.62, the floor 0.35|always included", shown) == [
        "carried over",
        "by meaning, 0.62, the floor 0.35",
        "always included",
    ]
    assert "In 3 of the latest 4 turns." in shown
    assert f"around=1#message-{1}" in page
    assert len(turns) == 4


def test_a_fact_that_was_never_shown_says_so_and_so_does_an_episode(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    turn = add_turn(services, alex.id, "I passed!", "Great!", recalled=[{"kind": "nearest", "id": None, "score": 0.1}])
    add_episode(services, turn)

    assert "In none of the latest 1 turn." in section(operator.get(f"/people/{alex.id}/facts/1"), "uses-title")
    assert "In none of the latest 1 turn." in section(operator.get(f"/people/{alex.id}/episodes/1"), "uses-title")


def test_an_episode_tells_where_it_was_shown(operator: Browser, services: Services, alex: Person) -> None:
    add_episode(services, add_turn(services, alex.id, "I passed!", "Great!"))
    add_turn(
        services,
        alex.id,
        "What did I pass?",
        "It",
        recalled=[{"kind": "episode", "id": 1, "score": 0.0, "scale": "days"}],
    )

    shown = section(operator.get(f"/people/{alex.id}/episodes/1"), "uses-title")

    assert "it happened when that asks for" in shown


def test_it_leads_to_the_episode_it_was_learned_in_and_to_what_was_merged_into_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    turn = add_turn(services, alex.id, "I have a dog, Max, a poodle", "Nice!")
    text = add_text(services, alex.id, "Max!", turn_id=turn.id)
    origin = Origin("assistant", "explicit", turn_id=turn.id, message_id=text.id)
    memory.remember(services, alex.id, [NewFact("Has a dog named Max"), NewFact("Max is a poodle")], origin)
    add_episode(services, turn)
    memory.merge(services, alex.id, [1, 2], "Has a poodle named Max", TOLD)

    into, gone = operator.get(f"/people/{alex.id}/facts/1"), operator.get(f"/people/{alex.id}/facts/2")

    assert "Alex passed the exam. learned in episode 1" in section(into, "links-title")
    assert "Max is a poodle fact 2, merged into it" in section(into, "links-title")
    assert "It is said by <a" in gone
    assert "Merged 21 Nov 2026, 09:00 PST by the assistant." in section(gone, "receipt-title")


def test_facts_much_like_it_can_be_merged_with_it_or_kept_apart(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes black tea", "Lives in Lima")
    learn(services, alex, "Likes green tea", "Moved to Cusco")
    pair_facts.run(services)

    page = operator.get(f"/people/{alex.id}/facts/1")
    assert "Likes green tea much alike fact 3, 50% the same words" in section(page, "alike-title")
    assert f"/admin/people/{alex.id}/merge?numbers=1,3" in html.unescape(page)
    assert "may contradict it" in operator.get(f"/people/{alex.id}/facts/4")

    after = operator.act(f"/people/{alex.id}/facts/1/apart/3")

    assert "Facts 1 and 3 stand side by side" in after
    assert "Much like it" not in after
    assert "Much like it" not in operator.get(f"/people/{alex.id}/facts/3")
    operator.act(f"/people/{alex.id}/facts/1/apart/99")


def test_it_is_archived_and_brought_back_on_its_page(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex, "Likes tea")

    page = operator.act(f"/people/{alex.id}/facts/1/archive")

    assert "Archived fact 1." in page
    assert ">archived</span>" in page
    assert live(services, alex) == {}
    assert "Fact 1 is archived or forgotten already." in operator.act(f"/people/{alex.id}/facts/1/archive")
    operator.undo_newest(alex.id)
    assert live(services, alex) == {1: "Likes tea"}


def test_forgotten_on_its_page_it_is_receipted_there(operator: Browser, services: Services, alex: Person) -> None:
    turn = add_turn(services, alex.id, "I have a dog named Max. I passed the exam.", "Nice!")
    learn(services, alex, "Has a dog named Max")
    add_episode(services, turn, "Alex has a dog named Max.")

    page = operator.act(f"/people/{alex.id}/facts/1/forget", receipt="1")

    assert "Forgot fact 1." in page
    told = section(page, "receipt-title")
    assert "Facts 1 Episodes told anew 1 Texts indexed anew 2 Quotes shortened none Rows left in the index 0" in told
    operator.act(f"/people/{alex.id}/facts/1/restore")
    assert "What was removed" not in operator.get(f"/people/{alex.id}/facts/1")


@pytest.mark.parametrize("to", ["+12065550111", "ben", "Ben", "+1 (206) 555-0111"])
def test_a_fact_learned_from_the_wrong_number_is_moved_to_its_person(
    operator: Browser, services: Services, alex: Person, to: str
) -> None:
    ben = add_person(services, "+12065550111", name="Ben")
    add_person(services, "+12065550222", name="Benjamin")
    learn(services, alex, "Likes tea", "Has a dog")

    asked = operator.post(f"/people/{alex.id}/facts/2/move/ask", to=to).text
    [to_id] = re.findall(r'name="to_id" value="(\d+)"', asked)
    page = operator.act(f"/people/{alex.id}/facts/2/move", to_id=to_id)

    assert f"Moved to person {ben.id}: fact 1 there. Nothing of it is left here." in page
    assert ">moved</span>" in page
    assert live(services, alex) == {1: "Likes tea"}
    assert live(services, ben) == {1: "Has a dog"}
    assert ">move</span>" in operator.get(f"/people/{alex.id}/changes")
    assert ">move</span>" in operator.get(f"/people/{ben.id}/changes")


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("", "Nobody was named."),
        ("Zoe", "Nobody has the number or name “Zoe”."),
        ("Be", "Nobody has the number or name “Be”."),
        ("Bea", "2 people have the number or name “Bea”. Write the whole number"),
        ("Alex", "The fact is this person&#39;s already."),
    ],
)
def test_a_move_to_nobody_or_to_one_of_several_is_given_back(
    operator: Browser, services: Services, alex: Person, to: str, reason: str
) -> None:
    add_person(services, "+12065550111", name="Ben")
    add_person(services, "+12065550222", name="Bea")
    add_person(services, "+12065550223", name="Bea")
    learn(services, alex, "Has a dog")

    response = operator.post(f"/people/{alex.id}/facts/1/move/ask", to=to)

    assert response.status_code == 403
    assert reason in response.text
    assert live(services, alex) == {1: "Has a dog"}

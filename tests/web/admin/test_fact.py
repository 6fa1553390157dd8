"""A fact's own page, its links and uses, what can be done with it, and the undo of one change."""

import html
import re

import pytest

from app import memory
from app.jobs import pair_facts
from app.memory import NewFact, Origin
from app.models import Person
from app.services import Services
from tests.memory.remembering import known
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import TOLD, add_episode, add_person, add_text, add_turn, learn, live


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
    assert "Fact 2 Has a dog From Alex To Ben" in in_words(asked)
    assert live(services, alex) == {1: "Likes tea", 2: "Has a dog"}
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
        ("555", "Nobody has the number or name “555”."),
        ("+1206555017", "Nobody has the number or name “+1206555017”."),
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


def notice(page: str) -> str:
    return page[page.index('class="notice') : page.index("<h1")]


def undo_in(page: str) -> str:
    """The address of the undo that stands beside the sentence."""
    found = re.search(r'action="/admin(/people/\d+/changes/\d+/undo)"', notice(page))
    assert found is not None, in_words(notice(page))
    return found[1]


@pytest.fixture
def ben(services: Services) -> Person:
    return add_person(services, "+12065550177", name="Ben")


def facts(services: Services, person: Person) -> list[str]:
    return list(known(services, person.id).values())


def test_a_correction_that_changes_nothing_says_so_and_offers_no_undo(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    page = operator.act(f"/people/{alex.id}/facts/1", fact="Likes tea", category="")
    assert "Fact 1 says that already: nothing was changed." in page
    assert "undo" not in notice(page)

    operator.act(f"/people/{alex.id}/rules", trigger_kind="always", procedure="Be brief")
    page = operator.act(f"/people/{alex.id}/rules/1", trigger_kind="always", procedure="Be brief")
    assert "Rule 1 says that already: nothing was changed." in page
    assert "undo" not in notice(page)


def test_undo_of_forget_brings_that_back_and_leaves_what_was_learned_since(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Likes tea")
    forgot = operator.act(f"/people/{alex.id}/facts/1/forget")
    learn(services, alex, "Has a kite")

    assert "The change is taken back." in operator.act(undo_in(forgot))

    assert sorted(facts(services, alex)) == ["Has a kite", "Likes tea"]
    for address in (undo_in(forgot), f"/people/{ben.id}/changes/1/undo"):
        assert "There is no such change left to take back." in operator.act(address)
    assert sorted(facts(services, alex)) == ["Has a kite", "Likes tea"]


def test_a_change_that_a_later_one_stands_upon_is_not_taken_back_before_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    corrected = operator.act(f"/people/{alex.id}/facts/1", fact="Likes green tea", category="")
    again = operator.act(f"/people/{alex.id}/facts/1", fact="Likes black tea", category="")

    assert "Fact 1 was changed again since. Take the later change back first." in operator.act(undo_in(corrected))
    assert facts(services, alex) == ["Likes black tea"]
    page = operator.get(f"/people/{alex.id}/changes")
    assert page.count("A later change stands upon it") == 2

    operator.act(undo_in(again))
    operator.act(undo_in(corrected))
    assert facts(services, alex) == ["Likes tea"]


def test_each_row_of_changes_that_can_be_taken_back_has_its_own_undo(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    learn(services, alex, "Has a kite")
    page = operator.get(f"/people/{alex.id}/changes")
    addresses = re.findall(r'action="/admin(/people/\d+/changes/\d+/undo)"', page)
    assert len(addresses) == 2
    operator.act(addresses[1])
    assert facts(services, alex) == ["Has a kite"]


def test_undo_beside_the_sentence_leads_back_to_the_page_it_stands_on_and_to_no_other_site(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a kite")
    forgot = operator.act(f"/people/{alex.id}/facts/1/forget")
    here, address = f"/admin/people/{alex.id}/facts", undo_in(forgot)
    assert f'name="back" value="{here}"' in notice(forgot)
    assert operator.post(address, back=here).headers["Location"] == here
    assert sorted(facts(services, alex)) == ["Has a kite", "Likes tea"]
    for back in ("https://evil.example/admin/", "//evil.example", "/admin/\r\nX: 1", ""):
        assert operator.post(address, back=back).headers["Location"] == f"/admin/people/{alex.id}/changes"


@pytest.mark.parametrize("whose", ["the first", "the other"])
def test_undo_of_a_move_leaves_the_fact_with_one_person(
    operator: Browser, services: Services, alex: Person, ben: Person, whose: str
) -> None:
    learn(services, alex, "Has a birthday in May")
    moved = operator.act(f"/people/{alex.id}/facts/1/move", to_id=str(ben.id))
    assert (facts(services, alex), facts(services, ben)) == ([], ["Has a birthday in May"])

    if whose == "the first":
        operator.act(undo_in(moved))
    else:
        operator.undo_newest(ben.id)

    assert (facts(services, alex), facts(services, ben)) == (["Has a birthday in May"], [])


def test_a_move_is_not_taken_back_under_a_later_correction_at_the_other(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Has a birthday in May")
    moved = operator.act(f"/people/{alex.id}/facts/1/move", to_id=str(ben.id))
    operator.act(f"/people/{ben.id}/facts/1", fact="Has a birthday in June", category="")
    assert "Fact 1 was changed again since." in operator.act(undo_in(moved))
    assert (facts(services, alex), facts(services, ben)) == ([], ["Has a birthday in June"])


def test_the_address_of_a_refused_form_entered_again_shows_the_page_that_has_the_form(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Has a kite")
    for address in ("facts/1/move", "facts/1/move/ask"):
        assert "Has a kite" in operator.get(f"/people/{alex.id}/{address}")
    response = operator.client.get(f"/admin/people/{alex.id}/routines/7/run")
    assert response.headers["Location"].endswith(f"/people/{alex.id}/routines/7")

"""A fact's own page, its links and uses, what can be done with it, and the undo of one change."""

import re

import pytest

from app import memory
from app.memory import Origin, RuleWords
from app.services import Services
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import BY_PERSON, TOLD, Someone, add_person

NEAR = {"kind": "fact", "id": 1, "score": 0.62, "scale": "meaning", "floor": 0.35}


def section(page: str, title: str) -> str:
    """The words of the part of the page under this heading."""
    [part] = re.findall(rf'aria-labelledby="{title}">(.*?)</section>', page, re.DOTALL)
    return in_words(part)


def notice(page: str) -> str:
    return page[page.index('class="notice') : page.index("<h1")]


def undo_in(page: str) -> str:
    """The address of the undo that stands beside the sentence."""
    [address] = re.findall(r'action="/admin(/people/\d+/changes/\d+/undo)"', notice(page))
    return str(address)


def test_the_turns_that_had_it_say_why_and_lead_to_their_texts(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea & cake")
    alex.turn("Hi", "Hello", memory_shown="<facts>Likes tea &amp; cake.</facts>")
    alex.turn("What do I drink?", "Tea", recalled=[NEAR])
    alex.turn("And?", "Cake", recalled=[NEAR | {"carried": True}])
    alex.turn("Bye", "Bye", recalled=[NEAR | {"id": 2}], memory_shown="<facts></facts>")
    page = operator.get(f"{alex.path}/facts/1")
    shown = section(page, "uses-title")
    reasons = ["carried over", "by meaning, 0.62, the floor 0.35", "always included"]
    assert re.findall("|".join(reasons), shown) == reasons
    assert "In 3 of the latest 4 turns." in shown
    assert "around=1#message-1" in page


def test_a_memory_that_was_never_shown_says_so_and_an_episode_where_it_was(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    alex.episode(of=alex.turn("I passed!", "Great!", recalled=[{"kind": "nearest", "id": None, "score": 0.1}]))
    for page in ("facts/1", "episodes/1"):
        assert "In none of the latest 1 turn." in section(operator.get(f"{alex.path}/{page}"), "uses-title")
    alex.turn("What did I pass?", "It", recalled=[{"kind": "episode", "id": 1, "score": 0.0, "scale": "days"}])
    shown = section(operator.get(f"{alex.path}/episodes/1"), "uses-title")
    assert "it happened when that asks for" in shown


def test_it_leads_to_its_episode_and_what_was_merged_in(operator: Browser, services: Services, alex: Someone) -> None:
    turn = alex.turn("I have a dog, Max, a poodle", "Nice!")
    text = alex.text("Max!", turn_id=turn.id)
    alex.learn(
        "Has a dog named Max",
        "Max is a poodle",
        origin=Origin("assistant", "explicit", turn_id=turn.id, message_id=text.id),
    )
    alex.episode(of=turn)
    memory.merge(services, alex.id, [1, 2], "Has a poodle named Max", TOLD)

    into, merged = operator.get(f"{alex.path}/facts/1"), operator.get(f"{alex.path}/facts/2")
    assert "Alex passed the exam. learned in episode 1" in section(into, "links-title")
    assert "Max is a poodle fact 2, merged into it" in section(into, "links-title")
    assert "It is said by <a" in merged
    assert "Merged 21 Nov 2026, 09:00 PST by the assistant." in section(merged, "receipt-title")


def test_forgotten_on_its_page_it_is_receipted_there(operator: Browser, alex: Someone) -> None:
    turn = alex.turn("I have a dog named Max. I passed the exam.", "Nice!")
    alex.learn("Has a dog named Max")
    alex.episode("Alex has a dog named Max.", turn)
    page = operator.act(f"{alex.path}/facts/1/forget", receipt="1")
    assert "Forgot fact 1." in page
    told = section(page, "receipt-title")
    assert "Facts 1 Episodes told anew 1 Texts indexed anew 2 Quotes shortened none Rows left in the index 0" in told
    operator.act(f"{alex.path}/facts/1/restore")
    assert ">Removed<" not in operator.get(f"{alex.path}/facts/1")


@pytest.mark.parametrize("to", ["+12065550111", "ben", "Ben", "+1 (206) 555-0111"])
def test_a_fact_learned_from_the_wrong_number_is_moved_to_its_person(
    operator: Browser, services: Services, alex: Someone, ben: Someone, to: str
) -> None:
    add_person(services, "+12065550222", name="Benjamin")
    alex.learn("Likes tea", "Has a dog")
    asked = operator.post(f"{alex.path}/facts/2/move/ask", to=to).text
    assert "Fact 2 Has a dog From Alex To Ben" in in_words(asked)
    assert alex.live() == {1: "Likes tea", 2: "Has a dog"}
    [to_id] = re.findall(r'name="to_id" value="(\d+)"', asked)
    page = operator.act(f"{alex.path}/facts/2/move", to_id=to_id)
    assert "Moved to Ben: fact 1 there. Nothing of it is left here." in page
    assert ">moved</span>" in page
    assert (alex.live(), ben.live()) == ({1: "Likes tea"}, {1: "Has a dog"})
    for person in (alex, ben):
        assert ">move</span>" in operator.get(f"{person.path}/changes")


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("", "Nobody was named."),
        *((to, f"Nobody has the number or name “{to}”.") for to in ("Zoe", "Be", "555", "+1206555017")),
        ("Bea", "2 people have the number or name “Bea”. Write the whole number"),
        ("Alex", "The fact is this person&#39;s already."),
    ],
)
@pytest.mark.usefixtures("ben")
def test_a_bad_move_is_given_back(operator: Browser, services: Services, alex: Someone, to: str, reason: str) -> None:
    for number in (2, 3):
        add_person(services, f"+1206555022{number}", name="Bea")
    alex.learn("Has a dog")
    response = operator.post(f"{alex.path}/facts/1/move/ask", to=to)
    assert response.status_code == 403
    assert reason in response.text
    assert alex.live() == {1: "Has a dog"}


def test_a_correction_that_changes_nothing_says_so_and_offers_no_undo(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    alex.rule("Be brief")
    fields = {"fact": "Likes tea", "category": "", "trigger_kind": "always", "procedure": "Be brief"}
    for what in ("fact", "rule"):
        page = operator.act(f"{alex.path}/{what}s/1", **fields)
        assert f"{what.title()} 1 says that already: nothing was changed." in page
        assert "undo" not in notice(page)
    again = operator.act(f"{alex.path}/rules", trigger_kind="always", procedure="be brief")
    assert "Rule 1 says that already." in again


def test_each_change_has_its_own_undo_but_those_that_a_later_one_stands_upon(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea")
    alex.learn("Has a kite")
    corrected = operator.act(f"{alex.path}/facts/1", fact="Likes green tea", category="")
    again = operator.act(f"{alex.path}/facts/1", fact="Likes black tea", category="")

    assert "Fact 1 was changed again since. Take the later change back first." in operator.act(undo_in(corrected))
    assert alex.live() == {1: "Likes black tea", 2: "Has a kite"}
    page = operator.get(f"{alex.path}/changes")
    assert page.count("A later change builds on this one") == 2
    operator.act(re.findall(r'action="/admin(/people/\d+/changes/\d+/undo)"', page)[1])
    assert alex.live() == {1: "Likes black tea"}
    operator.act(undo_in(again))
    operator.act(undo_in(corrected))
    assert alex.live() == {1: "Likes tea"}


def test_undo_beside_the_sentence_takes_back_that_change_and_leads_to_its_page(
    operator: Browser, alex: Someone, ben: Someone
) -> None:
    alex.learn("Likes tea", "Has a kite")
    forgot = operator.act(f"{alex.path}/facts/1/forget")
    alex.learn("Sings")
    here, address = f"/admin{alex.path}/facts", undo_in(forgot)
    assert f'name="back" value="{here}"' in notice(forgot)
    assert operator.post(address, back=here).headers["Location"] == here
    assert alex.live() == {1: "Likes tea", 2: "Has a kite", 3: "Sings"}
    for other in (address, f"{ben.path}/changes/1/undo"):
        assert "There is no such change left to take back." in operator.act(other)
    assert alex.live() == {1: "Likes tea", 2: "Has a kite", 3: "Sings"}


@pytest.mark.parametrize("whose", ["the first", "the other"])
def test_undo_of_a_move_leaves_the_fact_with_one_person_unless_it_was_corrected_at_the_other(
    operator: Browser, alex: Someone, ben: Someone, whose: str
) -> None:
    alex.learn("Has a birthday in May")

    def move() -> str:
        moved = operator.act(f"{alex.path}/facts/1/move", to_id=str(ben.id))
        assert (alex.live(), list(ben.live().values())) == ({}, ["Has a birthday in May"])
        return undo_in(moved)

    undo = move()
    page = operator.act(undo) if whose == "the first" else operator.undo_newest(ben.id)
    assert "The change is taken back." in page
    assert (alex.live(), ben.live()) == ({1: "Has a birthday in May"}, {})

    undo = move()
    [number] = ben.live()
    operator.act(f"{ben.path}/facts/{number}", fact="Has a birthday in June", category="")
    assert f"Fact {number} was changed again since." in operator.act(undo)
    assert (alex.live(), ben.live()) == ({}, {number: "Has a birthday in June"})


def test_what_was_changed_since_its_page_was_shown_is_not_overwritten(
    operator: Browser, services: Services, alex: Someone
) -> None:
    alex.learn("Lives in Portland")
    alex.rule("Be brief")
    facts, rules = f"{alex.path}/facts/1", f"{alex.path}/rules/1"
    [fact], [rule] = (re.findall(r'name="version" value="(\d+)"', operator.get(path)) for path in (facts, rules))
    memory.revise(services, alex.id, 1, BY_PERSON, fact="Lives in Seattle")
    memory.revise_rule(services, alex.id, 1, BY_PERSON, words=RuleWords("always", None, "Be kind"))
    for path, version, fields in (
        (facts, fact, {"fact": "Lives in Portland", "category": "home"}),
        ("/review/correct", fact, {"fact": "Lives in Portland, Oregon", "item": f"fact-{fact}"}),
        (rules, rule, {"procedure": "Be short", "trigger_kind": "always"}),
    ):
        answer = operator.post(path, version=version, **fields)
        assert answer.status_code == 409, path
        assert "was changed since this page was shown" in in_words(answer.text), path
    assert alex.live() == {1: "Lives in Seattle"}
    # The page that gives it back has the newest version, and a second click finds what the first has done.
    fields = {"version": re.findall(r'name="version" value="(\d+)"', operator.get(facts))[0], "fact": "Lives in Tacoma"}
    assert "Fact 1 is corrected." in operator.act(facts, **fields)
    assert "nothing was changed" in operator.act(facts, **fields)

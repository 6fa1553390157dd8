"""What was learned since an operator last looked: kept, corrected and forgotten, each operator for themselves."""

import re
from pathlib import Path

import pytest
from flask import Flask

from app import memory
from app.memory import Origin, RuleWords
from app.models import Operator, Person
from app.services import Services
from app.web.admin import review
from tests.web.admin.conftest import Browser, listed
from tests.web.admin.scenes import TOLD, add_episode, add_person, add_text, add_turn, learn, live


@pytest.fixture
def other(app: Flask, operator: Browser, services: Services) -> Browser:
    """Another operator, logged in, too."""
    with services.transaction() as db:
        first = db.query(Operator).one()
        db.add(Operator(name="bo", role="owner", password_hash=first.password_hash, created_at=services.clock.now()))
    browser = Browser(app)
    assert browser.log_in(name="bo").status_code == 303
    browser.looks_at_all = services
    return browser


def test_what_was_learned_stands_the_oldest_first_each_with_the_text_it_came_from(
    operator: Browser, services: Services, alex: Person
) -> None:
    said = add_text(services, alex.id, "Tea is the best there is")
    learn(services, alex, "Likes tea", origin=Origin("assistant", "explicit", message_id=said.id))
    memory.set_rule(services, alex.id, RuleWords("always", None, "Be brief"), TOLD)
    add_episode(services, add_turn(services, alex.id, "I passed!", "Great!"))

    page = operator.get("/review")

    assert sorted(listed(page)) == ["Alex passed the exam.", "Be brief", "Likes tea"]
    assert '<blockquote dir="auto">Tea is the best there is</blockquote>' in page
    assert "#message-1" in page
    assert "It was a long day." in page


def test_what_is_kept_is_gone_from_the_queue_and_stays_in_memory(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a cat", "Sings")

    page = operator.act("/review", item="fact-2")

    assert "Kept 1." in page
    assert listed(page) == ["Likes tea", "Sings"]
    assert live(services, alex) == {1: "Likes tea", 2: "Has a cat", 3: "Sings"}
    assert "Nothing was left to keep." in operator.act("/review", item="fact-2")


def test_what_is_forgotten_there_is_forgotten(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex, "Likes tea", "Has a cat")
    memory.set_rule(services, alex.id, RuleWords("always", None, "Be brief"), TOLD)
    add_episode(services, add_turn(services, alex.id, "I passed!", "Great!"))

    assert f"Forgot fact 1 of person {alex.id}." in operator.act("/review/forget", item="fact-1")
    assert "Forgot rule 1" in operator.act("/review/forget", item="rule-1")
    page = operator.act("/review/forget", item="episode-1")

    assert listed(page) == ["Has a cat"]
    assert live(services, alex) == {2: "Has a cat"}
    assert "It is not there to forget any more." in operator.act("/review/forget", item="fact-1")


def test_what_is_corrected_there_is_reviewed_by_that(operator: Browser, services: Services, alex: Person) -> None:
    learn(services, alex, "Likes tea", "Has a cat")

    page = operator.act("/review/correct", item="fact-1", fact="Likes green tea")

    assert listed(page) == ["Has a cat"]
    assert live(services, alex) == {1: "Likes green tea", 2: "Has a cat"}
    assert listed(operator.act("/review/correct", item="fact-2", fact="Has a cat")) == []


def test_a_correction_that_will_not_do_is_given_back_beside_its_fact(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a cat")

    response = operator.post("/review/correct", item="fact-2", fact="likes tea!")

    assert response.status_code == 409
    assert "Fact 1 says" in response.text
    assert 'value="likes tea!"' in response.text
    assert listed(response.text) == ["Likes tea", "Has a cat"]


def test_two_operators_do_not_disturb_each_other(
    operator: Browser, other: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a cat")
    operator.act("/review", item="fact-1")

    assert listed(operator.get("/review")) == ["Has a cat"]
    assert listed(other.get("/review")) == ["Likes tea", "Has a cat"]
    other.act("/review/all")
    assert listed(other.get("/review")) == []
    assert listed(operator.get("/review")) == ["Has a cat"]


def test_one_persons_can_be_reviewed_by_themselves(operator: Browser, services: Services, alex: Person) -> None:
    ben = add_person(services, "+12065550111", name="Ben")
    learn(services, alex, "Likes tea")
    learn(services, ben, "Sings", "Plays chess")

    page = operator.get(f"/review?person={ben.id}")
    assert listed(page) == ["Sings", "Plays chess"]
    assert f'formaction="/admin/review?person={ben.id}"' in page

    after = operator.act(f"/review?person={ben.id}", item="fact-2")
    assert listed(after) == ["Plays chess"]


def test_many_are_shown_some_at_a_time_and_all_of_them_are_counted(
    operator: Browser, services: Services, alex: Person
) -> None:
    for start in range(0, 40, 20):
        learn(services, alex, *(f"Knows the word w{number}" for number in range(start, start + 20)))

    page = operator.get("/review")

    assert len(listed(page)) == review.AT_ONCE
    assert '<span class="count">40</span>' in page


def test_what_is_masked_is_neither_kept_nor_corrected_and_is_revealed_from_where_it_stands(
    masked: Browser, services: Services, alex: Person
) -> None:
    ben = add_person(services, "+12065550111", name="Ben")
    learn(services, alex, "Likes tea")
    learn(services, ben, "Sings")

    page = masked.get("/review")
    assert "The words of 2 are hidden." in page
    for offered in ("/admin/review/all", "/admin/review/correct", ">Keep<", "shown</button>"):
        assert offered not in page
    assert f'action="/admin/people/{ben.id}/reveal"' in page
    assert "Nothing was left to keep." in masked.act("/review", item="fact-1")
    assert "The words of 2 people among it are hidden" in masked.act("/review/all")
    assert masked.post("/review/correct", item="fact-1", fact="Hates tea").status_code == 403

    back = masked.post(f"/people/{alex.id}/reveal", reason="A memory is wrong", back="/admin/review#fact-1")
    assert back.headers["Location"] == "/admin/review#fact-1"
    page = masked.get("/review")
    assert listed(page) == ["Likes tea", "hidden: a few words"]
    assert "Keep the one shown" in page
    masked.act("/review", item="fact-2")
    assert "The words of 1 person among it are hidden" in masked.act("/review/all")
    assert "Kept 1." in masked.act("/review", item="fact-1")
    assert listed(masked.get("/review")) == ["hidden: a few words"]
    assert live(services, alex) == {1: "Likes tea"}


@pytest.mark.parametrize("item", ["", "fact-", "fact-x", "person-1", "fact-99999999999999999999", "fact-77"])
def test_what_is_no_memory_is_refused(operator: Browser, item: str) -> None:
    assert operator.post("/review/correct", item=item, fact="x").status_code == 404
    assert operator.post("/review", item=item).status_code == 303
    assert operator.post("/review/forget", item=item).status_code in {303, 404}


def test_the_help_of_the_keys_lists_those_of_the_review_as_well(operator: Browser) -> None:
    def keys(path: str) -> list[str]:
        help_ = operator.get(path).partition('id="key-help"')[2]
        return re.findall(r"<kbd>(\w)</kbd></dt>", help_)

    assert set(keys("/review")) - set(keys("/memory")) == {"y", "c", "f", "o"}
    script = (Path(review.__file__).parents[1] / "static" / "review.js").read_text()
    pressed = set(re.findall(r"^  (\w): \(\) => press", script, re.MULTILINE))
    assert pressed == {"y", "c", "f", "o"}

"""Facts learned since an operator last looked are kept, corrected or forgotten, by each operator separately."""

import pytest

from app.memory import Origin
from app.web.admin import review
from tests.web.admin.conftest import Browser, listed
from tests.web.admin.scenes import Someone


def test_what_was_learned_stands_oldest_first_with_the_text_it_came_from(operator: Browser, alex: Someone) -> None:
    said = alex.text("Tea is the best there is")
    alex.learn("Likes tea", origin=Origin("assistant", "explicit", message_id=said.id))
    alex.rule("Be brief")
    alex.episode()
    page = operator.get("/review")
    assert sorted(listed(page)) == ["Alex passed the exam.", "Be brief", "Likes tea"]
    for words in ('<blockquote dir="auto">Tea is the best there is</blockquote>', "#message-1", "It was a long day."):
        assert words in page


def test_what_is_kept_corrected_or_forgotten_there_is_gone_from_the_queue(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea", "Has a cat", "Sings", "Plays chess")
    page = operator.act("/review", item="fact-2")
    assert "Kept 1." in page
    assert listed(page) == ["Likes tea", "Sings", "Plays chess"]
    assert "Nothing was left to keep." in operator.act("/review", item="fact-2")
    page = operator.act("/review/correct", item="fact-1", fact="Likes green tea")
    assert listed(page) == ["Sings", "Plays chess"]
    page = operator.act("/review/correct", item="fact-3", fact="Sings")
    assert "Kept fact 3 of Alex." in page
    assert listed(page) == ["Plays chess"]
    assert alex.live() == {1: "Likes green tea", 2: "Has a cat", 3: "Sings", 4: "Plays chess"}

    alex.rule("Be brief")
    alex.episode()
    assert "Forgot fact 4 of Alex." in operator.act("/review/forget", item="fact-4")
    assert "Forgot rule 1" in operator.act("/review/forget", item="rule-1")
    assert listed(operator.act("/review/forget", item="episode-1")) == []
    assert alex.live() == {1: "Likes green tea", 2: "Has a cat", 3: "Sings"}
    assert "It is not there to forget any more." in operator.act("/review/forget", item="fact-4")


def test_a_bad_correction_is_given_back_beside_its_fact_or_says_it_is_gone(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea", "Has a cat")
    response = operator.post("/review/correct", item="fact-2", fact="likes tea!")
    assert response.status_code == 409
    assert "Fact 1 says" in response.text
    assert 'value="likes tea!"' in response.text
    assert listed(response.text) == ["Likes tea", "Has a cat"]
    operator.act(f"{alex.path}/facts/2/forget")
    response = operator.post("/review/correct", item="fact-2", fact="Has a dog")
    assert response.status_code == 404
    assert "No fact with id 2. It was forgotten meanwhile, or it never was." in response.text


def test_one_persons_can_be_reviewed_alone_and_many_in_parts(operator: Browser, alex: Someone, ben: Someone) -> None:
    alex.learn("Likes tea")
    ben.learn("Sings", "Plays chess")
    page = operator.get(f"/review?person={ben.id}")
    assert listed(page) == ["Sings", "Plays chess"]
    assert f'formaction="/admin/review?person={ben.id}"' in page
    assert listed(operator.act(f"/review?person={ben.id}", item="fact-2")) == ["Plays chess"]
    for start in range(0, 40, 20):
        alex.learn(*(f"Knows the word w{number}" for number in range(start, start + 20)))
    page = operator.get(f"/review?person={alex.id}")
    assert len(listed(page)) == review.AT_ONCE
    assert '<span class="count">41</span>' in page


def test_what_is_masked_is_neither_kept_nor_corrected_until_shown(masked: Browser, alex: Someone, ben: Someone) -> None:
    alex.learn("Likes tea")
    ben.learn("Sings")
    page = masked.get("/review")
    assert "The words of 2 are hidden." in page
    for offered in ("/admin/review/all", "/admin/review/correct", ">Keep<", "shown</button>"):
        assert offered not in page
    assert f'action="/admin{ben.path}/reveal"' in page
    assert "Nothing was left to keep." in masked.act("/review", item="fact-1")
    assert "The words of 2 people among it are hidden" in masked.act("/review/all")
    assert masked.post("/review/correct", item="fact-1", fact="Hates tea").status_code == 403

    back = masked.post(f"{alex.path}/reveal", reason="A memory is wrong", back="/admin/review#fact-1")
    assert back.headers["Location"] == "/admin/review#fact-1"
    page = masked.get("/review")
    assert listed(page) == ["Likes tea", "▇▇▇ Fact 1"]
    assert "Keep the one shown" in page
    masked.act("/review", item="fact-2")
    assert "The words of 1 person among it are hidden" in masked.act("/review/all")
    assert "Kept 1." in masked.act("/review", item="fact-1")
    assert listed(masked.get("/review")) == ["▇▇▇ Fact 1"]
    assert alex.live() == {1: "Likes tea"}


@pytest.mark.parametrize("item", ["", "fact-", "fact-x", "person-1", "fact-99999999999999999999", "fact-77"])
def test_what_is_no_memory_is_refused(operator: Browser, item: str) -> None:
    assert operator.post("/review/correct", item=item, fact="x").status_code == 404
    assert operator.post("/review", item=item).status_code == 303
    assert operator.post("/review/forget", item=item).status_code in {303, 404}

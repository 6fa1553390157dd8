"""Episodes on a person's pages."""

import html
import re
from collections.abc import Sequence

from app import memory
from app.memory import NewFact, Origin
from app.memory import episodes as episode_rows
from app.models import Person
from app.services import Services
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn


def listed(page: str) -> Sequence[str]:
    return [html.unescape(one) for one in re.findall(r'<a class="name" [^>]*dir="auto"[^>]*>([^<]+)</a>', page)]


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def happened(services: Services, person_id: int, *summaries: str) -> None:
    for summary in summaries:
        add_episode(services, add_turn(services, person_id, f"I say that {summary}", "Well done!"), summary)


def test_before_anything_happened_the_page_says_when_something_will(operator: Browser, alex: Person) -> None:
    page = operator.get(f"/people/{alex.id}/episodes")
    assert "Nothing has happened yet" in page
    assert '<a href="/admin/people/1/episodes" aria-current="page">Episodes</a>' in page


def test_they_are_listed_with_when_topics_and_importance(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    page = operator.get(f"/people/{alex.id}/episodes")
    assert listed(page) == ["Alex moved to Lisbon.", "Alex passed the exam."]
    assert "2 episodes" in plain(page)
    assert re.search(r"exam sister \d+ \w+ 2026, \d\d:\d\d 60%", plain(page))


def test_words_find_them_in_any_form(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    assert listed(operator.get(f"/people/{alex.id}/episodes?words=moving")) == ["Alex moved to Lisbon."]
    assert "No episode found" in operator.get(f"/people/{alex.id}/episodes?words=submarine")


def test_fifty_stand_on_a_page_and_the_others_on_the_next(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, *(f"Day {number} was fine." for number in range(52)))
    first = operator.get(f"/people/{alex.id}/episodes")
    [later] = re.findall(r'href="/admin(/people/\d+/episodes\?before=\d+)">Earlier episodes', first)
    second = operator.get(later)
    assert len(listed(first)) == 50
    assert listed(second) == ["Day 1 was fine.", "Day 0 was fine."]
    assert "Latest episodes" in second
    assert "Earlier episodes" not in second


def test_one_is_shown_in_full_with_its_texts_and_facts(operator: Browser, services: Services, alex: Person) -> None:
    turn = add_turn(services, alex.id, "I passed the exam!", "Congratulations!")
    text = add_text(services, alex.id, "My sister Ana cried", turn_id=turn.id)
    told = Origin("assistant", "explicit", turn.id, text.id, "My sister Ana")
    memory.remember(services, alex.id, [NewFact("Has a sister named Ana", "family")], told)
    add_episode(services, turn)

    page = operator.get(f"/people/{alex.id}/episodes/1")

    assert "Alex passed the exam. It was a long day." in plain(page)
    assert "The exam is passed" in plain(page)
    assert listed(page) == ["Has a sister named Ana"]
    for words in ("I passed the exam!", "Congratulations!", "My sister Ana cried", "the conversation went quiet"):
        assert words in plain(page)
    [link] = re.findall(r'href="/admin([^"#]+)#message-\d+">Show it in the conversation', page)
    assert "I passed the exam!" in operator.get(html.unescape(link))


def test_it_is_forgotten_after_a_second_look_and_its_texts_stay(
    operator: Browser, services: Services, alex: Person
) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    page = operator.get(f"/people/{alex.id}/episodes/1")
    assert "<summary>Forget this episode</summary>" in page
    assert "An undo brings it back." in page

    after = operator.act(f"/people/{alex.id}/episodes/1/forget")

    assert "Forgot episode 1. Its texts are kept." in after
    assert listed(after) == ["Alex moved to Lisbon."]
    assert "I say that Alex passed the exam." in plain(operator.get(f"/people/{alex.id}"))
    with services.reading() as db:
        assert [one.number for one in episode_rows.live(db, alex.id)] == [2]
    assert operator.client.get(f"/admin/people/{alex.id}/episodes/1").status_code == 404
    assert "Episode 1 is not there to forget." in operator.act(f"/people/{alex.id}/episodes/1/forget")


def test_that_it_was_forgotten_stands_among_the_changes_and_can_be_undone(
    operator: Browser, services: Services, alex: Person
) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    assert "Undo" in plain(operator.act(f"/people/{alex.id}/episodes/1/forget"))
    page = plain(operator.get(f"/people/{alex.id}/changes"))
    assert "Episode 1: Alex passed the exam." in page
    assert "Undo takes this back." in page

    operator.act(f"/people/{alex.id}/undo")

    assert set(listed(operator.get(f"/people/{alex.id}/episodes"))) == {
        "Alex passed the exam.",
        "Alex moved to Lisbon.",
    }


def test_nobody_elses_are_shown_or_forgotten(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.")
    kim = add_person(services, "+12125550101", name="Kim")
    assert listed(operator.get(f"/people/{kim.id}/episodes")) == []
    assert operator.client.get(f"/admin/people/{kim.id}/episodes/1").status_code == 404
    operator.act(f"/people/{kim.id}/episodes/1/forget")
    assert listed(operator.get(f"/people/{alex.id}/episodes")) == ["Alex passed the exam."]


def test_only_an_operator_sees_them(browser: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.")
    for path in ("episodes", "episodes/1"):
        assert browser.client.get(f"/admin/people/{alex.id}/{path}").status_code == 303
    assert browser.post(f"/people/{alex.id}/episodes/1/forget").status_code == 403
    with services.reading() as db:
        assert len(episode_rows.live(db, alex.id)) == 1

"""Episodes on a person's pages."""

import html
import re

from app import memory, operators
from app.cli.persons import BY_OPERATOR
from app.memory import NewFact, Origin
from app.memory import episodes as episode_rows
from app.models import Person
from app.services import Services
from app.web.application import create_app
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.web.admin.conftest import PASSWORD, Browser, in_words, listed
from tests.web.admin.scenes import add_episode, add_text, add_turn


def happened(services: Services, person_id: int, *summaries: str) -> None:
    for summary in summaries:
        add_episode(services, add_turn(services, person_id, f"I say that {summary}", "Well done!"), summary)


def test_they_are_listed_with_when_topics_and_importance(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    page = operator.get(f"/people/{alex.id}/episodes")
    assert listed(page) == ["Alex moved to Lisbon.", "Alex passed the exam."]
    assert "2 episodes" in in_words(page)
    assert re.search(r"exam sister \d+ \w+ 2026, \d\d:\d\d \w+ 60%", in_words(page))


def test_words_find_them_in_any_form(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    assert listed(operator.get(f"/people/{alex.id}/episodes?words=moving")) == ["Alex moved to Lisbon."]
    assert "No episode found" in operator.get(f"/people/{alex.id}/episodes?words=submarine")


def test_they_are_found_by_meaning_too_the_nearest_first(
    browser: Browser, make_services: MakeServices, alex: Person
) -> None:
    services = make_services(embedder=WordEmbedder())
    operators.ensure_first(services, PASSWORD)
    looking = Browser(create_app(services=services))
    looking.log_in()
    assert looking.reveal(alex.id).status_code == 303
    happened(services, alex.id, "Alex passed the exam.", "Alex failed the exam in spring.", "Alex moved to Lisbon.")

    page = looking.get(f"/people/{alex.id}/episodes?words=How+did+the+spring+exam+go%3F&by=meaning")
    assert listed(page)[0] == "Alex failed the exam in spring."
    assert "by meaning and by words" in in_words(page)
    assert "There is no embedder" not in page
    assert '<option value="meaning" selected>' in page

    by_words = looking.get(f"/people/{alex.id}/episodes?words=How+did+the+spring+exam+go%3F")
    assert listed(by_words) == []
    assert "Search by meaning" in by_words


def test_without_an_embedder_the_search_by_meaning_says_that_words_alone_were_searched(
    operator: Browser, services: Services, alex: Person
) -> None:
    happened(services, alex.id, "Alex passed the exam.")
    page = operator.get(f"/people/{alex.id}/episodes?words=exam&by=meaning")
    assert listed(page) == ["Alex passed the exam."]
    assert "There is no embedder, so words alone were searched." in page
    assert "None has to do with it." in operator.get(f"/people/{alex.id}/episodes?words=submarine&by=meaning")


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

    assert "Alex passed the exam. It was a long day." in in_words(page)
    assert "The exam is passed" in in_words(page)
    assert listed(page) == ["Has a sister named Ana"]
    for words in ("I passed the exam!", "Congratulations!", "My sister Ana cried", "the conversation went quiet"):
        assert words in in_words(page)
    [link] = re.findall(r'href="/admin([^"#]+)#message-\d+">Show it in the conversation', page)
    assert "I passed the exam!" in operator.get(html.unescape(link))


def test_it_is_forgotten_after_a_second_look_its_texts_stay_and_that_is_undone(
    operator: Browser, services: Services, alex: Person
) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    page = operator.get(f"/people/{alex.id}/episodes/1")
    assert "<summary>Forget this episode</summary>" in page
    assert "An undo brings it back." in page

    after = operator.act(f"/people/{alex.id}/episodes/1/forget")

    assert "Forgot episode 1. It is kept under Forgotten, and its texts stay. Undo" in in_words(after)
    assert listed(after) == ["Alex moved to Lisbon."]
    assert "I say that Alex passed the exam." in in_words(operator.get(f"/people/{alex.id}"))
    with services.reading() as db:
        assert [one.number for one in episode_rows.live(db, alex.id)] == [2]
    gone = operator.client.get(f"/admin/people/{alex.id}/episodes/1")
    assert gone.status_code == 404
    assert "Episode 1 is forgotten" in gone.text
    assert f'href="/admin/people/{alex.id}/forgotten"' in gone.text
    assert "exam" not in gone.text
    assert "Episode 1 is not there to forget." in operator.act(f"/people/{alex.id}/episodes/1/forget")
    changed = in_words(operator.get(f"/people/{alex.id}/changes"))
    assert "Episode 1: Alex passed the exam." in changed
    assert "Undo the change of" in changed
    operator.undo_newest(alex.id)
    assert len(listed(operator.get(f"/people/{alex.id}/episodes"))) == 2


def test_forgotten_ones_are_listed_and_restored(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    operator.act(f"/people/{alex.id}/episodes/1/forget")
    page = operator.get(f"/people/{alex.id}/forgotten")
    assert "Alex passed the exam." in page
    assert "Alex moved to Lisbon." not in page
    assert "Nothing is forgotten" not in page

    after = operator.act(f"/people/{alex.id}/episodes/1/restore")

    assert "Remembered again: episode 1." in after
    assert set(listed(after)) == {"Alex passed the exam.", "Alex moved to Lisbon."}
    assert "Nothing is forgotten" in operator.get(f"/people/{alex.id}/forgotten")
    assert "No episode 1 is forgotten" in operator.act(f"/people/{alex.id}/episodes/1/restore")


def test_what_was_forgotten_together_comes_back_together(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, "Alex passed the exam.", "Alex moved to Lisbon.")
    memory.forget_episodes(services, alex.id, [1, 2], BY_OPERATOR)
    assert "Forgotten together with 1 other; they come back together." in operator.get(f"/people/{alex.id}/forgotten")

    after = operator.act(f"/people/{alex.id}/episodes/2/restore")

    assert "Remembered again: episode 1, episode 2." in after


def test_forgotten_ones_stand_fifty_on_a_page(operator: Browser, services: Services, alex: Person) -> None:
    happened(services, alex.id, *(f"Day {number} was fine." for number in range(51)))
    memory.forget_episodes(services, alex.id, range(1, 52), BY_OPERATOR)
    first = operator.get(f"/people/{alex.id}/forgotten")
    assert first.count(" was fine.") == 50
    assert "Day 50 was fine." in operator.get(f"/people/{alex.id}/forgotten?skip_episodes=50")


def test_one_that_is_told_again_leads_to_what_tells_of_it_now(
    operator: Browser, services: Services, alex: Person
) -> None:
    turn = add_turn(services, alex.id, "I passed the exam, my allergy is gone!", "Well done!")
    text = add_text(services, alex.id, "Peanuts are fine now", turn_id=turn.id)
    told = Origin("assistant", "explicit", turn.id, text.id, "Peanuts are fine now")
    memory.remember(services, alex.id, [NewFact("Can eat peanuts")], told)
    add_episode(services, turn, "Alex can eat peanuts.")
    memory.forget(services, alex.id, [1], BY_OPERATOR)

    waiting = operator.client.get(f"/admin/people/{alex.id}/episodes/1")
    assert waiting.status_code == 404
    assert "Episode 1 is told again" in waiting.text
    assert "Show the conversation" in waiting.text
    assert "can eat peanuts." not in waiting.text
    assert "can eat peanuts." not in operator.get(f"/people/{alex.id}/forgotten")

    add_episode(services, turn, "Alex passed the exam.")
    after = operator.get(f"/people/{alex.id}/episodes/1")
    assert "Episode 1 was told again: this is how it is told now, as episode 2." in after
    assert "Alex passed the exam." in after
    unknown = operator.client.get(f"/admin/people/{alex.id}/episodes/9")
    assert (unknown.status_code, "never had an episode 9" in unknown.text) == (404, True)


def test_what_was_told_of_a_forgotten_subject_is_not_offered_to_be_restored_and_comes_back_by_undo(
    operator: Browser, services: Services, alex: Person
) -> None:
    happened(services, alex.id, "Alex passed the exam.")
    for _ in range(2):
        memory.forget(services, alex.id, [], BY_OPERATOR, about=["my exam"])
        page = operator.get(f"/people/{alex.id}/forgotten")
        assert "Alex passed the exam." not in page
        assert "episodes/1/restore" not in page
        assert "my exam" in in_words(page)
        assert "Undo brings back what was told of it." in in_words(page)
        refused = in_words(operator.act(f"/people/{alex.id}/episodes/1/restore"))
        assert "Episode 1 is told again without something that was forgotten. Undo brings it back" in refused
        assert "with facts" not in refused

        operator.undo_newest(alex.id)

        assert "Nothing is forgotten" in operator.get(f"/people/{alex.id}/forgotten")
        assert "Alex passed the exam." in operator.get(f"/people/{alex.id}/episodes")


def test_how_many_changes_an_undo_takes_back_before_a_subject_is_told(
    operator: Browser, services: Services, alex: Person
) -> None:
    happened(services, alex.id, "Alex passed the exam.")
    memory.forget(services, alex.id, [], BY_OPERATOR, about=["my exam"])
    memory.remember(services, alex.id, [NewFact("Likes tea")], BY_OPERATOR)

    page = operator.get(f"/people/{alex.id}/forgotten")

    assert "Undo brings back what was told of it, after 1 later change." in in_words(page)

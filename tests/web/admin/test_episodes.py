"""Episodes on a person's pages."""

import html
import re

from app import memory
from app.memory import Origin
from app.services import Services
from tests.web.admin.conftest import Browser, in_words, listed
from tests.web.admin.scenes import BY_OPERATOR, Someone, add_episode

EXAM, LISBON = "Alex passed the exam.", "Alex moved to Lisbon."


def test_they_are_listed_with_topics_and_importance_and_found_by_any_form(operator: Browser, alex: Someone) -> None:
    for summary in (EXAM, LISBON):
        alex.episode(summary)
    path = f"{alex.path}/episodes"
    page = operator.get(path)
    assert listed(page) == [LISBON, EXAM]
    assert "2 episodes" in in_words(page)
    assert re.search(r"exam sister \d+ \w+ 2026, \d\d:\d\d \w+ 60%", in_words(page))
    assert listed(operator.get(f"{path}?words=moving")) == [LISBON]
    assert "No episode found" in operator.get(f"{path}?words=submarine")


def test_one_is_shown_in_full_with_its_texts_and_facts(operator: Browser, alex: Someone) -> None:
    turn = alex.turn("I passed the exam!", "Congratulations!")
    text = alex.text("My sister Ana cried", turn_id=turn.id)
    told = Origin("assistant", "explicit", turn.id, text.id, "My sister Ana")
    alex.learn("Has a sister named Ana", category="family", origin=told)
    alex.episode(of=turn)
    page = operator.get(f"{alex.path}/episodes/1")
    assert listed(page) == ["Has a sister named Ana"]
    said = ("I passed the exam!", "Congratulations!", "My sister Ana cried", "the conversation went quiet")
    for words in (f"{EXAM} It was a long day.", "The exam is passed", *said):
        assert words in in_words(page)
    [link] = re.findall(r'href="/admin([^"#]+)#message-\d+">Show it in the conversation', page)
    assert "I passed the exam!" in operator.get(html.unescape(link))


def test_it_is_forgotten_its_texts_stay_and_that_is_undone_or_all_forgotten_together_is_restored(
    operator: Browser, services: Services, alex: Someone
) -> None:
    for summary in (EXAM, LISBON):
        alex.episode(summary)
    path = f"{alex.path}/episodes/1"
    after = operator.act(f"{path}/forget")
    assert "Forgot episode 1. It is kept under Forgotten, and its texts stay. Undo" in in_words(after)
    assert listed(after) == [LISBON]
    assert f"I say that {EXAM}" in operator.read(alex.path)
    gone = operator.client.get(f"/admin{path}")
    assert gone.status_code == 404
    assert "Episode 1 is forgotten" in gone.text
    assert "exam" not in gone.text
    assert "Episode 1 is not there to forget." in operator.act(f"{path}/forget")
    assert f"Episode 1: {EXAM}" in operator.read(f"{alex.path}/changes")
    operator.undo_newest(alex.id)
    assert len(listed(operator.get(f"{alex.path}/episodes"))) == 2

    memory.forget_episodes(services, alex.id, [1, 2], BY_OPERATOR)
    assert "Forgotten together with 1 other; they come back together." in operator.get(f"{alex.path}/forgotten")
    after = operator.act(f"{path}/restore")
    assert "Remembered again: episode 1, episode 2." in after
    assert set(listed(after)) == {EXAM, LISBON}
    assert "No episode 1 is forgotten" in operator.act(f"{path}/restore")


def test_one_told_again_leads_to_what_tells_now(operator: Browser, services: Services, alex: Someone) -> None:
    turn = alex.turn("I passed the exam, my allergy is gone!", "Well done!")
    text = alex.text("Peanuts are fine now", turn_id=turn.id)
    told = Origin("assistant", "explicit", turn.id, text.id, "Peanuts are fine now")
    alex.learn("Can eat peanuts", origin=told)
    alex.episode("Alex can eat peanuts.", turn)
    memory.forget(services, alex.id, [1], BY_OPERATOR)

    waiting = operator.client.get(f"/admin{alex.path}/episodes/1")
    assert waiting.status_code == 404
    assert "Episode 1 is told again" in waiting.text
    assert "Show the conversation" in waiting.text
    for page in (waiting.text, operator.get(f"{alex.path}/forgotten")):
        assert "can eat peanuts." not in page

    add_episode(services, turn, EXAM)
    after = operator.get(f"{alex.path}/episodes/1")
    assert "Episode 1 was told again: this is how it is told now, as episode 2." in after
    assert EXAM in after
    unknown = operator.client.get(f"/admin{alex.path}/episodes/9")
    assert (unknown.status_code, "never had an episode 9" in unknown.text) == (404, True)


def test_what_was_told_of_a_forgotten_subject_is_not_offered_to_be_restored_and_comes_back_by_undo(
    operator: Browser, services: Services, alex: Someone
) -> None:
    alex.episode(EXAM)
    path = f"{alex.path}/forgotten"
    for _ in range(2):
        memory.forget(services, alex.id, [], BY_OPERATOR, about=["my exam"])
        page = operator.get(path)
        assert EXAM not in page
        assert "episodes/1/restore" not in page
        assert "my exam" in in_words(page)
        assert "Undo brings back what was told of it." in in_words(page)
        refused = in_words(operator.act(f"{alex.path}/episodes/1/restore"))
        assert "Episode 1 is told again without something that was forgotten. Undo brings it back" in refused
        assert "with facts" not in refused
        operator.undo_newest(alex.id)
        assert "Nothing is forgotten" in operator.get(path)
        assert EXAM in operator.get(f"{alex.path}/episodes")

    memory.forget(services, alex.id, [], BY_OPERATOR, about=["my exam"])
    alex.learn("Likes tea", origin=BY_OPERATOR)
    assert "Undo brings back what was told of it." in operator.read(path)

"""Subjects that were forgotten, on the page of what is forgotten, and the true way back of what was told of them."""

from app import memory
from app.cli.persons import BY_OPERATOR
from app.memory import NewFact
from app.models import Person
from app.services import Services
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.test_episodes import happened


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

from app.memory import Origin, archive_facts, changes, pin_facts, undo
from app.services import Services
from tests.memory.remembering import fact, found, known, tell

OPERATOR = Origin("operator", "operator")


def test_facts_are_pinned_together_in_one_change_and_the_answer_says_which(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Plays chess", "Has a cat")
    pin_facts(services, person_id, [2], OPERATOR)

    done = pin_facts(services, person_id, [1, 2, 3, 9], OPERATOR)

    assert (done.changed, done.already, done.unknown) == ([1, 3], [2], [9])
    assert all(fact(services, person_id, number).pinned for number in (1, 2, 3))
    with services.reading() as db:
        assert len(changes.latest(db, person_id, 10)) == 3

    undo(services, person_id)
    assert [fact(services, person_id, number).pinned for number in (1, 2, 3)] == [False, True, False]


def test_facts_are_unpinned_together(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Plays chess")
    pin_facts(services, person_id, [1, 2], OPERATOR)

    assert pin_facts(services, person_id, [1, 2], OPERATOR, pinned=False).changed == [1, 2]

    assert not any(fact(services, person_id, number).pinned for number in (1, 2))


def test_archived_facts_are_out_of_sight_and_still_found_and_an_undo_shows_them_again(
    services: Services, person_id: int
) -> None:
    tell(services, person_id, "Likes tea", "Plays chess")

    done = archive_facts(services, person_id, [1, 2, 7], OPERATOR)

    assert (done.changed, done.unknown) == ([1, 2], [7])
    assert known(services, person_id) == {}
    assert found(services, person_id, "chess") == ["Plays chess"]
    assert archive_facts(services, person_id, [1], OPERATOR).already == [1]

    undone = undo(services, person_id)
    assert undone is not None
    assert undone.sentence == "Undone: no longer archived: Likes tea; no longer archived: Plays chess."
    assert known(services, person_id) == {1: "Likes tea", 2: "Plays chess"}


def test_pinning_what_is_archived_shows_it_again(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")
    archive_facts(services, person_id, [1], OPERATOR)

    pin_facts(services, person_id, [1], OPERATOR)

    assert fact(services, person_id, 1).pinned


def test_where_nothing_was_to_be_changed_nothing_is_recorded(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea")

    pin_facts(services, person_id, [1], OPERATOR, pinned=False)

    with services.reading() as db:
        assert [one.verb for one in changes.latest(db, person_id, 10)] == ["remember"]

"""Never more places taken than there are, and some are let in before all others."""

import queue
import threading
from collections.abc import Callable

from app.store.locks import Places


def in_a_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def comes(
    places: Places, seated: "queue.SimpleQueue[str]", name: str, *, before_others: bool = False, leaves: bool = True
) -> None:
    """Returns once somebody of that name waits for a place, in a thread of their own."""
    waiting = places.waiting(before_others=before_others)

    def come() -> None:
        places.take(before_others=before_others)
        seated.put(name)
        if leaves:
            places.leave()

    in_a_thread(come)
    while places.waiting(before_others=before_others) == waiting:
        pass


def test_who_goes_before_others_is_let_in_first_however_long_they_have_waited() -> None:
    places, seated = Places(1), queue.SimpleQueue[str]()
    places.take()
    comes(places, seated, "early")
    comes(places, seated, "late", before_others=True)
    places.leave()
    assert [seated.get(timeout=10) for _ in range(2)] == ["late", "early"]


def test_who_has_just_left_comes_behind_those_who_wait_and_who_waits_no_longer_takes_nothing() -> None:
    places, seated = Places(1), queue.SimpleQueue[str]()
    places.take()
    assert not places.take(before_others=True, seconds=0)
    assert not places.take(seconds=0)
    comes(places, seated, "who waited")
    places.leave()
    places.take()
    seated.put("who was there")
    assert [seated.get(timeout=10) for _ in range(2)] == ["who waited", "who was there"]

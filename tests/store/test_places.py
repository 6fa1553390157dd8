"""Never more places taken than there are, and some are let in before all others."""

import threading
from collections.abc import Callable

from app.store.places import Places


def in_a_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def wait_until_queued(places: Places, *, first: int = 0, others: int = 0) -> None:
    while places.waiting(before_others=True) < first or places.waiting() < others:
        pass


def test_who_goes_before_others_is_let_in_first_however_long_they_have_waited() -> None:
    places, seated = Places(1), list[str]()
    places.take()

    def come(name: str, *, before_others: bool) -> None:
        places.take(before_others=before_others)
        seated.append(name)
        places.leave()

    early = in_a_thread(lambda: come("early", before_others=False))
    wait_until_queued(places, others=1)
    late = in_a_thread(lambda: come("late", before_others=True))
    wait_until_queued(places, others=1, first=1)
    places.leave()
    early.join(10)
    late.join(10)

    assert seated == ["late", "early"]


def test_who_has_just_left_comes_behind_those_who_wait() -> None:
    places, seated = Places(1), list[str]()
    places.take()

    def come() -> None:
        places.take()
        seated.append("who waited")
        places.leave()

    waits = in_a_thread(come)
    wait_until_queued(places, others=1)
    places.leave()
    places.take()
    seated.append("who was there")
    waits.join(10)

    assert seated == ["who waited", "who was there"]


def test_who_waits_no_longer_takes_nothing_and_lets_the_others_in() -> None:
    places, seated = Places(1), threading.Semaphore(0)
    places.take()
    assert not places.take(before_others=True, seconds=0)
    assert not places.take(seconds=0)

    def come() -> None:
        places.take()
        seated.release()

    in_a_thread(come)
    wait_until_queued(places, others=1)
    places.leave()

    assert seated.acquire(timeout=10)


def test_never_more_work_than_there_are_places_and_everybody_gets_one() -> None:
    places, lock = Places(3), threading.Lock()
    working, most, done = set[int](), 0, 0

    def work(number: int) -> None:
        nonlocal most, done
        for step in range(50):
            places.take(before_others=step > 0)
            with lock:
                working.add(number)
                most = max(most, len(working))
            with lock:
                working.discard(number)
            places.leave()
        with lock:
            done += 1

    threads = [in_a_thread(lambda number=number: work(number)) for number in range(40)]  # type: ignore[misc]
    for thread in threads:
        thread.join(30)

    assert done == 40
    assert most <= 3
    places.take()
    places.take()
    places.take()


def test_a_place_that_is_left_twice_at_once_calls_two() -> None:
    places, seated = Places(2), threading.Semaphore(0)
    places.take()
    places.take()

    def come(*, before_others: bool) -> None:
        places.take(before_others=before_others)
        seated.release()

    in_a_thread(lambda: come(before_others=True))
    in_a_thread(lambda: come(before_others=False))
    wait_until_queued(places, first=1, others=1)
    places.leave()
    places.leave()

    assert seated.acquire(timeout=10)
    assert seated.acquire(timeout=10)

"""Places to work at: never more taken than there are, and those who come back are seated first."""

import threading
from collections.abc import Callable

from app.background.desks import Desks


def in_a_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def wait_until_queued(desks: Desks, *, new: int = 0, back: int = 0) -> None:
    """Until so many wait for a place: looked at under the desks' own lock, given up to others meanwhile."""
    while True:
        with desks._back:
            if len(desks._new._waiters) >= new and desks._waiting_back >= back:  # type: ignore[attr-defined]
                return


def test_whoever_comes_back_is_seated_before_those_who_begin() -> None:
    desks, seated = Desks(1), list[str]()
    desks.take()

    def come(name: str, *, back: bool) -> None:
        desks.take(before_others=back)
        seated.append(name)
        desks.leave()

    begins = in_a_thread(lambda: come("begins", back=False))
    wait_until_queued(desks, new=1)
    returns = in_a_thread(lambda: come("comes back", back=True))
    wait_until_queued(desks, new=1, back=1)
    desks.leave()
    begins.join(10)
    returns.join(10)

    assert seated == ["comes back", "begins"]


def test_never_more_work_than_there_are_places_and_everybody_gets_one() -> None:
    desks, lock = Desks(3), threading.Lock()
    working, most, done = set[int](), 0, 0

    def work(number: int) -> None:
        nonlocal most, done
        for step in range(50):
            desks.take(before_others=step > 0)
            with lock:
                working.add(number)
                most = max(most, len(working))
            with lock:
                working.discard(number)
            desks.leave()
        with lock:
            done += 1

    threads = [in_a_thread(lambda number=number: work(number)) for number in range(40)]  # type: ignore[misc]
    for thread in threads:
        thread.join(30)

    assert done == 40
    assert most <= 3
    desks.take()
    desks.take()
    desks.take()


def test_a_place_that_is_left_twice_at_once_calls_two() -> None:
    desks, seated = Desks(2), threading.Semaphore(0)
    desks.take()
    desks.take()

    def come(*, back: bool) -> None:
        desks.take(before_others=back)
        seated.release()

    in_a_thread(lambda: come(back=True))
    in_a_thread(lambda: come(back=False))
    wait_until_queued(desks, new=1, back=1)
    desks.leave()
    desks.leave()

    assert seated.acquire(timeout=10)
    assert seated.acquire(timeout=10)

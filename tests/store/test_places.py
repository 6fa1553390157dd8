"""Never more places taken than there are, and among equals who has waited longest is let in first."""

import queue
import threading

from app.store.locks import Places


def test_who_has_just_left_comes_behind_those_who_wait_and_who_waits_no_longer_takes_nothing() -> None:
    places, seated = Places(1), queue.SimpleQueue[str]()
    places.take()
    assert not places.take(before_others=True, seconds=0)
    assert not places.take(seconds=0)

    def come() -> None:
        places.take()
        seated.put("who waited")
        places.leave()

    threading.Thread(target=come, daemon=True).start()
    while not places.waiting():
        pass
    places.leave()
    places.take()
    seated.put("who was there")
    assert [seated.get(timeout=10) for _ in range(2)] == ["who waited", "who was there"]

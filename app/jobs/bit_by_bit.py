"""Work of a job that goes on for as long as there is any: a bit at a time, and no longer than its run may take."""

from collections.abc import Callable

from app.services import Services


def work_bit_by_bit(services: Services, some: Callable[[Services], int], until: float) -> int:
    """How much was done, until nothing is left or `until`, an instant of `Clock.monotonic` in seconds, has come.

    `some` does one bit and says how much that was.
    """
    done = 0
    while services.clock.monotonic() < until:
        with services.background.at_a_desk():  # Between two bits whoever waits for an answer comes first.
            bit = some(services)
        if not bit:
            break
        done += bit
    return done

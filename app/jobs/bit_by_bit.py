"""Work that a job does in small bits, until none is left or its run has taken long enough."""

from collections.abc import Callable

from app.services import Services


def work_bit_by_bit(services: Services, some: Callable[[Services], int], until: float) -> int:
    """Amount done until nothing is left or `until`, an instant of `Clock.monotonic` in seconds, has passed.

    `some` does one bit and returns its amount.
    """
    done = 0
    while services.clock.monotonic() < until:
        with services.background.at_a_desk():  # Between two bits, a turn that waits for a desk goes first.
            bit = some(services)
        if not bit:
            break
        done += bit
    return done

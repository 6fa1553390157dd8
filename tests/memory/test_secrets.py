"""Secrets are kept by nobody as a fact, and what only sounds like one is."""

import pytest

from app.errors import Refused
from app.memory import NewFact, Origin, remember
from app.services import Services
from tests.memory.remembering import TOLD, live


@pytest.mark.parametrize(
    "secret", ["Their bank password is hunter2", "Locker code is 4417", "Pays with 4111 1111 1111 1111"]
)
def test_a_secret_is_refused_whoever_gives_it_away_and_nothing_of_the_call_is_stored(
    services: Services, person_id: int, secret: str
) -> None:
    for origin in (TOLD, Origin("assistant", "explicit", quote=secret), Origin("operator", "operator")):
        with pytest.raises(Refused, match=r"never kept.* text itself stays in the conv") as refused:
            remember(services, person_id, [NewFact("Likes tea"), NewFact(secret)], origin)
        assert secret not in str(refused.value)
    assert live(services, person_id) == []


@pytest.mark.parametrize(
    "told",
    [
        "Their bank account is overdrawn",
        "Has a credit card debt of 12,000 dollars",
        "Their credit card is maxed out",
        "Is away 2026-11-03 2026-11-03",
    ],
)
def test_what_somebody_worries_about_is_no_secret(services: Services, person_id: int, told: str) -> None:
    assert remember(services, person_id, [NewFact(told)], TOLD).stored

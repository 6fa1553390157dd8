"""The operator's way back in."""

from pathlib import Path

from app.operators import FIRST_NAME, log_in
from app.settings import Settings
from app.wiring import build_services
from tests.cli.conftest import Run


def test_a_reset_prints_a_password_that_works_and_ends_the_one_before(run: Run) -> None:
    first, second = (run("operator", "reset").stdout.removeprefix("One-time password: ").strip() for _ in range(2))
    assert first != second
    services = build_services(Settings())
    assert log_in(services, FIRST_NAME, first) is None
    assert log_in(services, FIRST_NAME, second) is not None
    assert first.encode() not in Path("instance/keepsake.db").read_bytes()

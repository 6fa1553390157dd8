"""The key that signs what browsers hold, when the settings give none."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.errors import SettingsError
from app.settings import Settings
from app.web.application import secret_key

PATH = Path("instance/secret_key")


def test_it_is_made_once_whoever_asks_first() -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: secret_key(Settings()), range(32)))
    assert len(keys) == 1
    assert keys == {PATH.read_text()}
    assert len(keys.pop()) == 64


def test_the_one_that_is_given_is_used_and_none_is_made() -> None:
    assert secret_key(Settings(secret_key="0123456789abcdef" * 2)) == "0123456789abcdef" * 2
    assert not PATH.exists()


def test_a_file_left_empty_is_filled_and_a_short_key_in_it_is_refused() -> None:
    PATH.parent.mkdir()
    PATH.touch()
    assert secret_key(Settings()) == PATH.read_text() != ""
    PATH.write_text("changeme")
    with pytest.raises(SettingsError, match="instance/secret_key") as raised:
        secret_key(Settings())
    assert "changeme" not in str(raised.value)
    assert PATH.read_text() == "changeme"

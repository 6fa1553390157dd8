"""The key that signs what browsers hold: given, or made once and kept beside the database."""

import fcntl
import os
import secrets

from app.errors import SettingsError
from app.settings import Settings
from app.settings.values import is_long_key
from app.store.db import make_private_folder


def secret_key(settings: Settings) -> str:
    """The key of these settings; one that is made here is the same for every process and every start.

    Raises:
        SettingsError: the file of the key that was made holds something shorter.
    """
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    make_private_folder(settings.instance_path)
    path = settings.instance_path / "secret_key"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        # Under a lock, so that processes that start at once agree; a file left empty by a kill is filled, not used.
        fcntl.flock(file, fcntl.LOCK_EX)
        key = file.read().strip()
        if not key:
            key = secrets.token_hex(32)
            file.write(key)
    if not is_long_key(key):
        raise SettingsError(f"{path} holds no key that is long enough to sign with. Remove it to have a new one made.")
    return key

"""The key that signs what browsers hold: given, or made once and kept beside the database."""

import os
import secrets

from app.db import make_private_folder
from app.settings import Settings


def secret_key(settings: Settings) -> str:
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    make_private_folder(settings.instance_path)
    path = settings.instance_path / "secret_key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(descriptor, "w") as file:
        key = secrets.token_hex(32)
        file.write(key)
    return key

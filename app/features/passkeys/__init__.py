"""Passkeys: operators log in with what their device or password safe keeps."""

from app.features.passkeys import keys
from app.operators import Passkeys
from app.services.feature import Feature

KEYS: Passkeys = keys
PASSKEYS = Feature("passkeys", passkeys=KEYS)

"""Passkeys: operators log in with a key that their device or password safe keeps."""

from app.features.passkeys import keys
from app.services.feature import Feature

PASSKEYS = Feature("passkeys", passkeys=keys)

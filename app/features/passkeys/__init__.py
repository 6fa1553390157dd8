"""Passkeys: operators log in with what their device or password safe keeps."""

from app.features.passkeys import keys
from app.services.feature import Feature

PASSKEYS = Feature("passkeys", passkeys=keys)

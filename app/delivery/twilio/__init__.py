"""Twilio: sending texts, its ledger, its account."""

NAME = "twilio"

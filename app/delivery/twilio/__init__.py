"""Twilio: texts sent, its books, its account."""

NAME = "twilio"

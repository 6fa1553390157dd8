"""Carriers that never leave this machine: the phone page shows the row itself, the terminal prints the reply."""

import hashlib

from app.services import OutgoingText


class PhoneCarrier:
    name = "phone"

    def send(self, text: OutgoingText) -> str:
        """An id like a carrier's, and the same one when the same text is sent again."""
        return "PH" + hashlib.sha256(text.key.encode()).hexdigest()[:32]


class TerminalCarrier:
    name = "terminal"

    def send(self, text: OutgoingText) -> str:
        return f"TE{text.key}"

"""The operator's own terminal: the command prints the reply, so nothing is left to send."""

from app.services import OutgoingText


class TerminalCarrier:
    name = "terminal"

    def send(self, text: OutgoingText) -> str:
        return f"TE{text.key}"

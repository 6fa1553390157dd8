"""What the person reads when there is no answer of the model to read. Product copy, GSM-7, one text each."""

PLEASE_WAIT = (
    "Hi, this is Keepsake, a personal assistant. This number is not set up yet: the person who runs it has been asked "
    "to let you in, and then I will answer what you texted."
)
ONLY_MEDIA = "I can't see pictures or hear recordings yet. Can you tell me in words?"
TOO_LONG = "My answer got too long to text. Can you ask for one part of it?"
REFUSED = "I can't help with that one. Is there something else?"
NOTHING_TO_SAY = "Okay."

_TROUBLE = (
    "Sorry, I can't think straight right now, so I have no answer to that. Please text me again in a little while."
)
_TROUBLE_SAVED = (
    "Sorry, I can't finish my answer right now. What I changed in my memory is kept; text /memory to see it, and ask "
    "me again in a little while."
)


def trouble(*, memory_changed: bool) -> str:
    """The apology when no answer came, true about what was kept before it failed."""
    return _TROUBLE_SAVED if memory_changed else _TROUBLE


NOT_DONE = {
    "saved": "(To be clear: I did not save anything just now.)",
    "forgotten": "(To be clear: I did not remove anything just now.)",
    "scheduled": "(To be clear: I can't send reminders yet, so nothing is scheduled.)",
}
"""What replaces a claim that is not true, by the kind of claim."""
EMPTY = "That text came through empty. Could you send it again?"

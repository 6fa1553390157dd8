"""Texts for the person when there is no answer of the model. Product copy, GSM-7, one text each."""

PLEASE_WAIT = (
    "Hi, this is Keepsake, a personal assistant. I don't know this number yet. Once the person who runs me has let you "
    "in, I will answer what you texted."
)
FAREWELL = (
    "Okay. You asked for no more texts, so this is my last one. If you ever want me back, text START: "
    "until then I answer nothing else."
)
WHAT_TO_STOP = (
    "What should I stop: every text from me (then text STOP, and none will come), or only something, like a reminder?"
)
NO_EYES = "I can't see pictures yet. Can you tell me in words?"
PICTURE_NOT_OPENED = "I couldn't open that picture. Can you send it again, or tell me in words?"
CANNOT_OPEN = {
    "recording": "I can't hear recordings yet. Can you tell me in words?",
    "video": "I can't watch videos yet. Can you send a picture of it, or tell me in words?",
    "document": "I can't open documents yet. Can you text me the part that matters?",
    "card": "I can't open contact cards yet. Can you text me the name and the number?",
    "file": "I can't open that kind of file yet. Can you tell me in words?",
}
"""Replies to an attachment without words, by its kind."""
TOO_LONG = "My answer got too long to text. Can you ask for one part of it?"
REFUSED = "I can't help with that one. Is there something else?"
NOTHING_TO_SAY = "Okay."

MODEL_DOWN = "Sorry, I can't think straight just now. Your text is safe with me, and I will answer it as soon as I can."

CAME_LATE = "Sorry for the wait: a disturbance on the line kept what you texted from me until now."

_TROUBLE = (
    "Sorry, I can't think straight right now, so I have no answer to that. Please text me again in a little while."
)
_TROUBLE_CHANGED = (
    "Sorry, I can't finish my answer right now. What I did for you so far stands; text /memory or /routines to see it, "
    "and ask me again in a little while."
)


def apology(*, changed: bool) -> str:
    """The apology for a missing answer; says if something was changed before the failure."""
    return _TROUBLE_CHANGED if changed else _TROUBLE


def out_of_budget(when: str) -> str:
    """The one text sent on a day whose budget is spent; `when` is a time such as `tomorrow, 07:00`."""
    return (
        f"I have answered as much as I may for today and have to rest until {when}. "
        "What you text is kept, and I will answer it then."
    )


def out_of_budget_midway(when: str, *, changed: bool) -> str:
    """The same in the middle of an answer; says if something was changed before."""
    kept = "What I did for you so far stands. " if changed else ""
    return (
        f"I have answered as much as I may for today, so this answer stays unfinished. {kept}"
        f"Please ask me again after {when}."
    )


def too_fast(minutes: int) -> str:
    """The reply to texts that come faster than the limit."""
    about = "a minute" if minutes == 1 else f"{minutes} minutes"
    return f"That is more than I can answer at once. Nothing is lost: I will read it all and answer in about {about}."


NOT_DONE = {
    "saved": "(To be clear: I did not save anything just now.)",
    "forgotten": "(To be clear: I did not remove anything just now.)",
    "scheduled": "(To be clear: I did not schedule anything just now.)",
    "cancelled": "(To be clear: I did not cancel anything just now.)",
    "connected": "(To be clear: I did not connect or disconnect anything just now.)",
    "done": "(To be clear: I did not change anything just now.)",
}
"""Corrections for false claims of the model, by the kind of claim."""
EMPTY = "That text came through empty. Could you send it again?"

"""Reminders and routines, as far as rules understand them."""


def at_its_time(words: str) -> str:
    """What is said when a routine is due: nothing is looked up here, but nobody is left waiting either."""
    return f"It's time: {words}"

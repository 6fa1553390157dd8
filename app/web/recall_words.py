"""Why a turn looked into the past or did not, in words for the pages that show turns."""

RECALL = {
    "start": "looked: a conversation began",
    "past": "looked: it asks for something past",
    "a day": "looked: it asks for a day",
    "a name": "looked: it asks for somebody or something by name",
    "themselves": "looked: it asks for something of theirs",
    "new topic": "looked: the topic is new",
    "long since": "looked: several texts ago was the last time",
    "same topic": "not looked: the topic is the same",
    "same question": "not looked: the question is the same",
    "small talk": "not looked: it says little",
    "nothing kept": "not looked: all that is kept is shown anyway",
    "memory off": "not looked: memory is off",
    "no time": "not looked: too little time was left",
    "failed": "failed: the log tells why",
}
"""By the reason of the gate that spoke."""


def as_recall(gate: str) -> str:
    return RECALL.get(gate, gate)

"""The facts that a reply draws on: pure."""

from collections.abc import Mapping

from app.text.wording import MEASURES, beginnings, may_share, subjects, things

ENOUGH = 0.5  # "How is Max?" draws on the dog named Max; "see you at work" on no software engineer.

_OF_ANYONE = subjects("live work")  # Said of so many facts that alone they point to none.


def drawn_on(reply: str, sentences: Mapping[int, str]) -> set[int]:
    """The numbers of the sentences of which the reply says at least `ENOUGH` of the things, in any form."""
    said = subjects(reply)
    begun = beginnings(said)
    return {
        number
        for number, sentence in sentences.items()
        if may_share(sentence, begun) and _says(said, things(sentence) - MEASURES)
    }


def _says(said: frozenset[str], about: frozenset[str]) -> bool:
    shared = said & about
    return bool(shared - _OF_ANYONE) and len(shared) >= ENOUGH * len(about)

"""Sentences of despair: of whoever wants to die, or sees no way to go on. Words, and nothing else.

They are a call for help to whoever reads them when they are said. They are no facts about anybody, and are never read
back unasked. Any doubt counts: words that may be less than they seem are left out of what is kept, too. They are data:
despair.toml.
"""

import re
import tomllib
from pathlib import Path

from app.text.sentences import sentences

_NOT_HERE = re.compile(r"\bnot want to be here\b(?! (?:when|if|for|at|tomorrow|today|tonight)\b)", re.IGNORECASE)
_PLACE = re.compile(  # Of which somebody may well have had enough.
    r"\b(?:this|the|at|at (?:the|this|a|my)|in (?:the|this|a|my)) (?:[\w-]+ )?(?:party|meeting|class|lecture|"
    r"work|office|"
    r"school|gym|queue|line|traffic|airport|bar|club|pub|dinner|wedding|concert|gig|event|hotel|date|conference|museum|"
    r"shop|store|mall)\b|\b(?:boring|bored)\b",
    re.IGNORECASE,
)
_WRITTEN_OUT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"[’‘ʼ´`]", "'"),
        (r"\s+", " "),
        (r"\b(?:can'?t|can not)\b", "cannot"),
        (r"\bwon'?t\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|would|could|should)n'?t\b", r"\1 not"),
        (r"\bi'?m\b", "I am"),
        (r"\bi'd\b", "I would"),
        (r"\b(they|you|we)'re\b", r"\1 are"),
        (r"\b(life|it|that|what|there)'?s\b", r"\1 is"),
        (r"\bwanna\b", "want to"),
        (r"\bgonna\b", "going to"),
    )
)


def any_of_lines(*blocks: str) -> str:
    """A pattern of the words, of which each line of a block holds some."""
    lines = [line for block in blocks for line in block.replace("\n    ", "").strip().splitlines()]
    return rf"(?<!\w)(?:{'|'.join(f'(?:{line})' for line in lines)})(?!\w)"


_READ = tomllib.loads(Path(__file__).with_name("despair.toml").read_text(encoding="utf-8"))
_LINES = (_READ[block].replace("{ends}", _READ["ends"]) for block in ("wishes", "wishes_abroad"))
_DESPAIR = re.compile(f"{any_of_lines(*_LINES)}|{_READ['unspaced']}", re.IGNORECASE | re.MULTILINE)


def is_despair(text: str) -> bool:
    """Whether something in the text says that somebody wants to die, or cannot go on."""
    words = text
    for pattern, full in _WRITTEN_OUT:
        words = pattern.sub(full, words)
    return bool(_DESPAIR.search(words) or (_NOT_HERE.search(words) and not _PLACE.search(words)))


def without_despair(words: str) -> str:
    """The words without the sentences that are one; as they are where none is."""
    told = sentences(words)
    kept = [sentence for sentence in told if not is_despair(sentence)]
    return words if len(kept) == len(told) else " ".join(kept)

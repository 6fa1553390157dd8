"""Phrases found in a text: whole words, whatever their case, accents, punctuation and spacing. Pure."""

import unicodedata

from app.text.tokens import MARKS, UNSPACED


def folded(words: str) -> str:
    """The words as they are compared, one blank between two; empty where nothing is left.

    Each character of a script that parts no words by spaces is a word of its own, and so is a symbol such as a heart:
    a phrase in them is found inside a longer run.
    """
    text = unicodedata.normalize("NFKD", words.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    text = unicodedata.normalize("NFC", MARKS.sub("", text)).casefold()
    apart = UNSPACED.sub(lambda run: f" {' '.join(run[0])} ", text)
    return " ".join("".join(map(_plain, apart)).split())


def holds(text: str, phrase: str) -> bool:
    sought = folded(phrase)
    return bool(sought) and f" {sought} " in f" {folded(text)} "


def _plain(char: str) -> str:
    if char in "'’ʼ`\u200d\ufe0f":
        return ""
    match unicodedata.category(char)[0]:
        case "L" | "N" | "M":
            return char
        case "S":
            return f" {char} " if unicodedata.category(char) != "Sk" else ""  # A tone of skin is the same hand.
        case _:
            return char if char == "#" else " "

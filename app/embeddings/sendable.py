"""A text as every tokenizer and every JSON reader takes it."""


def sendable(text: str) -> str:
    """The text without NUL, its surrogates put together where they are a pair and replaced where they are not."""
    return text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")

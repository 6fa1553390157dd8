"""The origin of a memory."""

from dataclasses import dataclass

from app.text.secrets import without_despair, without_secrets

CONFIDENCE = {"explicit": 1.0, "corrected": 0.9, "inferred": 0.7, "imported": 0.8, "operator": 1.0, "agent": 0.7}
"""0 to 1 by source. Told, corrected and inferred are the product's; the others lie between by how near they are."""


@dataclass(frozen=True)
class Origin:
    """Who changes the memory, on what grounds, and in which words."""

    actor: str
    """`person`, `assistant`, `operator` or `agent`."""
    source: str
    """`explicit` (told), `corrected`, `inferred`, `imported`, `operator` or `agent`.

    Of rules also `file` and `forwarded`: it came with a text of the person, and is not in their own words.
    """
    turn_id: int | None = None
    message_id: int | None = None
    quote: str | None = None
    """Those words, without the sentences that give a secret away or are said in despair."""
    call: str | None = None
    """Which call of a tool asks for it; asked for again after a crash, it is not done again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quote", without_despair(without_secrets(self.quote or "")).strip() or None)

    @property
    def confidence(self) -> float:
        return CONFIDENCE[self.source]

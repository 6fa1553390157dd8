"""What was understood of a text: facts to keep, corrections, wishes to forget, questions, small talk, and the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from app.clients.offline.beings import Being, beings, meant_by
from app.clients.offline.danger import Kind
from app.clients.offline.rules import RuleSaid, RuleWish
from app.clients.offline.statements import Said


@dataclass(frozen=True)
class Swap:
    """`It's not Synology, it's fnos`: one word in the place of another, in whatever fact holds it."""

    wrong: str
    right: str
    about: str = ""
    """The text that it puts right, where it names no fact itself: other facts keep the word."""


@dataclass
class Reading:
    name: str | None = None
    timezone: str | None = None
    zone_by: Literal["clock", "home", "stay"] = "clock"
    """What told the zone: the zone itself, the place in which they live, or the one in which they are now."""
    zone_until: date | None = None
    """The last day of a stay, where it was told."""
    name_gone: str | None = None
    """The name that is to be forgotten; empty for whichever is known."""
    said: list[Said] = field(default_factory=list)
    swaps: list[Swap] = field(default_factory=list)
    forget: list[str] = field(default_factory=list)
    """What is to be forgotten, in the person's words without "forget"."""
    rules: list[RuleSaid] = field(default_factory=list)
    rule_wishes: list[RuleWish] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    small_talk: list[str] = field(default_factory=list)
    """Kinds of small talk, as `small_talk.py` names them."""
    secret: bool = False
    danger: Kind | None = None
    undecided: bool = False
    missed: list[str] = field(default_factory=list)
    """Clauses, or the rest of one, that were not understood."""
    known: Sequence[str] = ()
    """The facts that are known already: they tell who Maya is, and whose name may have changed."""
    earlier: Sequence[str] = ()
    """The person's earlier texts, the newest first: they tell who `she` is."""
    heard: list[str] = field(default_factory=list)
    """The clauses of this text so far."""
    unclear: list[str] = field(default_factory=list)
    """Pronouns of which the texts do not tell whom they mean."""

    @property
    def has_business(self) -> bool:
        """Whether there is something to keep, to change or to answer in it, beside small talk."""
        wishes = self.forget or self.swaps or self.rules or self.rule_wishes
        return bool(self.said or wishes or self.questions or self.name or self.timezone)

    def beings(self) -> list[Being]:
        return beings([*self.known, *(said.sentence for said in self.said)])

    def keep(self, said: Said) -> None:
        if said not in self.said:
            self.said.append(said)

    def meant_by(self, pronoun: str) -> Being | None:
        """The one whom the pronoun can mean here."""
        return meant_by(pronoun, ". ".join(self.heard), self.earlier, self.beings())

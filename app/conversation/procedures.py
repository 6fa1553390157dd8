"""The person's rules as the model is shown them: in their own block, and by name where a text says a rule's phrase."""

from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from app import prompts
from app.memory.facts.selection import estimate_tokens
from app.memory.rules import InForce
from app.text.phrases import holds
from app.text.wording import is_constraint, subjects

PROCEDURES_MAX_TOKENS = 300  # Below what facts get: a rule is a short sentence, and most people have a handful.
RULES_A_LOOK = 4  # Of those that matter to a text: with the ones that always hold, about half of the room.
RULES_KEPT = 8

_FRAME = estimate_tokens("<procedures>\n</procedures>\n")


def shown(rules: Sequence[InForce], preferred: Sequence[int] = ()) -> list[InForce]:
    """The rules that have room in the block: those that always hold first, then the others, each by number.

    Where there is no room for all, what must never be missed leads (allergies, "never suggest …"), then the
    `preferred`, by their numbers, then the latest. The order of what is shown does not depend on that, so that the
    model's cached prefix survives from turn to turn.
    """
    room = PROCEDURES_MAX_TOKENS - _FRAME
    chosen = []
    for rule in sorted(rules, key=_by_weight(preferred)):
        cost = _cost(rule)
        if cost <= room:
            room -= cost
            chosen.append(rule)
    return sorted(chosen, key=lambda rule: (rule.trigger_kind != "always", rule.number))


def block(rules: Sequence[InForce]) -> str:
    """`<procedures>` with these rules; empty where there are none."""
    return prompts.render("procedures", rules=rules) if rules else ""


def all_fit(rules: Sequence[InForce]) -> bool:
    return sum(map(_cost, rules)) <= PROCEDURES_MAX_TOKENS - _FRAME


def called_for(rules: Sequence[InForce], words: str) -> list[InForce]:
    """The rules whose phrase these words hold, by number."""
    return [rule for rule in rules if rule.trigger_kind == "phrase" and holds(words, rule.trigger or "")]


def relevant(rules: Sequence[InForce], words: str) -> list[tuple[int, float]]:
    """Numbers of the rules that share a word with a text, each with the share of its words, 0 to 1; the best first."""
    said = subjects(words)
    shares = [(rule.number, _share(subjects(f"{rule.trigger or ''} {rule.procedure}"), said)) for rule in rules]
    return sorted((one for one in shares if one[1]), key=lambda one: (-one[1], one[0]))[:RULES_A_LOOK]


def _share(of_rule: frozenset[str], said: frozenset[str]) -> float:
    return len(of_rule & said) / len(of_rule) if of_rule else 0.0


def _by_weight(preferred: Sequence[int]) -> Callable[[InForce], tuple[bool, bool, int, int]]:
    place = {number: at for at, number in enumerate(preferred)}
    return lambda rule: (
        rule.trigger_kind != "always",
        not is_constraint(rule.procedure),
        place.get(rule.number, len(place)),
        -rule.number,
    )


def _cost(rule: InForce) -> int:
    """Tokens of the rule's line, as the prompt writes it."""
    trigger = f' {rule.trigger_kind}="{prompts.attribute(rule.trigger)}"' if rule.trigger else ""
    return estimate_tokens(f"  <rule{trigger}>{escape(rule.procedure)}</rule>\n")

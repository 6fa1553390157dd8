"""Rules as rows: set, revised, forgotten, restored and undone, each change of them a version."""

import pytest

from app.conversation import memory_shown
from app.errors import Conflict, NotFound, Refused
from app.memory import MAX_RULES, Origin, RuleWords, forget_rules, restore_rule, revise_rule, rules, set_rule, undo
from app.memory.rules import MAX_PROCEDURE_CHARS, MAX_TRIGGER_CHARS, SetRule, checked
from app.models import Rule
from app.services import Services
from tests.memory.remembering import BEN, INFERRED, OPERATOR, TOLD, add_person, rules_known
from tests.tables import rows

PEANUTS = RuleWords("always", None, "Never suggest peanuts")
QUICK = RuleWords("phrase", "quick update", "Bullets only")


def told(services: Services, person_id: int, words: RuleWords = PEANUTS, *, proposed: bool = False) -> SetRule:
    return set_rule(services, person_id, words, INFERRED if proposed else TOLD, proposed=proposed)


def versions(services: Services, person_id: int, number: int) -> list[Rule]:
    with services.reading() as db:
        return rules.versions(db, person_id, number)


def in_force(services: Services, person_id: int) -> list[int]:
    with services.reading() as db:
        return [rule.number for rule in memory_shown.in_force(db, person_id)]


@pytest.mark.parametrize(("given", "kept"), rows("rules_checked.jsonl"))
def test_words_are_kept_on_one_line_without_what_only_frames_them(given: list[str], kept: list[str]) -> None:
    words = checked(*given)

    assert [words.trigger_kind, words.trigger, words.procedure] == kept


@pytest.mark.parametrize(
    ("kind", "trigger", "procedure", "why"),
    [
        ("always", None, " ... ", "this one is empty"),
        ("always", None, "a" * (MAX_PROCEDURE_CHARS + 1), "301 characters; at most 300"),
        ("always", "quick", "Sing", "has no trigger; 'quick' was given"),
        ("phrase", None, "Sing", "needs its trigger: the words that the person will say"),
        ("phrase", '"!?"', "Sing", "needs its trigger"),
        ("phrase", "a" * (MAX_TRIGGER_CHARS + 1), "Sing", "101 characters; at most 100"),
        ("situation", " ", "Sing", "needs its trigger: the situation in a few words"),
        ("always", None, "My password is hunter2", "never kept in a rule"),
        ("phrase", "my pin is 4821", "Sing", "never kept in a rule"),
    ],
)
def test_unfit_words_are_refused_with_what_to_do(
    services: Services, person_id: int, kind: str, trigger: str | None, procedure: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        told(services, person_id, RuleWords(kind, trigger, procedure))
    assert rules_known(services, person_id) == {}


def test_the_same_words_in_other_spelling_are_the_same_rule(services: Services, person_id: int) -> None:
    told(services, person_id, QUICK)

    again = told(services, person_id, RuleWords("phrase", "QUICK-update", "bullets only!"))

    assert (again.is_new, again.rule.number, again.conflicts) == (False, 1, [])
    assert told(services, person_id, RuleWords("phrase", "slow update", "Bullets only")).rule.number == 2
    assert told(services, person_id, RuleWords("situation", "quick update", "Bullets only")).rule.number == 3


def test_rules_that_a_new_one_may_replace_are_told_of_and_kept(services: Services, person_id: int) -> None:
    told(services, person_id, QUICK)
    told(services, person_id, PEANUTS)
    told(services, person_id, RuleWords("always", None, "Sign with a joke"))

    same_phrase = told(services, person_id, RuleWords("phrase", "quick update", "One line"))
    alike = told(services, person_id, RuleWords("always", None, "Never suggest peanuts or cashews"))

    assert [one.number for one in same_phrase.conflicts] == [1]
    assert [one.number for one in alike.conflicts] == [2]
    assert len(rules_known(services, person_id)) == 5


def test_a_revision_is_a_version_and_each_keeps_where_it_came_from_and_when(services: Services, person_id: int) -> None:
    set_rule(services, person_id, QUICK, Origin("assistant", "explicit", quote="bullets ok?"))
    set_at = services.clock.now()
    services.clock.wait(3600)

    origin = Origin("assistant", "corrected", quote="three bullets")
    revise_rule(services, person_id, 1, origin, words=RuleWords("phrase", "quick update", "Three bullets"))

    first, second = versions(services, person_id, 1)
    assert (first.version, first.procedure, first.source, first.quote) == (1, "Bullets only", "explicit", "bullets ok?")
    assert (second.version, second.procedure, second.source) == (2, "Three bullets", "corrected")
    assert (second.quote, second.state, second.retired_at) == ("three bullets", "active", None)
    assert first.created_at == first.recorded_at == second.created_at == set_at
    assert first.retired_at == second.recorded_at == services.clock.now()


def test_a_rule_proposed_or_paused_holds_once_confirmed_or_resumed(services: Services, person_id: int) -> None:
    told(services, person_id, proposed=True)
    told(services, person_id, QUICK)
    with pytest.raises(Refused, match="waits for the person's yes"):
        revise_rule(services, person_id, 1, OPERATOR, paused=False)
    revise_rule(services, person_id, 2, OPERATOR, paused=True)
    assert in_force(services, person_id) == []
    assert not told(services, person_id, QUICK, proposed=True).is_new, "a proposal of what is known changes nothing"
    assert rules_known(services, person_id)[2] == ('On "quick update": Bullets only', "paused")

    revise_rule(services, person_id, 1, TOLD, confirmed=True)
    for _ in range(2):
        revise_rule(services, person_id, 2, OPERATOR, paused=False)

    assert in_force(services, person_id) == [1, 2]
    assert versions(services, person_id, 1)[-1].source == "inferred", "where it came from is kept"
    assert len(versions(services, person_id, 2)) == 3, "what changes nothing is no version"


def test_what_is_unknown_unchanged_said_or_anothers_cannot_be_revised(services: Services, person_id: int) -> None:
    told(services, person_id)
    told(services, person_id, QUICK)
    for number in (9, 10**30):
        with pytest.raises(NotFound, match=f"No rule with id {number}"):
            revise_rule(services, person_id, number, TOLD, paused=True)
    with pytest.raises(Refused, match="Nothing to change"):
        revise_rule(services, person_id, 1, TOLD)
    with pytest.raises(Conflict, match="Rule 2 says"):
        revise_rule(services, person_id, 1, TOLD, words=QUICK)
    other = add_person(services, BEN)
    assert forget_rules(services, other, [1], TOLD).unknown == [1]
    for change in (restore_rule, lambda *of: revise_rule(*of, paused=True)):
        with pytest.raises(NotFound):
            change(services, other, 1, TOLD)
    assert undo(services, other) is None
    assert set(rules_known(services, person_id)) == {1, 2}


def test_there_are_fifty_rules_at_most_whatever_their_state(services: Services, person_id: int) -> None:
    for number in range(MAX_RULES):
        told(services, person_id, RuleWords("always", None, f"Praise poet {number}"), proposed=number < 5)
    with pytest.raises(Refused, match="50 rules already"):
        told(services, person_id)

    forget_rules(services, person_id, [50], TOLD)
    told(services, person_id)
    with pytest.raises(Refused, match="50 rules already"):
        restore_rule(services, person_id, 50, OPERATOR)


def test_a_forgotten_rule_comes_back_as_it_last_was(services: Services, person_id: int) -> None:
    told(services, person_id)
    revise_rule(services, person_id, 1, TOLD, paused=True)
    forget_rules(services, person_id, [1], TOLD)
    with services.reading() as db:
        assert [one.number for one in rules.forgotten(db, person_id)] == [1]

    assert restore_rule(services, person_id, 1, OPERATOR).state == "paused"
    with pytest.raises(Conflict, match="cannot come back"):
        restore_rule(services, person_id, 1, OPERATOR)
    with pytest.raises(NotFound):
        restore_rule(services, person_id, 3, OPERATOR)

    undo(services, person_id)
    assert rules_known(services, person_id) == {}


def test_each_change_of_a_rule_is_undone_in_its_turn_with_words_that_say_it(services: Services, person_id: int) -> None:
    told(services, person_id, QUICK, proposed=True)
    revise_rule(services, person_id, 1, TOLD, confirmed=True)
    revise_rule(services, person_id, 1, TOLD, words=RuleWords("phrase", "quick update", "One line"), paused=True)
    revise_rule(services, person_id, 1, TOLD, paused=False)

    said = [undo(services, person_id) for _ in range(5)]

    assert said == [
        'Undone: it is again a rule, paused: On "quick update": One line.',
        'Undone: it is again a rule: On "quick update": Bullets only.',
        'Undone: it is again a rule, waiting for your yes: On "quick update": Bullets only.',
        'Undone: no longer a rule: On "quick update": Bullets only.',
        None,
    ]
    assert rules_known(services, person_id) == {}

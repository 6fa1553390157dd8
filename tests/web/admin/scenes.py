"""Rows for the pages to show, as the assistant would leave them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import memory, people
from app.memory import NewFact, Origin, RuleWords, episodes, facts
from app.memory.episodes import Covered, Summary
from app.models import (
    Conversation,
    Episode,
    EpisodeFact,
    Message,
    Occurrence,
    Person,
    Routine,
    Spending,
    Suggestion,
    ToolCall,
    Turn,
)
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, revise_routine, set_routine
from app.routines.values import local_time
from app.services import Services
from tests.turns import add_ended_turn

TOLD = Origin(actor="assistant", source="explicit")
BY_PERSON = Origin("person", "explicit")
BY_OPERATOR = Origin("operator", "operator")


@dataclass(frozen=True)
class Someone:
    """A person, with functions that add rows of theirs."""

    services: Services
    row: Person

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def address(self) -> str:
        return self.row.address

    @property
    def path(self) -> str:
        """The path of their pages below /admin."""
        return f"/people/{self.id}"

    def learn(self, *sentences: str, category: str | None = None, origin: Origin = TOLD) -> None:
        memory.remember(self.services, self.id, [NewFact(sentence, category) for sentence in sentences], origin)

    def live(self) -> dict[int, str]:
        """Their live facts, by number."""
        with self.services.reading() as db:
            return {fact.number: fact.sentence for fact in facts.live(db, self.id, self.services.clock.now())}

    def rule(self, procedure: str, phrase: str | None = None, origin: Origin = TOLD) -> None:
        """Add a rule that holds always, or when they write this phrase."""
        words = RuleWords("phrase" if phrase else "always", phrase, procedure)
        memory.set_rule(self.services, self.id, words, origin)

    def remind(self, words: str, *times: str, repeat: str = "daily", does: str = "remind", **when: Any) -> Routine:
        """Add a routine at these times of day, by default at ten."""
        schedule = Schedule(repeat, times=tuple(local_time("times", at) for at in times or ("10:00",)), **when)
        return set_routine(self.services, self.id, NewRoutine(does, words, schedule), BY_PERSON, "phone")

    def text(self, body: str, **columns: Any) -> Message:
        return add_text(self.services, self.id, body, **columns)

    def turn(self, said: str, reply: str, **columns: Any) -> Turn:
        return add_turn(self.services, self.id, said, reply, **columns)

    def episode(self, summary: str = "Alex passed the exam.", of: Turn | None = None, **fields: Any) -> Episode:
        """Add an episode of the given turn, or of a new one with the summary as its text."""
        return add_episode(self.services, of or self.turn(f"I say that {summary}", "Well done!"), summary, **fields)


def add_person(
    services: Services, address: str = "+12065550100", *, name: str | None = None, access: str = "allowed"
) -> Someone:
    with services.transaction() as db:
        person = people.add(db, address, access=access, now=services.clock.now())
        person.name = name
    return Someone(services, person)


def add_text(services: Services, person_id: int, body: str, *, state: str = "answered", **columns: Any) -> Message:
    """Add a text of the person, or one to them with `direction="out"`."""
    columns.setdefault("direction", "in")
    with services.transaction() as db:
        message = Message(
            person_id=person_id,
            carrier="phone",
            sid=f"SM{secrets.token_hex(16)}",
            state=state,
            body=body,
            created_at=services.clock.now(),
            **columns,
        )
        db.add(message)
        db.flush()
        return message


def add_turn(
    services: Services,
    person_id: int,
    said: str,
    reply: str,
    *,
    tools: Sequence[tuple[str, dict[str, Any], str]] = (),
    **columns: Any,
) -> Turn:
    """Add an answered text; each tool call is given by name, input and result."""
    now = services.clock.now()
    with services.transaction() as db:
        values: dict[str, Any] = {"kind": "reply", "outcome": "replied", "model": "claude-sonnet-5-5", **columns}
        ended_at = now + timedelta(seconds=values.get("model_seconds", 0.0))
        turn = add_ended_turn(db, person_id, now, ended_at=ended_at, **values)
        for ordinal, (tool, given, result) in enumerate(tools, 1):
            call = ToolCall(turn_id=turn.id, ordinal=ordinal, name=tool, input=given, is_error=False, at=now)
            call.result = result
            db.add(call)
    add_text(services, person_id, said, turn_id=turn.id)
    add_text(services, person_id, reply, turn_id=turn.id, direction="out", state="sent")
    return turn


def add_episode(services: Services, turn: Turn, summary: str = "Alex passed the exam.", **fields: Any) -> Episode:
    """Add an episode of the turn; `fields` are those of a summary."""
    now = services.clock.now()
    told = Summary(summary, f"{summary} It was a long day.", ("exam", "sister"), ("The exam is passed",), 0.6)
    with services.transaction() as db:
        texts = tuple(db.scalars(select(Message.id).where(Message.turn_id == turn.id).order_by(Message.id)))
        db.get_one(Conversation, turn.conversation_id).summarised_to = turn.id
        covered = Covered(turn.conversation_id, turn.id, "quiet", texts, now, now)
        return episodes.add(db, turn.person_id, replace(told, **fields), covered, now, written_by="claude-haiku-5-5")


def fill_with(person: Someone, words: str, ours: str = "x") -> list[str]:
    """Add a row of each kind with `words`, or with `ours` as the assistant's words; returns pages that show them."""
    services = person.services
    now = services.clock.now()
    called = [(ours, {words: words}, words), ("extract_memory", {}, f'{{"stored": "{words}"}}')]
    turn = person.turn(words, words, tools=called, outcome=ours[:60], model=ours[:60], memory_shown=words)
    text = person.text(words, direction="out", state="refused", delivery=ours, note=ours)
    origin = Origin("assistant", "explicit", turn_id=turn.id, message_id=text.id, quote=words)
    given = [NewFact(f"{verb} {words}", words[:40]) for verb in ("Says", "Said")]
    kept, gone = memory.remember(services, person.id, given, origin).stored
    memory.revise(services, person.id, kept.number, origin, fact=f"Sings {words}")
    memory.forget(services, person.id, [gone.number], origin)
    # Episodes are added last, because forgetting a fact removes the episodes that tell it.
    live, away = (
        person.episode(words, turn, narrative=words, topics=(words[:40],), key_facts=(words,)) for _ in range(2)
    )
    memory.forget_episodes(services, person.id, [away.number], BY_OPERATOR)
    rules = [RuleWords("phrase", f"{verb} {words}"[:100], f"Say {words}") for verb in ("hum", "sing")]
    rule, dropped = (memory.set_rule(services, person.id, one, origin).rule for one in rules)
    changed = RuleWords("situation", words[:100], f"Whistle {words}")
    memory.revise_rule(services, person.id, rule.number, origin, words=changed)
    memory.forget_rules(services, person.id, [dropped.number], origin)
    routine = person.remind(f"Say {words}", "23:00")
    revise_routine(services, person.id, routine.number, origin, words=words)
    of = {"person_id": person.id, "due_at": now, "run_at": now, "state": "held", "reason": ours}
    with services.transaction() as db:
        spent = Spending(day=now.date(), person_id=person.id, cents=1.0, at=now)
        learned = EpisodeFact(episode_id=live.id, fact_id=kept.id)
        db.add_all([Occurrence(routine_id=routine.id, **of), spent, learned])
        add_suggestion(db, person.id, text.id, now, words=words, procedure=f"Keep {words}")
    facts = [f"facts/{one.number}" for one in (kept, gone)]
    return [*facts, f"rules/{rule.number}", f"episodes/{live.number}", f"routines/{routine.number}"]


def add_suggestion(
    db: Session, person_id: int, text_id: int, now: datetime, *, words: str, procedure: str, state: str = "waiting"
) -> None:
    rule = {"kind": "rule", "words": words, "procedure": procedure, "message_id": text_id, "times": 3}
    said = {} if state == "waiting" else {"said_at": now}
    db.add(Suggestion(person_id=person_id, state=state, run_at=now, created_at=now, **rule, **said))

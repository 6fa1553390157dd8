import re
from collections.abc import Sequence
from typing import Any

import click

from app import memory
from app.cli.facts import BY_OPERATOR
from app.cli.json_output import as_json, iso, print_json
from app.cli.noted import done_in_part
from app.cli.numbers import PhoneNumber
from app.cli.of_each import of_each, print_of_each
from app.cli.one_line import one_line
from app.cli.ready import ready_services
from app.cli.whose import known, whose
from app.clock import local
from app.errors import NotFound
from app.memory import episodes as rows
from app.memory.recall import MAX_FOUND
from app.models import Episode, Fact, Message, Person

FOUND = 10


class EpisodeNumber(click.ParamType[int]):
    """An episode as the lists name it, `ep3`, or its number alone."""

    name = "episode"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = re.fullmatch(r"(?:ep)?(\d{1,18})", str(value).strip(), re.IGNORECASE)
        if found is None:
            self.fail(f"{value!r} names no episode. Give one as `keepsake episodes list` shows it: ep3.", param, ctx)
        return int(found[1])


@click.group()
def episodes() -> None:
    """What happened, as it is remembered of conversations."""


@episodes.command("list")
@click.option("--person", "number", metavar="NUMBER", type=PhoneNumber(), help="Only this person's; else everyone's.")
@as_json
def list_episodes(number: str | None, *, as_json: bool) -> None:
    """What happened, the latest first, each with the id that the other commands take."""
    found = of_each(ready_services(), number, rows.live)
    if as_json:
        print_json([_record(one, person) for person, held in found for one in held])
        return
    print_of_each(found, _line, f"No episode is remembered {f'of {number}' if number else 'of anybody'} yet.")


@episodes.command("show")
@click.argument("episode", type=EpisodeNumber())
@whose
@as_json
def show_episode(episode: int, number: str | None, *, as_json: bool) -> None:
    """EPISODE in full, with what was said in it and the facts that were learned."""
    services = ready_services()
    person = known(services, number)
    with services.reading() as db:
        found = rows.live_by_number(db, person.id, episode)
        if found is None:
            raise _no_episode(person, [episode])
        said, learned = rows.messages(db, found), rows.facts(db, found)
    if as_json:
        print_json(_record(found, person) | {"texts": _texts(said), "facts": _facts(learned)})
        return
    click.echo(f"{_line(found, person)}\n")
    for paragraph in (found.narrative, *(f"- {fact}" for fact in found.key_facts)):
        click.echo(paragraph)
    click.echo(f"\n{', '.join(found.topics)}  (importance {found.importance:.1f}, by {found.written_by})\n")
    for text in said:
        click.echo(f"{_when(text, person)}  {'<' if text.direction == 'in' else '>'} {one_line(text.body)}")
    for fact in learned:
        click.echo(f"fact {fact.number}: {fact.sentence}")


@episodes.command("search")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, MAX_FOUND), default=FOUND, show_default=True, help="How many at most.")
@whose
@as_json
def search_episodes(query: str, limit: int, number: str | None, *, as_json: bool) -> None:
    """Episodes that answer QUERY, by its meaning and its words, the best first.

    Not all of its words have to be in them. Without an embedder words alone are searched.
    """
    if not query.strip():
        raise click.UsageError("QUERY is empty. Give words or a question, such as: keepsake episodes search exam")
    services = ready_services()
    person = known(services, number)
    found = memory.recall(services, person.id, query, limit, kinds=["episode"]).episodes
    if as_json:
        print_json([_record(one.episode, person) | {"relevance": round(one.relevance, 4)} for one in found])
        return
    for one in found:
        click.echo(_line(one.episode, person))
    if not found:
        click.echo(f"No episode of {person.address} answers that.", err=True)


@episodes.command("forget")
@click.argument("numbers", metavar="EPISODES...", type=EpisodeNumber(), nargs=-1, required=True)
@whose
@as_json
def forget_episodes(numbers: tuple[int, ...], number: str | None, *, as_json: bool) -> None:
    """Forget EPISODES. What was said in them, and the facts that were learned, stay. An undo brings them back."""
    services = ready_services()
    person = known(services, number)
    forgotten = memory.forget_episodes(services, person.id, numbers, BY_OPERATOR)
    if as_json:
        removed = [_record(one, person) for one in forgotten.removed]
        print_json({"removed": removed, "unknown": forgotten.unknown})
    else:
        for one in forgotten.removed:
            click.echo(f"Forgotten:\n{_line(one, person)}")
    if forgotten.unknown:
        done_in_part(forgotten.removed)
        raise _no_episode(person, forgotten.unknown)


def _no_episode(person: Person, numbers: Sequence[int]) -> NotFound:
    names = ", ".join(f"ep{number}" for number in numbers)
    return NotFound(
        f"{person.address} has no episode {names}. `keepsake episodes list --person {person.address}` shows all."
    )


def _line(episode: Episode, person: Person) -> str:
    return f"{episode.name:>7}  {local(episode.started_at, person.timezone):%Y-%m-%d %H:%M}  {episode.summary}"


def _when(text: Message, person: Person) -> str:
    return f"{local(text.created_at, person.timezone):%Y-%m-%d %H:%M}"


def _record(episode: Episode, person: Person) -> dict[str, object]:
    return {
        "id": episode.number,
        "summary": episode.summary,
        "narrative": episode.narrative,
        "topics": episode.topics,
        "key_facts": episode.key_facts,
        "importance": episode.importance,
        "started_at": iso(episode.started_at),
        "ended_at": iso(episode.ended_at),
        "messages": episode.message_count,
        "trigger": episode.trigger,
        "written_by": episode.written_by,
        "created_at": iso(episode.recorded_at),
        "person": person.address,
    }


def _texts(said: Sequence[Message]) -> list[dict[str, object]]:
    return [{"at": iso(one.created_at), "direction": one.direction, "text": one.body} for one in said]


def _facts(learned: Sequence[Fact]) -> list[dict[str, object]]:
    return [{"id": one.number, "fact": one.sentence} for one in learned]

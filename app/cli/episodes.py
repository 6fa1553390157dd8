import click

from app import memory
from app.cli.parameters import EpisodeNumber, as_json, of_whom, whose
from app.cli.persons import BY_OPERATOR, known, ready_services
from app.cli.printing import Noun, iso, one_line, print_json
from app.clock import local
from app.memory import episodes as rows
from app.memory.recall import MAX_FOUND
from app.models import Episode, Person

FOUND = 10


@click.group()
def episodes() -> None:
    """What happened, as it is remembered of conversations."""


@episodes.command("list")
@of_whom
@as_json
def list_episodes(number: str | None, *, as_json: bool) -> None:
    """What happened, the latest first, each with the id that the other commands take."""
    nothing = f"No episode is remembered {f'of {number}' if number else 'of anybody'} yet."
    EPISODE.print_each(ready_services(), number, rows.live, nothing, as_json=as_json)


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
            raise EPISODE.none_such(person, [episode])
        said, learned = rows.messages(db, found), rows.facts(db, found)
    if as_json:
        texts = [{"at": iso(one.created_at), "direction": one.direction, "text": one.body} for one in said]
        facts = [{"id": one.number, "fact": one.sentence} for one in learned]
        print_json(_record(found, person) | {"texts": texts, "facts": facts})
        return
    click.echo(f"{_line(found, person)}\n")
    for paragraph in (found.narrative, *(f"- {fact}" for fact in found.key_facts)):
        click.echo(paragraph)
    click.echo(f"\n{', '.join(found.topics)}  (importance {found.importance:.1f}, by {found.written_by})\n")
    for text in said:
        at = f"{local(text.created_at, person.timezone):%Y-%m-%d %H:%M}"
        click.echo(f"{at}  {'<' if text.direction == 'in' else '>'} {one_line(text.body)}")
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
    EPISODE.print_removed(memory.forget_episodes(services, person.id, numbers, BY_OPERATOR), person, as_json=as_json)


def _line(episode: Episode, person: Person) -> str:
    return f"{episode.name:>7}  {local(episode.started_at, person.timezone):%Y-%m-%d %H:%M}  {episode.summary}"


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


EPISODE = Noun("episode", _line, _record, prefix="ep")

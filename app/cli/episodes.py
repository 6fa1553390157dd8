import click

from app import memory
from app.cli.call import Call, about_one, episode_number, of_anybody, with_call
from app.cli.printing import Noun, one_line, values
from app.clock import local
from app.memory import episodes as rows
from app.memory.recall import MAX_FOUND
from app.models import Episode, Person

FOUND = 10

episodes = click.Group("episodes", help="Episodes: summaries of past conversations.")


@episodes.command("list")
@of_anybody
@with_call
def list_episodes(call: Call) -> None:
    """List episodes, the latest first, each with the id that the other commands take."""
    whom = f"of {call.number}" if call.number else "of anybody"
    EPISODE.print_each(call, rows.live, f"No episode is remembered {whom} yet.")


@episodes.command("show")
@click.argument("episode", type=episode_number)
@about_one
def show_episode(call: Call, episode: int) -> None:
    """Show EPISODE in full, with its texts and the facts learned from it."""
    person = call.person
    with call.services.reading() as db:
        found = rows.held_by_number(db, person.id, episode)
        if found is None:
            raise EPISODE.none_such(person, [episode])
        said, learned = rows.messages(db, found), rows.facts(db, found)
    texts = [{"at": one.created_at, "direction": one.direction, "text": one.body} for one in said]
    facts = [{"id": one.number, "fact": one.sentence} for one in learned]
    lines = [f"{_line(found, person)}\n", found.narrative, *(f"- {fact}" for fact in found.key_facts)]
    lines.append(f"\n{', '.join(found.topics)}  (importance {found.importance:.1f}, by {found.written_by})\n")
    for text in said:
        at = f"{local(text.created_at, person.timezone):%Y-%m-%d %H:%M}"
        lines.append(f"{at}  {'<' if text.direction == 'in' else '>'} {one_line(text.body)}")
    lines += [f"fact {fact.number}: {fact.sentence}" for fact in learned]
    call.answer(_record(found, person) | {"texts": texts, "facts": facts}, *lines)


@episodes.command("search")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, MAX_FOUND), default=FOUND, show_default=True, help="The most to show.")
@about_one
def search_episodes(call: Call, query: str, limit: int) -> None:
    """Search for episodes that answer QUERY, by meaning and by words, the best first.

    They need not hold all of its words. Without an embedder only words count.
    """
    if not query.strip():
        raise click.UsageError("QUERY is empty. Give words or a question, such as: keepsake episodes search exam")
    person = call.person
    found = memory.recall(call.services, person.id, query, limit, kinds=["episode"]).episodes
    records = [_record(one.episode, person) | {"relevance": round(one.relevance, 4)} for one in found]
    nothing = f"No episode of {person.address} answers that."
    call.answer(records, *[_line(one.episode, person) for one in found], nothing=nothing)


def _line(episode: Episode, person: Person) -> str:
    return f"{episode.name:>7}  {local(episode.started_at, person.timezone):%Y-%m-%d %H:%M}  {episode.summary}"


def _record(episode: Episode, person: Person) -> dict[str, object]:
    return {
        "id": episode.number,
        **values(episode, "summary", "narrative", "topics", "key_facts", "importance", "started_at", "ended_at"),
        "messages": episode.message_count,
        **values(episode, "trigger", "written_by"),
        "created_at": episode.recorded_at,
        "person": person.address,
    }


EPISODE = Noun("episode", _line, _record, prefix="ep")
STAYS = "Their texts and the facts learned from them stay. An undo brings the episodes back."
EPISODE.add_removal(episodes, "forget", memory.forget_episodes, f"Forget EPISODES. {STAYS}")

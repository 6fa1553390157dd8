import sys

import click

from app.cli.ready import ready_services
from app.errors import Refused
from app.memory.index.unembedded import embed_some, left
from app.memory.index.unindexed import index_some


@click.command()
def reembed() -> None:
    """Have the embedder of the settings see all of memory.

    A running server does the same in the background, at half its pace. It may be ended at any time: what is done stays
    done, and memory is searched meanwhile, by words and by what has been seen so far.
    """
    services = ready_services()
    embedder = services.embedder
    if embedder is None:
        raise Refused(
            "There is no embedder, so memory is searched by words alone. `keepsake doctor` says how to get one."
        )
    while index_some(services):
        pass
    with services.reading() as db:
        waiting = left(db, embedder)
    with click.progressbar(
        length=waiting, label=embedder.name, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as shown:
        seen = 0
        while some := embed_some(services):
            seen += some
            shown.update(some)
    click.echo(
        f"{embedder.name} has seen all of memory{f': {seen:,} texts now' if seen else ', and there was nothing new'}."
    )

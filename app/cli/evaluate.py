import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import get_args

import click

from app.cli.call import as_json, print_json
from app.errors import Refused
from app.memory.index.ranking import RANKINGS
from app.operations import evaluation
from app.operations.evaluation import ADVERSARIAL, METRICS, Part, Score, averages
from app.settings import load_settings
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase
from app.wiring import embedder_alone

CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", ADVERSARIAL: "adversarial"}
"""Names of LoCoMo's categories. Source: its paper, section 4.1, and `task_eval/` in its repository."""

evaluate = click.Group("eval", help="Measure Keepsake on files of questions and answers.")


@evaluate.command("recall")
@click.option(
    "--data", required=True, metavar="FILE", type=click.Path(path_type=Path), help="Samples in LoCoMo's JSON format."
)
@click.option(
    "--ranking", default="best", show_default=True, type=click.Choice(list(RANKINGS)), help="The ranking to use."
)
@click.option("--only", type=click.Choice(get_args(Part)), help="Search by words alone or by meaning alone.")
@click.option("--captions", is_flag=True, help="Count the captions of pictures as said.")
@as_json
def recall(data: Path, ranking: str, only: Part | None, *, captions: bool, as_json: bool) -> None:
    """Measure how much of the evidence for each question is found, in percent.

    Each chat of FILE becomes the memory of a new person, in a database made for it and deleted again; the questions go
    through the same index and ranking as those that people ask. Questions of category 5 count only for themselves.
    """
    samples = evaluation.read_samples(data, captions=captions)
    settings = load_settings()
    embedder = None if only == "words" else embedder_alone(settings)
    if embedder is None and only == "meaning":
        raise Refused(
            f"--only meaning needs an embedder, and with EMBEDDINGS={settings.embeddings} there is none here. "
            "`keepsake doctor` says how to get one."
        )
    if embedder is None and only != "words":
        click.echo("There is no embedder, so only words are searched. `keepsake doctor` says how to get one.", err=True)
    if left_out := sum(sample.left_out for sample in samples):
        click.echo(
            f"Left out, since their evidence names no turn of their chat: {left_out:,} of the questions.", err=True
        )
    shown = click.progressbar(
        length=sum(len(sample.said) + len(sample.questions) for sample in samples),
        label=embedder.name if embedder else "words",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    )
    # In a separate database, never the installation's, which is deleted afterwards.
    with (
        tempfile.TemporaryDirectory(prefix="keepsake-eval-") as folder,
        closing(SqliteDatabase(Path(folder) / "keepsake.db")) as database,
        shown,
    ):
        migrate(database)
        chats = (evaluation.prepare_chat(sample, embedder, shown.update) for sample in samples)
        scores = evaluation.score_chats(database, chats, RANKINGS[ranking], only)
    counted = [one for one in scores if one.category != ADVERSARIAL]
    names = sorted({one.category for one in scores})
    categories = {name: [one for one in scores if one.category == name] for name in names}
    if as_json:
        print_json(averages(counted) | {"by_category": {name: averages(some) for name, some in categories.items()}})
    else:
        named = {CATEGORIES.get(name, name): some for name, some in categories.items()}
        _show({f"all but {CATEGORIES[ADVERSARIAL]}": counted} | named)


def _show(groups: Mapping[str, Sequence[Score]]) -> None:
    click.echo(f"{'':>22}  {'questions':>9}" + "".join(f"  {name:>9}" for name in METRICS))
    for name, scores in groups.items():
        click.echo(f"{name:>22}  {len(scores):>9,}" + "".join(f"  {one:>9.1f}" for one in averages(scores).values()))

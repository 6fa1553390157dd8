from pathlib import Path

import click

from app.cli.noted import noted
from app.delivery import restored
from app.delivery.restored import Held
from app.errors import DatabaseError, Refused
from app.operations import backups
from app.operations.replay import Replayed, replay
from app.services import Services
from app.settings import Settings, load_settings
from app.store.schema import migrate
from app.store.sqlite import SqliteDatabase, open_file
from app.wiring import build_services


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Put it in the place of the database that is there, which is kept aside.")
def restore(file: Path, *, replace: bool) -> None:
    """Bring back the backup FILE, while Keepsake is stopped.

    It is brought up to this version's schema.

    Who has opted out since stays out and what was forgotten since stays forgotten, as far as the database that is
    there tells. What was under way in the backup is held for you to look at, and not done a second time.
    """
    backups.check_is_file(file)
    settings = load_settings()
    backups.check_is_sqlite(settings)
    was_there = backups.is_there(settings.database_path)
    present = open_file(settings)
    click.get_current_context().call_on_close(present.close)
    present.take_alone()
    if was_there and not replace:
        raise Refused(f"{settings.database_path} is there already. To put the backup in its place, add --replace.")
    if was_there:
        _check_readable(present)
    with backups.unpacked(file, present) as copy:
        services = build_services(settings.model_copy(update={"database_url": f"sqlite:///{copy.path}"}))
        try:
            noted(services, None)
            found, held = _brought_up(services, present if was_there else None)
        finally:
            services.close()
        kept = backups.put_in_place(copy, present, services.clock.now())
    _tell(settings, found, held, kept)


def _check_readable(present: SqliteDatabase) -> None:
    try:
        migrate(present)
    except DatabaseError as error:
        raise Refused(
            f"{error} What was forgotten and who opted out since the backup stands in this file alone. If it cannot be "
            "mended, move it away and restore without --replace; then both come back as they were."
        ) from None


def _brought_up(services: Services, later: SqliteDatabase | None) -> tuple[Replayed | None, Held]:
    """What the later database told, if there is one, and what was held."""
    now = services.clock.now()
    if later is None:
        return None, restored.hold(services, now)
    held = restored.hold(services, restored.lived_until(later, now))
    return replay(services, later), held


def _tell(settings: Settings, found: Replayed | None, held: Held, kept: Path | None) -> None:
    click.echo(f"{settings.database_path} is restored.")
    if found is None:
        click.echo("No database was there to tell who has opted out, or what was forgotten, since the backup.")
    else:
        click.echo(
            f"Since the backup {found.refusals} had said something on being texted and {found.forgotten} had something "
            "forgotten: both hold."
        )
    if held.replies or held.texts:
        click.echo(
            f"{held.replies} replies and {held.texts} texts were under way in the backup and are held: look at them on "
            "the admin page, and have texts tried again with `keepsake people retry NUMBER`."
        )
    if kept is not None:
        click.echo(f"The database that was there is kept as {kept}. Remove it once all is well.")
    click.echo("Operators log in as they did then: see `keepsake operator list`.")

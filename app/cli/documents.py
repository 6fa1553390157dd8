"""The documents that `make docs` generates from the code: settings, commands, and the example of `.env`."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from app.cli import main
from app.settings import GROUPS, WORKED_OUT, Settings

WIDTH = 118
ROOT = Path(__file__).resolve().parents[2]

SETTINGS = """# Settings

Settings come from the environment or from `.env` in the working folder. One message at the start names each setting
that is missing or malformed and what it must be, never its value. `make docs` writes this page from `app/settings/`.
"""
COMMANDS = """# Commands

Each explains itself with `--help`, as here. Exit codes: 0 done, 1 refused or failed (a sentence on stderr), 2 wrong
usage. `keepsake text` works while the server runs, on the same database. `make docs` writes this page from `app/cli/`.
"""
EXAMPLE = "# Copy to .env and take away the # of what you want to change. Everything works without any of it.\n"


def settings_page() -> str:
    parts = [SETTINGS]
    for title, names in _groups():
        rows = [f"| `{name.upper()}` | {_default(name)} | {_meaning(name)} |" for name in names]
        parts.append("\n".join([f"## {title}", "", "| name | default | meaning |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def example_page() -> str:
    parts = [EXAMPLE]
    for title, names in _groups():
        lines = [f"# {title}"]
        for name in names:
            given = Settings.model_fields[name].default
            words = _meaning(name).replace("`", "")
            lines += ["#", *textwrap.wrap(words, WIDTH, initial_indent="# ", subsequent_indent="# ")]
            lines.append(f"# {name.upper()}={given or ''}")
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def commands_page() -> str:
    parts = [COMMANDS]
    top = click.Context(main, info_name="keepsake", terminal_width=80, **main.context_settings)
    parts += [f"## {one.command_path}\n\n```\n{one.get_help()}\n```\n" for one in _contexts(top)]
    return "\n".join(parts)


DOCUMENTS = {"docs/settings.md": settings_page, "docs/commands.md": commands_page, ".env.example": example_page}


def _groups() -> Iterator[tuple[str, list[str]]]:
    names = list(Settings.model_fields)
    begins = [names.index(first) for first in GROUPS]
    for title, begin, end in zip(GROUPS.values(), begins, [*begins[1:], len(names)], strict=True):
        yield title, names[begin:end]


def _default(name: str) -> str:
    given = Settings.model_fields[name].default
    return WORKED_OUT.get(name) or ("none" if given is None else f"`{given}`")


def _meaning(name: str) -> str:
    return Settings.model_fields[name].title or ""


def _contexts(context: click.Context) -> Iterator[click.Context]:
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            below = context.command.get_command(context, name)
            assert below is not None  # noqa: S101  (for the type checker: it was listed)
            yield from _contexts(click.Context(below, info_name=name, parent=context, terminal_width=80))


if __name__ == "__main__":
    for path, made in DOCUMENTS.items():
        (ROOT / path).write_text(made(), "utf-8")

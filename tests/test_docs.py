"""The documents say what the code does."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from app.cli import COMMANDS, main
from app.cli.documents import DOCUMENTS
from app.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
DECISIONS = ROOT / "docs" / "decisions"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command and group with its full name."""
    waiting = [click.Context(main, info_name="keepsake", **main.context_settings)]
    while waiting:
        context = waiting.pop()
        yield context.command_path, context.command
        if isinstance(context.command, click.Group):
            below = [
                (name, context.command.get_command(context, name)) for name in context.command.list_commands(context)
            ]
            waiting += [click.Context(command, info_name=name, parent=context) for name, command in below if command]


def test_the_list_of_commands_says_what_each_says_itself() -> None:
    context = click.Context(main, info_name="keepsake", **main.context_settings)
    found = {name: main.get_command(context, name) for name in COMMANDS}
    assert {name: command.get_short_help_str(100) for name, command in found.items() if command} == COMMANDS


@pytest.mark.parametrize("path", DOCUMENTS)
def test_what_is_made_from_the_code_is_as_the_code_says(path: str) -> None:
    assert (ROOT / path).read_text("utf-8") == DOCUMENTS[path](), "make docs writes it anew"


def test_every_setting_says_what_it_means_and_stands_in_the_example_unset() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    assert all(line.startswith("#") for line in lines if line)
    given = dict(re.findall(r"^# ([A-Z_]+)=(.*)$", "\n".join(lines), re.MULTILINE))
    assert given == {name.upper(): str(field.default or "") for name, field in Settings.model_fields.items()}
    assert [name for name, field in Settings.model_fields.items() if not field.title] == []


def test_every_command_and_option_explains_itself() -> None:
    for name, command in commands():
        assert command.help, f"{name} has help"
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.opts[-1]} has help"


def test_the_readme_is_short_and_names_no_command_that_is_not_there() -> None:
    assert len(README.splitlines()) <= 150
    known = {name for name, _ in commands()}
    for said in re.findall(r"`keepsake ([a-z ]+?)(?: [A-Z“\"+-].*?)?`", README):
        assert f"keepsake {said.strip()}" in known


def test_every_make_target_explains_itself() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^([a-z]+):", makefile, re.MULTILINE)
    explained = re.findall(r"^([a-z]+):.*  ## \S", makefile, re.MULTILINE)
    assert {"setup", "serve", "test", "lint", "bench", "help", "lock"} <= set(targets)
    assert targets == explained


def test_decisions_are_numbered_without_gap_or_repeat_and_begin_with_their_number() -> None:
    files = sorted(DECISIONS.iterdir())
    assert [file.name[:5] for file in files] == [f"{number:04}-" for number in range(1, len(files) + 1)]
    for number, file in enumerate(files, start=1):
        assert file.read_text().startswith(f"# {number}. ")


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["otel"],
        *(one for group in project["dependency-groups"].values() for one in group),
    ]
    names = sorted(re.split(r"[<>=\[;]", one)[0].strip() for one in wanted)
    reasons = (DECISIONS / "0002-dependencies.md").read_text()
    assert sorted(re.findall(r"^### (.+)$", reasons, re.MULTILINE)) == names
    sections = re.split(r"^##+ .+$", reasons, flags=re.MULTILINE)[1:]
    assert all(section.strip().startswith("*") for section in sections if section.strip())


def test_every_link_in_the_documents_leads_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    assert len(documents) >= 6
    for document in documents:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


LOCKS = ("requirements.lock", "requirements-otel.lock", "requirements-dev.lock")


def test_every_requirement_is_locked_with_hashes_and_the_two_locks_agree() -> None:
    locks = [(ROOT / name).read_text() for name in LOCKS]
    runtime, otel, dev = (dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE)) for lock in locks)
    assert runtime.items() <= dev.items(), "an installation for tests can serve without another look at pip"
    assert otel.items() <= dev.items(), "and send spans"
    assert {name: runtime[name] for name in otel if name in runtime}.items() <= otel.items(), "it moves nothing else"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for lock, names in (
        (runtime, [*project["project"]["dependencies"], *project["build-system"]["requires"]]),
        (otel, project["project"]["optional-dependencies"]["otel"]),
        (dev, project["dependency-groups"]["dev"]),
    ):
        assert {re.split(r"[<>=\[]", name)[0] for name in names} <= lock.keys()
    for text in (*locks, (ROOT / "requirements-weights.lock").read_text()):
        pins = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
        assert all("--hash=sha256:" in pin for pin in pins)
        assert not any(index in text for index in ("://", "--index-url", "--find-links"))

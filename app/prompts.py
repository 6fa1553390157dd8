"""Renders the prompts of `prompts/`: a missing variable is an error, never an empty place."""

from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDER = Path(__file__).resolve().parent.parent / "prompts"


def render(name: str, /, **variables: object) -> str:
    """The prompt `prompts/<name>.md` with its variables filled in, without the comment at its head."""
    return _environment().get_template(f"{name}.md").render(**variables).strip()


def text(words: str, at: str) -> str:
    """One text of the conversation, with its local time."""
    return f'<text at="{at}">{escape(words)}</text>'


def attribute(value: object) -> str:
    """The value, escaped to stand between the quotation marks of an attribute."""
    return escape(str(value), {'"': "&quot;"})


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  (prompts are no HTML; values are escaped as XML where the prompt says so)
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["xml"] = lambda value: escape(str(value))
    environment.filters["attribute"] = attribute
    return environment

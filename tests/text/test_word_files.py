"""Regular expressions that are kept as data."""

from app.text.word_files import expressions


def test_lines_are_joined_and_a_name_in_braces_stands_for_the_expression_with_that_name() -> None:
    found = expressions({"digit": r"\d", "when": "{digit}{2}|\n{month}{2,3}"}, month="[a-z]")
    assert found == {"digit": r"\d", "when": r"\d{2}|[a-z]{2,3}"}

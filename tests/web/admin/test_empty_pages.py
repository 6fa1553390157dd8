"""Each page of an installation in which nothing has happened says what will stand there, and where it stands itself."""

import pytest

from tests.tables import rows
from tests.web.admin.conftest import Browser

PAGES = dict(rows("empty_pages.jsonl"))


@pytest.mark.usefixtures("alex")
def test_a_page_on_which_there_is_nothing_yet_says_so(operator: Browser) -> None:
    for path, says in PAGES.items():
        page = operator.get(path)
        assert [words for words in says if words not in page] == [], path

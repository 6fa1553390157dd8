"""Each page of an installation in which nothing has happened says what will stand there, and where it stands itself."""

import pytest

from tests.web.admin.conftest import Browser

PAGES = {
    "/": ["nobody waits", "Every text is answered.", "Nobody.", "Nothing.", "nothing went out"],
    "/people/1": ["What they text, and what is answered, appears here.", 'aria-current="page">Conversation<'],
    "/people/1/facts": ["Nothing is remembered yet", '<details class="card adding" open>'],
    "/people/1/rules": ["No rules yet", '<details class="card adding" open>', 'aria-current="page">Rules<'],
    "/people/1/episodes": ["Nothing has happened yet", 'aria-current="page">Episodes<'],
    "/people/1/routines": ["Nothing is scheduled", 'aria-current="page">Routines<'],
    "/people/1/archived": ["Nothing is archived", 'aria-current="page">Archived<'],
    "/people/1/forgotten": ["Nothing is forgotten", 'aria-current="page">Forgotten<'],
    "/people/1/changes": ["No changes yet", 'aria-current="page">Changes<'],
    "/memory": ["Nothing is remembered yet", 'aria-current="page">Memory<'],
    "/review": ["All is reviewed", 'aria-current="true">Memory<'],
    "/routines": ["Nothing comes on Saturday", 'href="/admin/routines" aria-current="page"'],
    "/routines/history": ["Nothing has come yet", 'aria-current="true">Routines</a>'],
    "/log": ['aria-current="page">Log</a>'],
}


@pytest.mark.usefixtures("alex")
def test_a_page_on_which_there_is_nothing_yet_says_so(operator: Browser) -> None:
    for path, says in PAGES.items():
        page = operator.get(path)
        assert [words for words in says if words not in page] == [], path

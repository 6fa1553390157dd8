"""What only screen readers say stands beside what is seen, with a blank between the two."""

import re
from pathlib import Path

from app import memory, web
from app.jobs import pair_facts
from app.memory import NewFact, Origin
from app.models import Person
from app.services import Services
from tests.web.admin.conftest import Browser


def test_the_button_that_keeps_two_facts_is_read_as_one_sentence(
    operator: Browser, services: Services, alex: Person
) -> None:
    told = [NewFact("Likes black tea"), NewFact("Likes green tea")]
    memory.remember(services, alex.id, told, Origin("assistant", "explicit"))
    pair_facts.run(services)

    page = operator.get(f"/people/{alex.id}/facts/1")

    assert 'Keep both<span class="unseen"> this and fact 2</span></button>' in page


def test_none_begins_with_a_mark_since_a_blank_is_read_before_it() -> None:
    templates = {path: path.read_text() for path in Path(web.__file__).parent.rglob("*.html")}
    assert len(templates) > 40
    begins_with_a_mark = re.compile(r'class="unseen">\s*[,.;:]')
    assert [path.name for path, source in templates.items() if begins_with_a_mark.search(source)] == []

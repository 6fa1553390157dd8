"""The status of every route, as it was when it was frozen: for a visitor, and for an owner who only looks."""

import re
from collections.abc import Iterator

from flask import Flask

from app import operators
from app.web.application import create_app
from tests.conftest import MakeServices
from tests.frozen import assert_frozen
from tests.twilio_server import twilio_settings
from tests.web.admin.conftest import PASSWORD, Browser
from tests.web.admin.scenes import add_person


def routes(app: Flask) -> Iterator[tuple[str, str]]:
    """Each address with 1 for what it names, and each of its methods."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"}):
            if not rule.endpoint.endswith("events"):
                yield re.sub(r"<[^>]+>", "1", rule.rule), method


def visited(browser: Browser, path: str, method: str) -> int:
    with browser.client.open(path, method=method) as answer:
        return answer.status_code


def test_the_status_of_every_route_is_what_was_frozen(make_services: MakeServices) -> None:
    services = make_services()
    alex = add_person(services, name="Alex")
    alex.learn("Likes tea")
    operators.ensure_first(services, PASSWORD)
    alone = create_app(services=services)
    public = create_app(services=make_services(settings=twilio_settings()))
    owner = Browser(alone)
    owner.log_in()

    lines = ["path\tmethod\ta visitor on this machine\ta visitor where Twilio is set\tan owner who looks"]
    for path, method in routes(alone):
        seen = [visited(Browser(app), path, method) for app in (alone, public)]
        looks = visited(owner, path, method) if method == "GET" and "logout" not in path else "-"
        lines.append(f"{path}\t{method}\t{seen[0]}\t{seen[1]}\t{looks}")
    assert len(lines) > 100
    assert_frozen("routes.tsv", "\n".join(lines) + "\n")

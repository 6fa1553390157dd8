"""The operator's pages with their scripts: live updates, charts, and scripts that are kept from running."""

from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Browser, Page, expect

from app import operators
from app.jobs import count_hours
from app.models import Message
from app.operations import audit
from app.services import Services
from tests.browser.conftest import ServedApp
from tests.browser.forms_of_logins import log_in
from tests.fakes import FrozenClock
from tests.operators.logins import PASSWORD
from tests.web.admin.scenes import add_person

OpenPage = Callable[..., Page]


def logged_in(open_page: OpenPage, served: ServedApp, **options: object) -> Page:
    operators.ensure_first(served.services, PASSWORD)
    page = open_page(base_url=served.url, **options)
    log_in(page)
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    return page


def test_what_happens_shows_by_itself_also_after_a_restart_and_to_nobody_who_logged_out(
    open_page: OpenPage, served: ServedApp, services: Services
) -> None:
    alex = add_person(services, name="Alex")
    alex.turn("Hi", "Hello!", memory_shown="<facts/>")
    today = logged_in(open_page, served)
    thread = today.context.new_page()
    thread.goto(f"/admin/people/{alex.id}")
    thread.get_by_text("Why this reply").click()
    log = today.context.new_page()
    log.goto("/admin/log?who=terminal")
    expect(log.get_by_role("heading", name="Nothing of that kind happened")).to_be_visible()

    text = alex.text("Are you there?", state="waiting")
    waiting = today.locator("[data-key=waiting] .large")
    expect(waiting).to_have_text("1")
    expect(thread.locator(".mine").last).to_contain_text("waiting for an answer")
    expect(thread.locator(".turn")).to_have_attribute("open", "")

    served.end()
    with services.transaction() as db:
        db.get_one(Message, text.id).state = "answered"
        audit.note(db, audit.TERMINAL, "facts list", services.clock.now())
    served.begin()
    expect(log.get_by_role("rowheader")).to_have_text("facts list")
    expect(log.get_by_role("heading", name="Nothing of that kind happened")).not_to_be_visible()
    expect(thread.locator(".mine").last).not_to_contain_text("waiting for an answer")
    expect(waiting).to_have_text("0")

    today.get_by_role("button", name="Log out").click()
    expect(thread.get_by_role("heading", name="Log in")).to_be_visible()


BRIGHTEST = """plot => {
  const canvas = plot.querySelector("canvas");
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let brightest = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 255) brightest = Math.max(brightest, pixels[at] + pixels[at + 1] + pixels[at + 2]);
  }
  return brightest / 3;
}"""
"""JavaScript: the brightest colour drawn, which is the grid by day, and by night the line that is black by day."""


def test_charts_are_drawn_from_their_tables_and_follow_the_theme(
    open_page: OpenPage, served: ServedApp, services: Services, clock: FrozenClock
) -> None:
    alex = add_person(services, name="Alex")
    for hour in range(6):
        for kind in ("past", "small talk"):
            alex.turn("Hi", "Ho", model_calls=1, model_seconds=hour + 1.5, recall_gate=kind)
        clock.advance(seconds=timedelta(hours=1).total_seconds())
    count_hours.run(services)
    page = logged_in(open_page, served, color_scheme="light", viewport={"width": 360, "height": 800})
    page.goto("/admin/numbers")

    chart = page.get_by_role("img", name="Chart of model time; in all p50 4.")
    expect(chart.locator("canvas")).to_be_visible()
    assert 100 < chart.evaluate(BRIGHTEST) < 230
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("getComputedStyle(document.body).backgroundColor === 'rgb(18, 19, 22)'")
    expect(chart.locator("canvas")).to_have_count(1)
    assert chart.evaluate(BRIGHTEST) > 230

    recall = page.locator("#recall")
    styles = recall.locator(".u-marker").evaluate_all("all => all.map(one => one.style.borderStyle)")
    assert styles[1:] == ["solid", "dashed"]
    chart.scroll_into_view_if_needed()
    box = chart.locator(".u-over").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.93, box["y"] + 40)
    expect(chart.locator(".u-value").first).to_have_text("21 Nov, 20:00")
    expect(recall.locator(".u-value").first).to_have_text("21 Nov, 20:00")

    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert chart.locator("canvas").evaluate("canvas => canvas.clientWidth <= canvas.closest('.plot').clientWidth")


PUT_IN = """elsewhere => new Promise(resolve => {
  const stopped = [];
  addEventListener("securitypolicyviolation", event => {
    stopped.push(event.effectiveDirective);
    if (stopped.length === 6) resolve([document.title, ...stopped.sort()]);
  });
  const main = document.querySelector("main");
  main.innerHTML = `<img src="data:," onerror="document.title = 'ran'"><img src="${elsewhere}/picture">
    <p style="color: red">red</p><iframe src="${elsewhere}/page"></iframe>
    <form action="${elsewhere}/form"><button>Send</button></form>`;
  const script = document.createElement("script");
  script.textContent = "document.title = 'ran'";
  main.append(script);
  main.querySelector("button").click();
})"""
"""Put in what an attack would, and tell the title, which scripts would change, and what the policy stopped."""


def test_r90_a_page_runs_loads_and_sends_nothing_that_is_not_its_own(browser: Browser, served: ServedApp) -> None:
    context = browser.new_context(base_url=served.url)
    page = context.new_page()
    page.goto("/admin/login")

    title, *stopped = page.evaluate(PUT_IN, "http://127.0.0.1:9")

    assert title == "Log in · Keepsake"
    assert stopped == ["form-action", "frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"]
    context.close()

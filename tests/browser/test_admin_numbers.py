"""The charts of the page of numbers in a real browser: drawn, told apart, and right in both themes."""

from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Page, expect

from app import operators
from app.jobs import count_hours
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.scenes import add_person, add_turn

PASSWORD = "violet harbour lamp"

BRIGHTEST = """plot => {
  const canvas = plot.querySelector("canvas");
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let brightest = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 255) brightest = Math.max(brightest, pixels[at] + pixels[at + 1] + pixels[at + 2]);
  }
  return brightest / 3;
}"""
"""Of what is drawn: by day the grid is, by night the line that is black by day."""


def test_charts_are_drawn_from_their_tables_and_follow_the_theme(
    open_page: Callable[..., Page], served_app: str, services: Services, clock: FrozenClock
) -> None:
    operators.ensure_first(services, PASSWORD)
    alex = add_person(services, name="Alex")
    for hour in range(6):
        for kind in ("past", "small talk"):
            add_turn(services, alex.id, "Hi", "Ho", model_calls=1, model_seconds=hour + 1.5, recall_gate=kind)
        clock.advance(seconds=timedelta(hours=1).total_seconds())
    count_hours.run(services)
    page = open_page(base_url=served_app, color_scheme="light", viewport={"width": 360, "height": 800})
    page.goto("/admin/login")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.goto("/admin/numbers")

    chart = page.get_by_role("img", name="Chart of model time; in all p50 4.")
    expect(chart.locator("canvas")).to_be_visible()
    assert 100 < chart.evaluate(BRIGHTEST) < 230
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("getComputedStyle(document.body).backgroundColor === 'rgb(18, 19, 22)'")
    expect(chart.locator("canvas")).to_have_count(1)
    assert chart.evaluate(BRIGHTEST) > 230

    recall = page.locator("#recall")
    assert recall.locator(".u-marker").evaluate_all("all => all.map(one => one.style.borderStyle)")[1:] == [
        "solid",
        "dashed",
    ]
    chart.scroll_into_view_if_needed()
    box = chart.locator(".u-over").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.93, box["y"] + 40)
    expect(chart.locator(".u-value").first).to_have_text("21 Nov, 20:00")
    expect(recall.locator(".u-value").first).to_have_text("21 Nov, 20:00")

    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert chart.locator("canvas").evaluate("canvas => canvas.clientWidth <= canvas.closest('.plot').clientWidth")

"""The phone page as people use it: in a browser, with the app behind it."""

import re

import pytest
from playwright.sync_api import expect

from app.conversation.turn import run_turn
from app.settings import Settings
from app.web.phone import NUMBERS
from app.web.streams import MAX_STREAMS
from app.wiring import build_services
from tests.browser.conftest import ServedApp
from tests.browser.phone_page import DESK, SMALL_PHONE, OpenPage, field, mine, phone, text, theirs


def test_texts_are_sent_by_enter_and_answered_and_a_reload_keeps_it(open_page: OpenPage, quiet_app: ServedApp) -> None:
    page = phone(open_page, quiet_app)
    dots, words = page.get_by_text("Keepsake is typing"), page.locator(".thread[data-list] .mine .words")
    expect(dots).to_be_hidden()
    field(page).press_sequentially("one")
    before = field(page).bounding_box()
    field(page).press("Shift+Enter")
    field(page).press_sequentially("two")
    after = field(page).bounding_box()
    assert before
    assert after
    assert after["height"] > before["height"]
    expect(field(page)).to_have_value("one\ntwo")
    field(page).press("Enter")
    expect(words).to_have_text("one\ntwo", use_inner_text=True)
    field(page).press("Enter")
    expect(mine(page)).to_have_count(1)
    expect(dots).to_be_visible()
    expect(mine(page).locator(".status")).to_have_text("Delivered")

    for more in ("three", "I have a dog named Max"):
        text(page, more)
    sent: list[str | re.Pattern[str]] = [re.compile("one"), "three", "I have a dog named Max"]
    expect(words).to_have_text(sent)
    expect(page.locator("[data-pending] .mine")).to_have_count(0)
    quiet_app.begin_answering()
    expect(theirs(page)).not_to_have_count(0)
    expect(words).to_have_text(sent)
    expect(dots).to_be_hidden()
    expect(page.get_by_text("Remembered 1 fact")).to_be_visible()
    expect(mine(page).locator(".status")).to_have_text("Read")
    expect(field(page)).to_have_value("")
    expect(field(page)).to_be_focused()

    thread = page.locator(".thread[data-list]").inner_text()
    page.reload()
    assert page.locator(".thread[data-list]").inner_text() == thread


def test_numbers_can_be_changed_and_do_not_see_each_others_thread(open_page: OpenPage, live_app: ServedApp) -> None:
    seattle, new_york = (phone(open_page, live_app, number) for number in NUMBERS[:2])
    text(seattle, "I have a dog named Max")
    text(new_york, "I have a cat named Luna")
    for page, own, other in ((seattle, "Max", "Luna"), (new_york, "Luna", "Max")):
        expect(theirs(page)).to_have_count(1)
        expect(page.locator(".facts")).to_contain_text(own)
        for part in (".thread[data-list]", ".facts", ".turns"):
            expect(page.locator(part)).not_to_contain_text(other)

    seattle.get_by_role("button", name="change the number").click()
    seattle.get_by_role("link", name="London").click()
    expect(seattle.locator(".from-label")).to_have_text("London")
    seattle.get_by_role("button", name="change the number").click()
    seattle.get_by_label("Another number").fill("+1 (312) 555-0147")
    seattle.get_by_label("Another number").press("Enter")
    expect(seattle.locator(".from-label")).to_have_text("+1 312-555-0147")
    seattle.wait_for_load_state()  # Until the script is there, Enter begins a line.
    text(seattle, "hello")
    expect(theirs(seattle)).to_have_count(1)


def test_the_drawer_shows_a_fact_once_learned(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app)
    opener = page.get_by_role("button", name="What it remembers")
    opener.click()
    drawer = page.get_by_role("complementary", name="Memory and turns")
    expect(drawer.get_by_text("No facts yet")).to_be_visible()
    drawer.get_by_role("button", name="Close").click()
    expect(drawer).to_be_hidden()
    page.get_by_role("button", name="I'm allergic to peanuts.").click()  # What is proposed is sent by a tap.
    expect(mine(page)).to_have_count(1)
    expect(theirs(page)).to_have_count(1)
    expect(page.get_by_text("Say hello")).to_be_hidden()
    opener.click()
    fact = drawer.get_by_role("list", name="Facts").get_by_role("listitem")
    expect(fact).to_contain_text(re.compile("allergic to peanuts", re.IGNORECASE))
    expect(fact).to_contain_text("told")
    expect(fact.locator("blockquote")).to_have_text("I'm allergic to peanuts.")


def test_on_a_desk_reminders_and_turns_stand_beside_and_stay_open(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app, viewport=DESK)
    text(page, "remind me tomorrow at 9am to water the ferns")
    expect(theirs(page)).to_have_count(1)
    drawer = page.get_by_role("complementary", name="Memory and turns")
    expect(drawer.get_by_role("list", name="Reminders and routines")).to_contain_text("Water the ferns")
    expect(drawer.get_by_text("No rules yet")).to_be_visible()
    expect(page.get_by_role("list", name="Turns, newest first")).to_be_hidden()
    page.get_by_text("For developers").click()
    page.locator(".turn").last.locator("summary").click()

    offers = page.get_by_role("list", name="Things to try")
    expect(offers.get_by_role("button")).to_have_count(3)
    offers.get_by_role("button", name="What do you know about me?").click()
    expect(theirs(page)).to_have_count(2)
    expect(offers.get_by_role("button", name="What do you know about me?")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(2)
    for part in ("Outcome", "Tokens", "set_routine"):
        expect(page.locator(".turn").last.get_by_text(part).first).to_be_visible()
    expect(page.locator(".turn").first.get_by_text("Outcome")).to_be_hidden()


def test_an_offer_tapped_twice_is_one_text(open_page: OpenPage, quiet_app: ServedApp) -> None:
    run_turn(quiet_app.services, NUMBERS[0], "hello")
    page = phone(open_page, quiet_app)
    page.get_by_role("list", name="Things to try").get_by_role("button").last.dblclick()
    expect(mine(page).last.locator(".status")).to_have_text("Delivered")
    expect(page.locator("[data-pending] .mine")).to_have_count(0)
    expect(mine(page)).to_have_count(2)


def test_a_text_that_is_too_long_stays_in_its_field_whole(open_page: OpenPage, quiet_app: ServedApp) -> None:
    page = phone(open_page, quiet_app)
    page.wait_for_load_state()
    field(page).focus()
    page.keyboard.insert_text("\U0001f389" * 1602)
    field(page).press("Enter")
    expect(page.get_by_role("alert")).to_have_text(
        "A text has up to 1600 characters. This one has 2 too many: shorten it."
    )
    field(page).press("Backspace")
    field(page).press("Backspace")
    field(page).press("Enter")
    expect(page.locator(".thread[data-list] .mine .words")).to_have_text("\U0001f389" * 1600)
    expect(page.get_by_role("alert")).to_be_hidden()


def test_the_number_goes_by_a_name_as_soon_as_it_is_known(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app)
    expect(page.get_by_role("button", name="Change the number to text from: Seattle")).to_be_visible()
    text(page, "My name is Alex")
    expect(page.get_by_role("button", name="Change the number to text from: Alex")).to_be_visible()


def test_without_a_script_one_can_send_and_read(open_page: OpenPage, quiet_app: ServedApp) -> None:
    page = phone(open_page, quiet_app, java_script_enabled=False)
    field(page).fill("I have a dog named Max")
    page.get_by_role("button", name="Send").click()
    expect(mine(page)).to_contain_text("I have a dog named Max")
    quiet_app.begin_answering()
    answered = phone(open_page, quiet_app)  # A second page, with a script, tells when the answer is there.
    expect(theirs(answered)).to_have_count(1)
    page.get_by_role("link", name="Look for the answer").click()
    expect(theirs(page)).to_have_count(1)
    page.get_by_role("button", name="What it remembers").click()
    expect(page.locator(".facts")).to_contain_text("dog named Max")


def test_what_another_process_writes_shows_unless_one_reads_above(open_page: OpenPage, live_app: ServedApp) -> None:
    page, elsewhere = phone(open_page, live_app, viewport=SMALL_PHONE), build_services(Settings())
    expect(page.get_by_text("Say hello")).to_be_visible()
    reply = run_turn(elsewhere, NUMBERS[0], "I have a dog named Max").text
    expect(mine(page)).to_contain_text("I have a dog named Max")
    expect(theirs(page).locator(".words")).to_have_text(reply)

    for number in range(1, 6):
        text(page, f"Text {number}\n\n\nwith\n\n\nmany lines.")
        expect(mine(page)).to_have_count(number + 1)
    expect(mine(page).last).to_be_in_viewport()
    expect(theirs(page)).not_to_have_count(1)
    expect(page.get_by_text("Keepsake is typing")).to_be_hidden()
    mine(page).first.scroll_into_view_if_needed()
    run_turn(elsewhere, NUMBERS[0], "/help")
    expect(mine(page)).to_have_count(7)
    expect(mine(page).first).to_be_in_viewport()
    page.get_by_role("button", name="New text").click()
    expect(theirs(page).last).to_be_in_viewport()
    expect(page.get_by_role("button", name="New text")).to_be_hidden()


def test_the_page_comes_back_by_itself_after_a_restart(open_page: OpenPage, live_app: ServedApp) -> None:
    page = phone(open_page, live_app)
    text(page, "I have a dog named Max")
    expect(theirs(page)).to_have_count(1)
    live_app.end()
    expect(page.get_by_text("Reconnecting…")).to_be_visible()
    text(page, "I have a cat named Luna")
    expect(page.get_by_text("Not sent.")).to_be_visible()
    live_app.begin()
    expect(page.get_by_text("Reconnecting…")).to_be_hidden()
    page.get_by_role("button", name="Try again").click()
    expect(theirs(page)).to_have_count(2)
    expect(mine(page)).to_have_count(2)


def test_a_closed_page_gives_its_stream_back_and_without_one_it_asks(open_page: OpenPage, live_app: ServedApp) -> None:
    places = live_app.app.extensions["streams"].places
    assert all(places.acquire(blocking=False) for _ in range(MAX_STREAMS - 1))
    page = open_page()
    with page.expect_response("**/phone/events*"):
        page.goto(f"{live_app.url}/phone")
    assert not places.acquire(blocking=False)
    other = phone(open_page, live_app)
    text(other, "/help")
    expect(theirs(other)).to_have_count(1)
    expect(other.get_by_text("Reconnecting…")).to_be_hidden()

    page.goto("about:blank")
    for number in range(2, 5):  # What is written to a connection that is gone fails at the second try.
        text(other, "/help")
        expect(theirs(other)).to_have_count(number)
    assert places.acquire(blocking=False)
    places.release(MAX_STREAMS)


@pytest.mark.parametrize("status", [200, 502])
def test_a_text_that_a_proxy_answered_in_html_is_not_sent(
    open_page: OpenPage, live_app: ServedApp, status: int
) -> None:
    page = phone(open_page, live_app)
    page.route("**/phone/texts", lambda route: route.fulfill(status=status, content_type="text/html", body="<p>Log in"))
    text(page, "I have a cat named Luna")
    expect(mine(page).locator(".status")).to_have_text("Not sent. Try again")
    page.unroute("**/phone/texts")
    page.get_by_role("button", name="Try again").click()
    expect(theirs(page)).to_have_count(1)
    expect(mine(page)).to_have_count(1)

"""People's words are masked on every page until they are revealed; a reveal is logged and ends by itself."""

import re
from collections.abc import Sequence

import pytest
from flask import Flask

from app import memory
from app.models import AuditEntry
from app.operations import audit
from app.services import Services
from app.text.secrets import LEFT_OUT
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import BY_PERSON, Someone, add_person, fill_with
from tests.web.admin.test_guard import admin_rules

WORD = "zanzibarite"
"""Stands in all that the person wrote, and in all that is remembered of them; nowhere in the pages' own words."""
SOUGHT = "quasarine"  # Stands beside it: a page may repeat what it is asked to look for.
CATEGORY = f"{WORD} {SOUGHT}"
NUMBER = "+12065550100"
STRANGER = "+13125550277"
NAMED = "+14155550133"


@pytest.fixture
def told(services: Services) -> Someone:
    """A person with rows on every page, a stranger who waits, and Sam, who has a name."""
    person, stranger = add_person(services, NUMBER), add_person(services, STRANGER, access="waiting")
    fill_with(person, CATEGORY)
    stranger.episode(f"The cat {WORD} is ill.", stranger.turn(f"My cat {WORD} is ill", "Oh no!"))
    assert not memory.forget(services, stranger.id, [], BY_PERSON, about=[f"my cat {WORD}"]).nothing_about
    stranger.text(f"Hi, this is {WORD}", state="held")
    add_person(services, NAMED, name="Sam")
    return person


def pages(app: Flask, ids: Sequence[int]) -> list[str]:
    """Every page that can be asked for, of each person, with and without a search for the word."""
    paths = {
        re.sub(r"<[^>]+>", number, re.sub(r"<int:person_id>", str(one), rule.rule))
        for rule, method in admin_rules(app)
        if method == "GET" and not rule.endpoint.endswith("_events")  # A stream shows its snapshots, without an end.
        for one in ids
        for number in ("1", "2")
    }
    searches = ("", f"?words={SOUGHT}", f"?words={SOUGHT}&by=meaning", "?category=known")
    return [f"{path}{search}" for path in sorted(paths) for search in searches]


def entries(services: Services) -> list[AuditEntry]:
    with services.reading() as db:
        return [entry for entry, _ in reversed(audit.find(db, limit=1000))]


def test_r102_no_page_and_no_line_of_the_programs_log_has_a_persons_words_or_number_unrevealed(
    app: Flask, masked: Browser, told: Someone, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    asked = pages(app, [told.id, told.id + 1, told.id + 2])
    assert len(asked) > 50
    for path in asked:
        answer = masked.client.get(path, follow_redirects=True)
        assert answer.status_code in {200, 404}, path
        for secret in (WORD, NUMBER[2:], STRANGER[2:], NAMED[2:]):
            assert secret not in answer.text, path
            assert secret not in caplog.text, path
    page = masked.get(f"/people/{told.id + 2}")  # A name stays where a number is masked.
    assert "<bdi>Sam</bdi>" in page
    assert '<span class="number">…0133</span>' in page


def test_r87_a_secret_stays_hidden_where_words_are_revealed(masked: Browser, alex: Someone) -> None:
    alex.turn(f"We adopted a {WORD}. My card is 4111 1111 1111 1111", "Understood.")
    masked.reveal(alex.id)
    page = masked.get(alex.path)
    assert f"We adopted a {WORD}. {LEFT_OUT}" in page
    assert "4111" not in page
    alex.text(f"{'We walked. ' * 8}My card is 4111 1111 1111 1111", state="waiting")
    page = masked.get("/")  # It shows the text's beginning, which may end amid the number.
    assert "We walked" in page
    assert "4111" not in page


def test_what_is_revealed_of_one_person_shows_on_their_pages_to_this_session_and_nothing_of_another(
    app: Flask, masked: Browser, told: Someone
) -> None:
    assert masked.reveal(told.id).status_code == 303
    for part in ("", "/facts", "/facts/1", "/rules", "/rules/1", "/episodes", "/forgotten", "/changes", "/routines"):
        page = masked.get(f"{told.path}{part}")
        assert WORD in page, part
        assert NUMBER in page, part
    listed = masked.get("/people")
    assert NUMBER in listed
    for hidden_there in (STRANGER, WORD):
        assert hidden_there not in listed
    assert WORD not in masked.get(f"/people/{told.id + 1}")

    other = Browser(app)
    other.log_in()
    assert WORD not in other.get(f"{told.path}/facts")


def test_a_reveal_ends_in_half_an_hour_by_hand_or_logout(masked: Browser, clock: FrozenClock, told: Someone) -> None:
    facts = f"{told.path}/facts"
    masked.reveal(told.id)
    clock.advance(minutes=29)
    page = masked.get(facts)
    assert WORD in page
    assert "for 1 more minute." in page
    clock.advance(minutes=1)
    assert WORD not in masked.get(facts)

    masked.reveal(told.id)
    page = masked.act(f"{told.path}/reveal/end", back=f"/admin{facts}")
    assert "Hidden again." in page
    assert WORD not in page
    masked.reveal(told.id)
    masked.post("/logout")
    masked.log_in()
    assert WORD not in masked.get(facts)


def test_a_reveal_needs_a_reason_and_is_logged_with_it(masked: Browser, services: Services, told: Someone) -> None:
    assert masked.reveal(999).status_code == 404
    for reason in ("", "  ?  ", "x" * 201):
        masked.reveal(told.id, reason)
        page = masked.get(f"{told.path}/facts")
        assert "A reason has 3 to 200 characters; this one has" in page
        assert WORD not in page
    assert [entry.did for entry in entries(services)] == ["login"]
    masked.reveal(told.id, "They asked me  to look")
    last = entries(services)[-1]
    assert (last.who, last.did, last.person_id, last.reason) == ("operator", "reveal", told.id, "They asked me to look")


def test_the_form_leads_back_to_the_place_it_stood_on_and_to_no_other_site(masked: Browser, told: Someone) -> None:
    for path, back in (("/facts/1", "/facts/1"), ("", "#newest"), ("?around=2", "?around=2#message-2")):
        assert f'name="back" value="/admin{told.path}{back}"' in masked.get(f"{told.path}{path}")
    own = f"/admin{told.path}/facts/1"
    elsewhere = ("https://evil.example/admin/", "//evil.example/admin/", "/admin/\r\nSet-Cookie: a=b", "")
    for back, leads_to in ((own, own), *((one, f"/admin{told.path}") for one in elsewhere)):
        answer = masked.post(f"{told.path}/reveal", reason="A memory is wrong", back=back)
        assert answer.headers["Location"] == leads_to


def test_what_cannot_be_seen_cannot_be_corrected_nor_searched_and_it_says_so(masked: Browser, told: Someone) -> None:
    for path in (f"{told.path}/facts/1", f"{told.path}/rules/1"):
        page = masked.get(path)
        assert "To correct it, reveal first what they wrote." in page
        assert ">Correct</button>" not in page
        refused = masked.post(path, fact="Likes tea", category="", trigger_kind="always", procedure="Sing")
        assert refused.status_code == 403
        assert "Reveal it on one of their pages first" in refused.text
    assert WORD in told.live()[1]

    for is_revealed in (False, True):
        for part in ("facts", "episodes"):
            page = masked.get(f"{told.path}/{part}?words=nothing+of+the+kind")
            assert ('role="search"' in page) == ("found" in page) == is_revealed
        masked.reveal(told.id)
    assert "is corrected" in masked.act(f"{told.path}/facts/1", fact=f"Loves red {WORD}", category="")


def test_a_search_of_all_memory_says_that_words_are_masked_and_not_whether_anything_fits(
    masked: Browser, support: Browser, told: Someone
) -> None:
    for where in ("", f"&person={told.id}"):
        fitting, other = (masked.get(f"/memory?words={words}{where}") for words in (SOUGHT, "nothing"))
        assert "Not searched: words are masked" in fitting
        assert fitting.replace(SOUGHT, "nothing") == other
        assert ("Why you look" in fitting) == bool(where)
        assert "An owner may." in support.get(f"/memory?words={SOUGHT}{where}")
    assert "Not searched" in masked.get(f"/memory?category={CATEGORY}")
    masked.reveal(told.id)
    assert WORD in masked.get(f"/memory?words={SOUGHT}&person={told.id}")
    assert "Nothing fits of those whose words are revealed to you" in masked.get("/memory?words=nothing")
    assert "Not searched" in masked.get(f"/memory?words={SOUGHT}&person={told.id + 1}")


def test_a_category_tells_nothing_of_how_many_are_hidden(masked: Browser, support: Browser, told: Someone) -> None:
    def assert_alike(browser: Browser) -> None:
        browser.get("/memory")  # Shows what was done before, once.
        fitting, other = (browser.get(f"/memory?category={category}") for category in (CATEGORY, "nothing"))
        assert fitting.replace(CATEGORY, "nothing") == other

    for browser in (support, masked):
        assert_alike(browser)
    masked.reveal(told.id + 1)  # Somebody else.
    assert_alike(masked)
    masked.reveal(told.id)
    assert f"{told.path}/facts/1" in masked.get(f"/memory?category={CATEGORY}")


def test_every_form_that_is_let_through_stands_in_the_log_before_it_is_carried_out(
    app: Flask, masked: Browser, services: Services, told: Someone
) -> None:
    of_the_login = {"admin.check_login", "admin.check_step", "admin.begin_passkey_login"}  # Nobody is logged in yet.
    forms = [rule for rule, method in admin_rules(app) if method == "POST" and rule.endpoint not in of_the_login]
    for rule in sorted(forms, key=lambda rule: rule.endpoint == "admin.logout"):
        before = len(entries(services))
        path = re.sub(r"<[^>]+>", "1", rule.rule.replace("<int:person_id>", str(told.id)))
        masked.post(path.removeprefix("/admin"), reason="A fault is being looked into")
        [added] = [entry for entry in entries(services)[before:] if entry.did != AuditEntry.NOT_DONE]
        assert (added.who, added.did) == ("operator", rule.endpoint.removeprefix("admin.")), rule
        assert added.person_id == (told.id if "person_id" in rule.arguments else None), rule
        assert (" 1" in added.about) == bool(rule.arguments - {"person_id"}), rule
    with services.reading() as db:
        assert audit.verify(db).is_whole


def test_logins_refused_logins_and_log_outs_are_written_down_but_no_password_and_no_form_that_is_not_let_through(
    browser: Browser, services: Services, told: Someone
) -> None:
    browser.post(f"{told.path}/block")
    browser.log_in("a wrong password")
    browser.log_in(name="my own password in the wrong field")
    browser.log_in()
    browser.post(f"{told.path}/block", token="wrong")
    browser.post("/logout")
    assert [(entry.who, entry.did) for entry in entries(services)] == [
        ("operator", "login_refused"),
        ("nobody", "login_refused"),
        ("operator", "login"),
        ("operator", "logout"),
    ]


def test_r102_neither_the_programs_own_log_nor_an_error_page_holds_words_numbers_or_secrets(
    app: Flask, masked: Browser, told: Someone, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    wrong = "a wrong password of mine"
    cookie, token = masked.client.get_cookie("keepsake_session"), masked.token()
    assert cookie is not None
    masked.reveal(told.id)
    errors = [
        masked.post(f"{told.path}/facts", fact=f"{WORD} " * 80),
        masked.post(f"{told.path}/facts/1", token="wrong", fact=WORD),
        masked.post(f"{told.path}/facts/99", fact=WORD),
        masked.client.get(f"/admin{told.path}/nothing?words={WORD}"),
        masked.post("/login", token="wrong", name=NUMBER, password=wrong),
        Browser(app).log_in(wrong),
    ]
    assert {error.status_code for error in errors} == {403, 404}
    for secret in (WORD, NUMBER, STRANGER, NUMBER[2:], wrong, cookie.value, token):
        assert secret not in caplog.text
    for error in errors[1:]:
        for secret in (WORD, NUMBER, wrong, cookie.value):
            assert secret not in error.text

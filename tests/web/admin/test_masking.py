"""What people wrote is masked on every page until it is revealed, which is written down and ends by itself."""

import re
from collections.abc import Sequence

import pytest
from flask import Flask
from sqlalchemy import update

from app import memory
from app.memory import NewFact, Origin, RuleWords
from app.models import AuditEntry, EpisodeFact, Person
from app.models.audit import NOT_DONE
from app.operations import audit
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, set_routine
from app.routines.values import local_time
from app.services import Services
from app.web.admin.masking import hidden, hidden_number
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_episode, add_person, add_suggestion, add_text, add_turn
from tests.web.admin.test_guard import admin_rules

WORD = "zanzibarite"
"""Stands in all that the person wrote, and in all that is remembered of them; nowhere in the pages' own words."""
SOUGHT = "quasarine"
"""Stands beside it: a page may repeat what it is asked to look for."""
NUMBER = "+12065550100"
STRANGER = "+13125550277"
NAMED = "+14155550133"
BY_OPERATOR = Origin("operator", "operator")


@pytest.fixture
def told(services: Services) -> int:
    """Someone of whom there is something on each page, a stranger who waits, and Sam, of whom there is the rest."""
    person = add_person(services, NUMBER)
    stranger = add_person(services, STRANGER, access="waiting")
    turn = add_turn(
        services,
        person.id,
        f"I love {WORD}",
        f"Noted: {WORD}",
        tools=[("extract_memory", {"facts": [{"fact": WORD}]}, f'{{"stored": "{WORD}"}}')],
        memory_shown=f"<facts>{WORD}</facts>",
    )
    add_episode(services, turn, f"About {WORD} {SOUGHT}.", narrative=WORD, topics=(WORD,), key_facts=(WORD,))
    origin = Origin("assistant", "explicit", turn_id=turn.id, message_id=1, quote=f"I love {WORD}")
    memory.remember(services, person.id, [NewFact(f"Likes {WORD} {SOUGHT}", WORD)], origin)
    memory.remember(services, person.id, [NewFact(f"Has a {WORD} car")], Origin("assistant", "explicit"))
    memory.revise(services, person.id, 1, origin, fact=f"Loves {WORD} {SOUGHT}")
    memory.forget(services, person.id, [2], origin)
    memory.set_rule(services, person.id, RuleWords("phrase", WORD, f"Say {WORD}"), origin)
    memory.set_rule(services, person.id, RuleWords("always", None, f"Praise {WORD}"), origin)
    memory.forget_rules(services, person.id, [2], origin)
    set_routine(
        services,
        person.id,
        NewRoutine("remind", f"Buy {WORD}", Schedule("daily", times=(local_time("times", "10:00"),))),
        Origin("person", "explicit"),
        "phone",
    )
    other = add_turn(services, stranger.id, f"My cat {WORD} is ill", "Oh no!")
    add_episode(services, other, f"The cat {WORD} is ill.")
    forgotten = memory.forget(services, stranger.id, [], Origin("person", "explicit"), about=[f"my cat {WORD}"])
    assert not forgotten.nothing_about
    add_text(services, stranger.id, f"Hi, this is {WORD}", state="held")
    add_sam(services)
    return person.id


def add_sam(services: Services) -> None:
    """Someone with a name, a forgotten episode, one in which a fact was learned, and a suggestion."""
    sam = add_person(services, NAMED, name="Sam")
    seen = add_episode(services, add_turn(services, sam.id, f"I saw {WORD}", "Oh!"), f"Sam saw {WORD}.")
    memory.forget_episodes(services, sam.id, [seen.number], BY_OPERATOR)
    heard = add_episode(services, add_turn(services, sam.id, f"I heard {WORD}", "Oh!"), "Sam heard something.")
    [fact] = memory.remember(services, sam.id, [NewFact(f"Hears {WORD}")], BY_OPERATOR).stored
    with services.transaction() as db:
        db.add(EpisodeFact(episode_id=heard.id, fact_id=fact.id))
        add_suggestion(db, sam.id, 1, services.clock.now(), words=f"shorter {WORD}", procedure=f"Keep {WORD} short")


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


def test_no_page_shows_a_persons_words_or_number_before_they_are_revealed(
    app: Flask, masked: Browser, services: Services, told: int
) -> None:
    asked = pages(app, [told, told + 1, told + 2])
    assert len(asked) > 50
    for path in asked:
        answer = masked.client.get(path, follow_redirects=True)
        assert answer.status_code in {200, 404}, path
        page = answer.text
        assert WORD not in page, path
        for number in (NUMBER, STRANGER, NAMED):
            assert number[2:] not in page, path


def test_what_is_revealed_of_one_person_shows_on_their_pages_and_nothing_of_another(
    masked: Browser, services: Services, told: int
) -> None:
    assert masked.reveal(told).status_code == 303

    for part in ("", "/facts", "/facts/1", "/rules", "/rules/1", "/episodes", "/forgotten", "/changes", "/routines"):
        page = masked.get(f"/people/{told}{part}")
        assert WORD in page, part
        assert NUMBER in page, part
    listed = masked.get("/people")
    assert NUMBER in listed
    assert STRANGER not in listed
    assert WORD not in listed
    assert WORD not in masked.get(f"/people/{told + 1}")


def test_the_same_words_are_masked_to_another_session_of_the_same_operator(
    app: Flask, masked: Browser, told: int
) -> None:
    masked.reveal(told)
    other = Browser(app)
    other.log_in()

    assert WORD not in other.get(f"/people/{told}/facts")
    assert WORD in masked.get(f"/people/{told}/facts")


def test_a_reveal_ends_after_half_an_hour(masked: Browser, clock: FrozenClock, told: int) -> None:
    masked.reveal(told)
    clock.advance(minutes=29)
    page = masked.get(f"/people/{told}/facts")
    assert WORD in page
    assert "for 1 more minute." in page

    clock.advance(minutes=1)

    assert WORD not in masked.get(f"/people/{told}/facts")


def test_a_reveal_is_ended_by_hand_and_by_logging_out(masked: Browser, told: int) -> None:
    masked.reveal(told)
    page = masked.act(f"/people/{told}/reveal/end", back=f"/admin/people/{told}/facts")
    assert "Hidden again." in page
    assert WORD not in page

    masked.reveal(told)
    masked.post("/logout")
    masked.log_in()

    assert WORD not in masked.get(f"/people/{told}/facts")


def test_a_reveal_needs_a_reason_and_stands_in_the_log_with_it(masked: Browser, services: Services, told: int) -> None:
    assert masked.reveal(999).status_code == 404
    for reason in ("", "  ?  ", "x" * 201):
        masked.reveal(told, reason)
        page = masked.get(f"/people/{told}/facts")
        assert "it needs 3 to 200" in page
        assert WORD not in page
    assert [entry.did for entry in entries(services)] == ["login"]

    masked.reveal(told, "They asked me  to look")

    last = entries(services)[-1]
    assert (last.who, last.did, last.person_id, last.reason) == ("operator", "reveal", told, "They asked me to look")


def test_the_form_leads_back_to_the_page_it_stood_on_and_to_no_other_site(masked: Browser, told: int) -> None:
    path = f"/admin/people/{told}/facts/1"
    assert f'name="back" value="{path}"' in masked.get(f"/people/{told}/facts/1")
    for back, leads_to in (
        (path, path),
        ("https://evil.example/admin/", f"/admin/people/{told}"),
        ("//evil.example/admin/", f"/admin/people/{told}"),
        ("/admin/\r\nSet-Cookie: a=b", f"/admin/people/{told}"),
        ("", f"/admin/people/{told}"),
    ):
        answer = masked.post(f"/people/{told}/reveal", reason="A memory is wrong", back=back)
        assert answer.headers["Location"] == leads_to


def test_a_reveal_in_a_thread_leads_back_to_the_place_in_it(masked: Browser, told: int) -> None:
    for query, anchor in (("", "newest"), ("?around=2", "message-2")):
        assert f'name="back" value="/admin/people/{told}{query}#{anchor}"' in masked.get(f"/people/{told}{query}")


def test_what_cannot_be_seen_cannot_be_corrected_and_the_page_says_what_to_do(
    masked: Browser, services: Services, told: int
) -> None:
    for path in (f"/people/{told}/facts/1", f"/people/{told}/rules/1"):
        page = masked.get(path)
        assert "To correct it, reveal first what they wrote." in page
        assert ">Correct</button>" not in page
        refused = masked.post(path, fact="Likes tea", category="", trigger_kind="always", procedure="Sing")
        assert refused.status_code == 403
        assert "Reveal it on one of their pages first" in refused.text
    with services.reading() as db:
        assert WORD in memory.facts.live(db, told, services.clock.now())[0].sentence

    masked.reveal(told)
    assert "is corrected" in masked.act(f"/people/{told}/facts/1", fact=f"Loves red {WORD}", category="")


def test_a_search_is_offered_and_done_only_where_words_are_revealed(masked: Browser, told: int) -> None:
    for part in ("facts", "episodes"):
        page = masked.get(f"/people/{told}/{part}?words=nothing+of+the+kind")
        assert 'role="search"' not in page
        assert "found" not in page
    masked.reveal(told)
    for part in ("facts", "episodes"):
        page = masked.get(f"/people/{told}/{part}?words=nothing+of+the+kind")
        assert 'role="search"' in page
        assert "found" in page


def test_a_search_of_all_memory_says_that_words_are_masked_and_not_whether_anything_fits(
    masked: Browser, support: Browser, told: int
) -> None:
    for where in ("", f"&person={told}"):
        fitting, other = (masked.get(f"/memory?words={words}{where}") for words in (SOUGHT, "nothing"))
        assert "Not searched: words are masked" in fitting
        assert fitting.replace(SOUGHT, "nothing") == other
        assert ("Why you look" in fitting) == bool(where)
        assert "An owner may." in support.get(f"/memory?words={SOUGHT}{where}")
    assert "Not searched" in masked.get(f"/memory?category={WORD}")

    masked.reveal(told)
    assert WORD in masked.get(f"/memory?words={SOUGHT}&person={told}")
    assert "Nothing fits of those whose words are revealed to you" in masked.get("/memory?words=nothing")
    assert "Not searched" in masked.get(f"/memory?words={SOUGHT}&person={told + 1}")


def test_a_category_tells_of_nobody_who_is_hidden_how_many_such_facts_there_are(
    masked: Browser, support: Browser, told: int
) -> None:
    for operator in (support, masked):
        operator.get("/memory")  # Shows what was done before, once.
        fitting, other = (operator.get(f"/memory?category={category}") for category in (WORD, "nothing"))
        assert fitting.replace(WORD, "nothing") == other

    masked.reveal(told + 1)  # Somebody else.
    masked.get("/memory")
    fitting, other = (masked.get(f"/memory?category={category}") for category in (WORD, "nothing"))
    assert fitting.replace(WORD, "nothing") == other
    masked.reveal(told)
    assert f"/people/{told}/facts/1" in masked.get(f"/memory?category={WORD}")


@pytest.mark.parametrize(
    ("words", "finds"),
    [("0100", True), (NUMBER, True), ("206 555 0100", True), ("1206", False), ("50100", False), ("555", False)],
)
def test_a_number_is_found_by_what_is_shown_of_it_or_by_all_of_it(
    masked: Browser, told: int, words: str, finds: bool
) -> None:
    page = masked.get(f"/people?words={words.replace('+', '%2B')}")

    assert (f"/admin/people/{told}/facts" in page) == finds


def test_masks_tell_the_last_digits_and_about_how_much_there_is() -> None:
    assert hidden_number(NUMBER) == "…0100"
    assert hidden_number(f"whatsapp:{NUMBER}") == "whatsapp:…0100"
    assert hidden_number("rcs:agent") == "rcs:…"
    assert [hidden("x" * length) for length in (0, 1, 30, 31, 601)] == [
        "",
        "hidden: a few words",
        "hidden: a few words",
        "hidden: a sentence",
        "hidden: a long text",
    ]


def test_every_form_that_is_let_through_stands_in_the_log_before_it_is_carried_out(
    app: Flask, masked: Browser, services: Services, told: int
) -> None:
    of_the_login = {"admin.check_login", "admin.check_step", "admin.begin_passkey_login"}  # Nobody is logged in yet.
    forms = [rule for rule, method in admin_rules(app) if method == "POST" and rule.endpoint not in of_the_login]
    for rule in sorted(forms, key=lambda rule: rule.endpoint == "admin.logout"):
        before = len(entries(services))
        path = re.sub(r"<[^>]+>", "1", rule.rule.replace("<int:person_id>", str(told)))
        masked.post(path.removeprefix("/admin"), reason="A fault is being looked into")
        added = [entry for entry in entries(services)[before:] if entry.did != NOT_DONE]
        assert [(entry.who, entry.did) for entry in added] == [("operator", rule.endpoint.removeprefix("admin."))], rule
        assert added[0].person_id == (told if "person_id" in rule.arguments else None), rule
        assert (" 1" in added[0].about) == bool(rule.arguments - {"person_id"}), rule
    with services.reading() as db:
        assert audit.verify(db).is_whole


def test_a_form_that_fails_half_way_was_written_down_and_nothing_that_was_typed_into_it(
    masked: Browser, services: Services, told: int
) -> None:
    masked.post(f"/people/{told}/facts", fact=f"{WORD} " * 80, category=WORD)
    masked.post(f"/people/{told}/facts/77/forget", ids="4", number="2065550100", code="123456")
    masked.post("/password", current="wrong horse", new="new horse 77", again="new horse 77")

    last = [(entry.did, entry.person_id, entry.about, entry.reason) for entry in entries(services)[-6:]]
    assert last == [
        ("remember", told, "", ""),
        (NOT_DONE, told, "entry 2", "refused"),
        ("forget", told, "fact 77, ids 4", ""),
        (NOT_DONE, told, "entry 4", "not_found"),
        ("change_password", None, "", ""),
        (NOT_DONE, None, "entry 6", "refused"),
    ]


def test_a_form_that_is_not_let_through_is_in_no_log(browser: Browser, services: Services, told: int) -> None:
    browser.post(f"/people/{told}/block")
    browser.log_in()
    browser.post(f"/people/{told}/block", token="wrong")

    assert [entry.did for entry in entries(services)] == ["login"]


def test_logins_refused_logins_and_log_outs_are_written_down_and_no_password(
    browser: Browser, services: Services
) -> None:
    browser.log_in("a wrong password")
    browser.log_in(name="my own password in the wrong field")
    browser.log_in()
    browser.post("/logout")

    found = [(entry.who, entry.did) for entry in entries(services)]
    assert found == [
        ("operator", "login_refused"),
        ("nobody", "login_refused"),
        ("operator", "login"),
        ("operator", "logout"),
    ]


def test_r102_neither_the_programs_own_log_nor_an_error_page_holds_words_numbers_or_secrets(
    app: Flask, masked: Browser, told: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    wrong = "a wrong password of mine"
    cookie, token = masked.client.get_cookie("keepsake_session"), masked.token()
    assert cookie is not None
    masked.reveal(told)
    errors = [
        masked.post(f"/people/{told}/facts", fact=f"{WORD} " * 80),
        masked.post(f"/people/{told}/facts/1", token="wrong", fact=WORD),
        masked.post(f"/people/{told}/facts/99", fact=WORD),
        masked.client.get(f"/admin/people/{told}/nothing?words={WORD}"),
        masked.post("/login", token="wrong", name=NUMBER, password=wrong),
        Browser(app).log_in(wrong),
    ]
    for path in pages(app, [told, told + 1, told + 2]):
        masked.client.get(path)

    assert {error.status_code for error in errors} == {403, 404}
    for secret in (WORD, NUMBER, STRANGER, NUMBER[2:], wrong, cookie.value, token):
        assert secret not in caplog.text
    for error in errors[1:]:
        for secret in (WORD, NUMBER, wrong, cookie.value):
            assert secret not in error.text


def test_a_name_stays_where_a_number_is_masked(masked: Browser, services: Services, told: int) -> None:
    with services.transaction() as db:
        db.execute(update(Person).where(Person.id == told).values(name="Alex"))

    page = masked.get(f"/people/{told}")

    assert "<bdi>Alex</bdi>" in page
    assert '<span class="number">…0100</span>' in page

"""The table of the carrier's error codes."""

from app.delivery.reports import MEANINGS


def test_whatever_stops_the_sender_is_told_to_the_operator() -> None:
    assert all(meaning.alert for meaning in MEANINGS.values() if meaning.stops_for)


def test_every_alert_says_what_is_wrong_and_what_to_do_without_anybodys_number() -> None:
    for meaning in MEANINGS.values():
        if meaning.alert:
            assert "." in meaning.alert[:-1]
            assert "+" not in meaning.alert

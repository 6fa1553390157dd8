from tests.routines.routine_line import Coming


def test_a_reminder_comes_once_at_its_instant(coming: Coming) -> None:
    coming.remind("take the bread out", repeat="once", in_minutes=20)
    assert coming.pass_time(minutes=19) == []
    assert coming.pass_time(minutes=1) == ["Reminder: take the bread out"]
    assert coming.pass_time(minutes=1) == []
    assert coming.states() == ["sent"]
    assert coming.routine().state == "ended"


def test_a_daily_reminder_comes_every_day_at_its_local_time(coming: Coming) -> None:
    coming.remind("stretch", repeat="daily", times=["10:00"])
    texts = [coming.pass_time(hours=1) for _ in range(49)]
    assert [place for place, came in enumerate(texts, 1) if came] == [1, 25, 49]
    assert coming.states() == ["sent"] * 3

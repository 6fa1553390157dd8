"""What the process does for itself on a schedule. APScheduler is the tick; the database knows what there is to do."""

from app.jobs import (
    answer_waiting,
    archive_facts,
    ask_about_silent,
    beat,
    begin_routines,
    check_model,
    count_hours,
    fetch_missed,
    index_texts,
    look_at_answered,
    notice_waiting,
    pair_facts,
    reconcile_sends,
    suggest_habits,
    summarise_quiet,
    tell_of_outage,
)

JOBS = (
    beat,
    answer_waiting,
    notice_waiting,
    begin_routines,
    tell_of_outage,
    check_model,
    reconcile_sends,
    fetch_missed,
    ask_about_silent,
    look_at_answered,
    summarise_quiet,
    index_texts,
    archive_facts,
    pair_facts,
    suggest_habits,
    count_hours,
)

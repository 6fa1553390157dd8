"""What the process does for itself on a schedule. APScheduler is the tick; the database knows what there is to do."""

from app.jobs import answer_waiting, notice_waiting

JOBS = (answer_waiting, notice_waiting)

"""The page of numbers: a chart a figure, with the table behind each, and each as a file."""

import csv
import io
from datetime import timedelta

from flask import Response as FlaskResponse
from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app.errors import NotFound
from app.operations.numbers import series
from app.operations.numbers.figures import FIGURES, PEOPLE_MEANS, PEOPLE_TITLE, figure
from app.web import auth
from app.web.admin import charts
from app.web.admin.blueprint import bp
from app.web.admin.navigation import Place

PLACE = Place("Numbers", "admin.numbers", 50)

PEOPLE_IN_A_FILE = 1_000
LATE = timedelta(minutes=10)  # Counting comes every two minutes: five times without it is worth a word.


@bp.get("/numbers")
def numbers() -> Response:
    services = auth.services()
    now, zone = services.clock.now(), services.settings.budget_timezone
    unit = series.unit_named(request.args.get("over"))
    over = series.stretch(unit, now, zone, until=request.args.get("until", ""))
    with services.reading() as db:
        found = series.read(db, over)
        people = series.spend_by_person(db, over, zone)
        counted_until = series.counted_until(db)
    called = charts.moments(over, zone)
    drawn = [charts.chart(found[one.key], called) for one in FIGURES]
    page = render_template(
        "admin/numbers.html",
        charts=[one for one in drawn if one.headline],
        empty=[one.figure for one in drawn if not one.headline],
        counted_until=counted_until,
        lags=counted_until is not None and now - counted_until > LATE,
        over=over,
        units=series.UNITS,
        earlier=over.began[0],
        until=series.after(unit, over.began[-1], 1) if over.has_later else None,
        later=series.after(unit, over.began[-1], len(over.began) + 1) if over.has_later else None,
        first=called[0][0],
        last=called[-1][0],
        zone=zone,
        people=people,
        people_title=PEOPLE_TITLE,
        people_means=PEOPLE_MEANS,
    )
    return make_response(page)


@bp.get("/numbers/<key>.csv")
def numbers_file(key: str) -> Response:
    """The same as a file: every label apart, numbers as they are, in seconds, milliseconds, tokens and US cents."""
    services = auth.services()
    zone = services.settings.budget_timezone
    unit = series.unit_named(request.args.get("over"))
    over = series.stretch(unit, services.clock.now(), zone, until=request.args.get("until", ""))
    found = figure(key)
    if found is None and key != "people":
        raise NotFound("There is no figure of that name. Choose one on the page of numbers.")
    with services.reading() as db:
        if found is None:
            costs = series.spend_by_person(db, over, zone, PEOPLE_IN_A_FILE)
            rows = [["person", "spent on", "cents"]]
            rows += [
                [f"{one.person.id}", on, f"{cents:.6g}"] for one in costs for on, cents in sorted(one.cents.items())
            ]
        else:
            rows = charts.file_rows(series.read(db, over, [found])[key])
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([[_plain(value) for value in row] for row in rows])
    response = FlaskResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="keepsake-{key}-by-{unit}-to-{over.began[-1]}.csv"'
    return response


def _plain(value: str) -> str:
    """As it is, but for what a spreadsheet would take for a formula."""
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t")) else value

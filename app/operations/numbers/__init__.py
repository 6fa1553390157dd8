"""Numbers of the installation, hour by hour: counted from the rows by a job, kept small, read by the pages.

`figures.py` says what is counted and what each figure means; `counting.py` counts one hour; `hours.py` keeps it and
adds it to its day and its month; `shape.py` is how percentiles are kept; `series.py` reads.
"""

"""Numbers of the installation, hour by hour: counted from the rows by a job, kept small, read by the pages.

`figures.py` says what is counted, what each figure means and how percentiles are kept; `counting.py` counts one hour;
`hours.py` keeps it and adds it to its day and its month; `series.py` reads.
"""

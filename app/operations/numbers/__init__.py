"""Numbers of the installation, hour by hour: counted from the rows by a job, kept small, read by the pages.

`figures.py` defines the figures and how percentiles are kept; `counting.py` counts one hour; `hours.py` keeps it and
adds it to its day and its month; `series.py` reads.
"""

"""The same pipeline as the documentation of its parts teaches it: what a user would build in an afternoon.

Belongs here: the assets, their reading and parsing, and the run over some days; all in an environment of its own
(``PACKAGES``), without a line of the project's. Not here: what it is measured beside.
"""

# The I/O manager is made for pandas 2.
PACKAGES = (
    "dagster==1.13.27",
    "dagster-duckdb-pandas==0.29.27",
    "duckdb==2.0.1",
    "pandas==2.3.3",
    "beautifulsoup4==4.15.0",
    "dateparser==1.5.0",
)

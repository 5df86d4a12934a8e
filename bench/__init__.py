"""What the pipeline costs, measured beside what a user would build or pick instead: ``make bench``.

One module an area, each with ``measure(scale) -> Section``; ``figures.py`` holds what they return. Not here: limits
that fail a test.
"""

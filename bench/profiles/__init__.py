"""Where the time goes, as pictures: ``make profiles`` writes ``docs/profiles/*.svg``.

``scenes.py`` says what is looked at and sets it up, ``inside.py`` is what runs under the profiler, ``stacks.py`` makes
its samples readable, ``icicle.py`` draws them. Not here: figures (the areas of ``bench``).
"""

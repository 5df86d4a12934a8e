"""The exported golden set in the real evaluation tools: an environment of their own, a run over each format."""

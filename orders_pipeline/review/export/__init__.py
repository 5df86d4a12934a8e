"""The golden set in the formats of evaluation tools: one file a format, a folder that holds them."""

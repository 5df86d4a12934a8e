"""From an Email to orders: extractors in order, each value with its evidence."""

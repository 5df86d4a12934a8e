"""A client for language models behind OpenAI-compatible servers."""

"""Gap checks: data in, findings out."""

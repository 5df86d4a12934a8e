"""Gmail through its API: read-only, complete, patient."""

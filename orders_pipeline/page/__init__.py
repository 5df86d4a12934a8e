"""The review page: a queue of proposed cases, each mail beside its parse, and a person's decisions on them."""

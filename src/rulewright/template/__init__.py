"""The shape of the rules to learn: a small Datalog-like language, its reading, and its check against the facts."""

"""Facts in: integer-coded relations of any arity, with optional truth values."""

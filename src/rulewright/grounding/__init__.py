"""Which facts can arise, and from which: integers only, no weights and no truth arithmetic."""

"""Terms, atoms, rules and programs: frozen data that every room shares, with no numpy and no torch."""

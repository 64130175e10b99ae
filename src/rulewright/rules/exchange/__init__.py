"""Rules for other tools, and from them: one file per format, none of which needs torch."""

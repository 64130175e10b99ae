"""The command line: reads arguments, calls the library, prints. No logic of its own."""

"""Names from data are anybody's text: what has to happen before one is shown to a person."""


def harmless(text: str) -> str:
    r"""The text with everything that could steer a terminal, or hide, written as an escape; only line ends stay.

    >>> print(harmless("red \x1b[31m, turned \u202e"))
    red \x1b[31m, turned \u202e
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)

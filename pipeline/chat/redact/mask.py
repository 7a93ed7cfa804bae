"""Show the shape of a secret without the secret."""

SHOWN = 10  # characters of a shape
RUN = 4  # of one class in a row; longer runs are clipped, so that no length is told


def mask(value: str) -> str:
    """
    Give the shape of a value: letters as `A` or `a`, digits as `9`, `-_.:/` so, the rest as `#`.

    Runs of one class longer than four and shapes longer than ten are clipped, which `…` says. A
    value that holds its own shape (`aaaa`) shows as `…`.
    """
    shape, run, is_cut = "", 0, False
    for char in value[:200]:
        sign = _sign(char)
        run = run + 1 if shape.endswith(sign) else 1
        if run <= RUN:
            shape += sign
        is_cut = is_cut or run > RUN
    is_cut = is_cut or len(shape) > SHOWN or len(value) > 200
    shape = shape[:SHOWN]
    return "…" if not shape or shape in value else shape + ("…" if is_cut else "")


def _sign(char: str) -> str:
    """Give the class of one character."""
    if char.isdigit():
        return "9"
    if char.isalpha():
        return "A" if char.isupper() else "a"
    return char if char in "-_.:/" else "#"

"""Grow a text that a pattern fits, so that every rule can be tried without a list of examples."""

import re._constants as op
import re._parser as parser
import string
from random import Random

MANY = 3  # how far above its minimum a repeat may go


def grow(pattern, dice):
    """Give a text that `pattern` fits whole, and its first group's bounds (or its own)."""
    pieces, bounds = [], []
    _grow(parser.parse(pattern), dice, pieces, bounds)
    text = "".join(pieces)
    return text, bounds[0] if bounds else (0, len(text))


def _grow(tree, dice, pieces, bounds):
    for kind, value in tree:
        if kind is op.LITERAL:
            pieces.append(chr(value))
        elif kind is op.NOT_LITERAL or kind is op.ANY:
            pieces.append(dice.choice(string.ascii_letters))
        elif kind is op.IN:
            pieces.append(dice.choice(_choices(value)))
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            low, high, inner = value
            for _ in range(dice.randint(low, min(high, low + MANY))):
                _grow(inner, dice, pieces, bounds)
        elif kind is op.BRANCH:
            _grow(dice.choice(value[1]), dice, pieces, bounds)
        elif kind is op.SUBPATTERN:
            start = sum(map(len, pieces))
            _grow(value[3], dice, pieces, bounds)
            if value[0] == 1:
                bounds.append((start, sum(map(len, pieces))))
        else:
            assert kind is op.AT, kind


def _choices(items):
    """List the characters of a class; a negated one gives letters that it leaves."""
    found = []
    for kind, value in items:
        if kind is op.LITERAL:
            found.append(chr(value))
        elif kind is op.RANGE:
            found += map(chr, range(value[0], value[1] + 1))
        elif kind is op.CATEGORY:
            found.append({op.CATEGORY_SPACE: " ", op.CATEGORY_DIGIT: "7"}.get(value, "q"))
    if items[0][0] is op.NEGATE:
        return [c for c in string.ascii_letters + string.digits + " #-" if c not in found]
    return found


def dice(*of):
    """Give dice that fall alike each time for the same names."""
    return Random("/".join(map(str, of)))

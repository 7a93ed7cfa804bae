"""
Invented pyramids, healthy or with planted faults, to measure an audit with.

    view = healthy(900, seed=1)             # no rule may find anything here
    planted = plant(view, kinds, seed=1)    # planted.view, planted.truth: what to find, where

Nothing here shares a phrase, a pattern or a number with the rules. A third of the kinds of faults
is held out: chosen by a hash of their names, they serve to judge rules, not to write them.
"""

from pipeline.testing.faults.kinds import KINDS, Planted, held_out, plant
from pipeline.testing.faults.world import healthy

__all__ = ["KINDS", "Planted", "healthy", "held_out", "plant"]

"""
A model server on loopback that speaks both protocols, counts like a real one, and lies on demand.

    with ModelDouble(lies=[Lie("rate limit", retry_after="2"), None, Lie("length")]) as double:
        double.openai_url       # base URL for chat completions
        double.anthropic_url    # base URL for the Messages API
        double.key              # the only key that it takes
        double.asked            # every request that came, in order, with its cached tokens
"""

from pipeline.testing.modeldouble.lies import Lie
from pipeline.testing.modeldouble.server import KEY, MODEL, ModelDouble
from pipeline.testing.modeldouble.wire import Asked, Wish

__all__ = ["KEY", "MODEL", "Asked", "Lie", "ModelDouble", "Wish"]

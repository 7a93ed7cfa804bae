"""The engine: what would still be true if the stages changed, and what two stages share."""

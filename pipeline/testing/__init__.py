"""Fakes that ship: the invented community, the Discord double, the model double, the benches."""

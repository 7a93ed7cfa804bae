"""Verbs that are not stages: doctor, cutover, adopt, bill, purge, pack, edit."""

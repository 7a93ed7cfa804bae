"""dump: bring history out of Discord, or out of export files, into raw."""

"""Who answers: one seam, and the models behind it."""

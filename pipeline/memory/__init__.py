"""What a memory is: rulers, folding, pyramid, prompts, checks, search."""

"""How the numbers that ship with the product were fitted: scripts, data cards and model cards."""

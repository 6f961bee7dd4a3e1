"""A question to the passages that bear on it."""

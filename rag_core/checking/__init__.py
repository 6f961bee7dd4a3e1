"""A claim and the text that it rests on to a verdict: the reason for Pincite."""

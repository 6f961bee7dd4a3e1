"""Speed and memory, measured by commands that print figures and ratios from one run."""

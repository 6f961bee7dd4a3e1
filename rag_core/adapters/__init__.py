"""Everything that touches the world: one file for each outside thing."""

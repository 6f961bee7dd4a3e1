"""A library that cannot lose or leak: files come in, are indexed, looked after, and taken out for good."""

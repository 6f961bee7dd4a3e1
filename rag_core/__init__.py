"""The core of Pincite: documents in, verified answers out. Knows no door."""

"""Measures the product on data, from the command line and from both doors."""

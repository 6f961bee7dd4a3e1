"""Buttons that work for as long as their message stands: all that one needs is in its id, or remembered of its message.

The process that made a button may be gone when it is clicked.
"""

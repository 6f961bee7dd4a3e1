"""Slash commands, one file a command: each acknowledges, makes one call, renders and sends."""

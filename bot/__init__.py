"""The Discord bot: attach a PDF, ask in its thread, get a verified answer."""

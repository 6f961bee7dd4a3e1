"""What the bot itself must remember: servers' settings, who brought which file, and what was asked where."""

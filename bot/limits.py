"""Discord's own limits, as its reference gives them. Pure."""

from __future__ import annotations

MESSAGE = 2000
"""Characters of a message."""
THREAD_NAME = 100
"""Characters of a thread's name."""
CUSTOM_ID = 100
"""Characters of a button's id."""
LABEL = 80
"""Characters of a button's label."""
BUTTONS_A_ROW = 5
BUTTONS = 25
"""Of a message, in five rows."""
CHOICES = 25
"""Of an autocompletion."""
CHOICE = 100
"""Characters of a choice's name, and of its value."""
EMBED_TEXT = 4096
"""Characters of an embed's description."""
EMBED_FIELD = 1024
"""Characters of one of its fields."""
EMBED_FIELDS = 6
"""Of the 25 that there may be: an embed has 6,000 characters in all."""
ALT_TEXT = 1024
"""Characters of a picture's description."""
ANSWER_TO_MODAL = 4000
"""Characters of a text field."""
SECONDS_BETWEEN_EDITS = 1.5
"""Five edits in five seconds are allowed a channel; others write there, too."""

UNKNOWN_CHANNEL = 10003
UNKNOWN_WEBHOOK = 10015
ENDED_TOKEN = 50027
"""Of an interaction that is more than fifteen minutes old."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
NO_THREAD = frozenset({160004, 160006, 50013})
"""One was opened below the message by somebody else, the server has as many as Discord lets it have, or forbids it."""
NO_HISTORY = 160002
"""Whoever may not read what was said in a channel cannot reply to it."""
NOT_TO_BE_EDITED = frozenset({UNKNOWN_MESSAGE, 30046, 50083})
"""A message is gone, was edited too often for its age, or its thread is archived, which a new message opens again."""

"""How often, and after what waits, a language model is asked again: one rule for every provider."""

from __future__ import annotations

import stamina

from rag_core import replies


def patiently() -> stamina.BoundAsyncRetryingCaller:
    """A caller that repeats what may pass, with backoff and jitter, and lets everything else through at once."""
    return stamina.AsyncRetryingCaller(
        attempts=replies.ATTEMPTS,
        timeout=None,
        wait_initial=replies.FIRST_WAIT,
        wait_max=replies.LONGEST_WAIT,
        wait_jitter=replies.JITTER,
    ).on(replies.again)

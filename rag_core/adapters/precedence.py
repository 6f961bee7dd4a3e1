"""Who comes first where the processor is wanted by more than it has cores."""

from __future__ import annotations

import os
import sys
import threading

NICER = 10
"""A tenth of the processor where others want it, too: they hardly notice, and the work still ends."""


def give_way() -> None:
    """Let the calling thread, and those that it starts, come after all others, of this process and of the rest.

    Only Linux has that: elsewhere the priority is one of the whole process, and stays as it is.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICER)

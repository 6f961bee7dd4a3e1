"""A question to an answer whose every claim is checked, or to a refusal that says why."""

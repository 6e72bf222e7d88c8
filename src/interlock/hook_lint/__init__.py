"""Find the mistakes in hooks that people have already: what they read, what they say, and whether they ever run."""

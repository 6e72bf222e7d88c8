"""Programs of jq: how they are written, and what they read, test and make."""

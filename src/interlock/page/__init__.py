"""The page: what waits for a person, what happened, and which rules earn their keep."""

"""Files: private folders, edits that can be undone, JSON with its places, and what git knows."""

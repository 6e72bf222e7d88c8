"""Files: private folders, edits that can be undone, JSON with the place of each value, and what git knows."""

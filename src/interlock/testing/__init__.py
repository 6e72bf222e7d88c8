"""Run the cases and scenarios of policies; usable without pytest."""

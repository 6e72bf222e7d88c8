"""AWS's Kiro: its editor and its CLI."""

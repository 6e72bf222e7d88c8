"""What code inside a command does, as far as its words tell."""

"""What a call means: pure readings of tools, results, paths and commands."""

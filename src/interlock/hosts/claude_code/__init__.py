"""Claude Code: its dialect, its settings, how entries get into them and out, its skills and agents."""

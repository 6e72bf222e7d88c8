"""Windsurf, now called Devin Desktop, and its agent Cascade."""

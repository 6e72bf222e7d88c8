"""Cursor: its editor, its CLI and its SDK."""

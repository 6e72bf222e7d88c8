"""Cline: its extension for editors, its CLI and its SDK."""

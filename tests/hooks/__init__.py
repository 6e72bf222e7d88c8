"""Python hooks."""

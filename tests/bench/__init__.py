"""The bench's own tests: how rows are measured, judged and compared."""

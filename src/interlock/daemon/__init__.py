"""The resident process that answers every hook of a person's sessions."""

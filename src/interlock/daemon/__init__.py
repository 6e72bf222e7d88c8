"""The warm process that answers every hook of a person's sessions."""

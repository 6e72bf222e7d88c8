"""What every host must answer, and what all dialects share."""

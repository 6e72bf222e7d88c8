"""Reading shell lines."""

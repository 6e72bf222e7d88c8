"""Facts that need a look at the machine."""

"""Facts about the machine that rules may ask for."""

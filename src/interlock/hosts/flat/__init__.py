"""The flat dialect, for hosts without one of their own."""

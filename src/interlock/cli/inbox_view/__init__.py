"""The inbox as a full-screen view in a terminal."""

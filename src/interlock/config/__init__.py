"""Where policies are, which layer each one is, and which are trusted."""

"""Where policies are, which layer each one belongs to, and which are trusted."""

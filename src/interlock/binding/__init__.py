"""What ties a host's runtime to us."""

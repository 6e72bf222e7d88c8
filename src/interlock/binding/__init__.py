"""What connects a host's runtime to Interlock."""

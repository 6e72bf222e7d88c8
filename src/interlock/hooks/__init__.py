"""Python hooks: how they are written, registered, loaded and run."""

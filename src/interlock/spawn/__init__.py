"""What a host spawns for one event. Nothing here imports anything from the package."""

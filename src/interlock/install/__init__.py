"""Put our entries into a host's settings, see that they stand there, and take them out again."""

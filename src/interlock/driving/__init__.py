"""An installed agent, run once in a home of nobody's against a scripted model on this machine."""

"""Frameworks that run their tools in this process, under a gate: a module for each, on top of what they share."""

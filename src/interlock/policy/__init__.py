"""The policy language: how patterns are written and what they match."""

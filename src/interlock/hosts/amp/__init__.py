"""Sourcegraph's Amp, which asks a program for permission."""

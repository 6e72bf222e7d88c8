"""Attacks that once got past Interlock, and their relatives: each judged by what is on disk afterwards."""

"""Shipped rules: data only, each rule with its own cases."""

"""Texts that try to command the model that reads them."""

from interlock.facts.injections.search import Order, disarm, find_orders

__all__ = ["Order", "disarm", "find_orders"]

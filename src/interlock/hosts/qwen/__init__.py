"""Alibaba's Qwen Code."""

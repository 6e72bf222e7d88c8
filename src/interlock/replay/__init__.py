"""What a policy would have done: past sessions, judged again."""

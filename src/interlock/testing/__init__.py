"""Run the cases and scenarios of policies, measure policies and check stores; pytest is not needed."""

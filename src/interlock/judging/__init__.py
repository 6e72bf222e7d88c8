"""Who judges an event: rules, hooks and skills as panels, combined into one guard per project."""

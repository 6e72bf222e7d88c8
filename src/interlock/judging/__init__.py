"""Who judges an event: rules, hooks and skills as panels, put together as one guard per project."""

"""The page's door: from where a request may come, who may look, and who may answer."""

"""JavaScript and TypeScript."""

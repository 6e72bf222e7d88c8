"""JavaScript and TypeScript: a tolerant parser, and a reader that follows names and constants through the tree."""

"""Programs for people who change Interlock: none of them is part of the package."""

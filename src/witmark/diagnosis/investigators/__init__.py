"""Read-only looks at a case, one file each. None of them runs anything or writes anything."""

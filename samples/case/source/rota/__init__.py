"""Plans shifts."""

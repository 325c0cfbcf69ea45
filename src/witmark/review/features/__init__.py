"""Machining features, found by pure code in the attributed face adjacency graph."""

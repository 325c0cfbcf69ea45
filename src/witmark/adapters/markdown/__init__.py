"""Markdown as Obsidian and GitHub write it, read into blocks and links at their places."""

from witmark.adapters.markdown.parser import ComrakParser

__all__ = ["ComrakParser"]

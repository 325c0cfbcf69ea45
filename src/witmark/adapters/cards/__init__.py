"""Rule cards: Markdown with front matter, read into plain values."""

"""A folder of Markdown as a vault: read, never written, and never left through a link."""

from witmark.adapters.vault.folder import FolderVault, NoMarkdownError

__all__ = ["FolderVault", "NoMarkdownError"]

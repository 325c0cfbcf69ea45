"""Where finished work is put for somebody else to take."""

from witmark.adapters.outbox.folder import FolderOutbox as FolderOutbox

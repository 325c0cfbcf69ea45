"""Where case packages lie on a file system, and how a raw folder is read into one."""

from witmark.adapters.cases.folders import read_case_folder
from witmark.adapters.cases.handed import Handed, read_case
from witmark.adapters.cases.store import FolderStore

__all__ = ["FolderStore", "Handed", "read_case", "read_case_folder"]

"""Archives as they are handed in: unpacked in memory, under limits, and never trusted.

What is left out is named, and why; nothing in an archive can stop the rest of a case.
"""

from witmark.adapters.archives.limits import ArchiveLimits, Unpacked
from witmark.adapters.archives.unpacking import unpack

__all__ = ["ArchiveLimits", "Unpacked", "unpack"]

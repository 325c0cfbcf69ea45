"""Write published diagnoses of this release for later releases to replay.

    python tools/make_golden_diagnoses.py

Each is a whole package as one JSON object, path to text, below ``tests/golden/diagnosis``. What
is there stays as it is: a golden package is never made again. Run this once for each release.
"""

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "golden" / "diagnosis"

sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.diagnosis_lives import Life, investigated  # noqa: E402  # the path comes first
from witmark import __version__  # noqa: E402  # as above
from witmark.testing.disks import MemoryDisk  # noqa: E402  # as above

LIVES = ("confirmed", "inconclusive", "rejected 3")


def main() -> int:
    """Write what is not there yet."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in LIVES:
        target = FOLDER / f"{__version__}-{name.replace(' ', '-')}.json"
        if target.exists():
            print(f"{target.relative_to(ROOT)} stays as it is")
            continue
        disk = MemoryDisk(investigated())
        with tempfile.TemporaryDirectory() as elsewhere:
            Life(name, Path(elsewhere) / "count").run(disk)
        files = {path: raw.decode() for path, raw in sorted(disk.files.items())}
        target.write_text(json.dumps(files, ensure_ascii=False, indent=1) + "\n", "utf-8")
        print(f"wrote {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

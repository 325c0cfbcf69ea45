"""One measured piece of work in a process of its own: prints its CPU seconds as JSON.

``python -m bench.child bare FILE`` reads and transfers the file with XCAF and nothing more;
``python -m bench.child review FILE`` does the product's whole review without pictures: this
process and the reader's worker, which tells its own CPU time. Every import is made before the
clock starts, on both sides.
"""

import importlib
import json
import os
import pkgutil
import sys
import tempfile
import time
from pathlib import Path


def main(what: str, path: Path) -> None:
    """Do it once and say what it cost."""
    sys.stdout.flush()
    said = os.dup(1)
    os.dup2(2, 1)  # the kernel talks on stdout; the figure is the only thing wanted there
    cpu_s = {"bare": _bare, "review": _review}[what](path)
    os.write(said, json.dumps({"cpu_s": cpu_s}).encode())


def _bare(path: Path) -> float:
    from OCP.STEPCAFControl import STEPCAFControl_Reader  # noqa: PLC0415
    from OCP.TCollection import TCollection_ExtendedString  # noqa: PLC0415
    from OCP.TDocStd import TDocStd_Document  # noqa: PLC0415
    from OCP.XCAFApp import XCAFApp_Application  # noqa: PLC0415

    begun = time.process_time()
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    reader = STEPCAFControl_Reader()
    for mode in (reader.SetColorMode, reader.SetNameMode, reader.SetLayerMode):
        mode(True)
    reader.ReadFile(str(path.resolve()))
    reader.Transfer(document)
    return time.process_time() - begun


def _review(path: Path) -> float:
    import witmark  # noqa: PLC0415

    for module in pkgutil.walk_packages(witmark.__path__, "witmark."):
        if not module.name.startswith("witmark.testing") and "__main__" not in module.name:
            importlib.import_module(module.name)
    from witmark.bootstrap import report_folder, review_desk  # noqa: PLC0415
    from witmark.review.use_cases import (  # noqa: PLC0415
        ReviewRequest,
        publish_review,
        review_file,
    )

    with tempfile.TemporaryDirectory() as folder, review_desk(None) as desk:
        before_s = desk.reader.cpu_s
        begun_s = time.process_time()
        reviewed = review_file(ReviewRequest(path, pictures=0), desk)
        publish_review(reviewed, report_folder(path, Path(folder) / "report"))
        return time.process_time() - begun_s + desk.reader.cpu_s - before_s


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

"""STEP file → ``Assembly``, by OCCT's XCAF reader. Runs in the worker process."""

import os
from pathlib import Path

from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDocStd import TDocStd_Document
from OCP.XCAFApp import XCAFApp_Application

from witmark.adapters.occt.build import FaceOrigin, brep_of
from witmark.adapters.occt.shape import walk
from witmark.adapters.occt.tree import tree_of
from witmark.review.assembly import Assembly, ComponentInstance, LengthUnit, Part


def read_step(path: str | os.PathLike[str], *, length_unit_mm: float | None = None) -> Assembly:
    """Read a STEP file into an assembly in millimetres."""
    reader, document = _transferred(Path(path))
    tree = tree_of(document)
    parts = []
    for prototype in tree.prototypes:
        walked = walk(prototype.shape)
        brep = brep_of(walked, [FaceOrigin()] * len(walked.faces), [""] * len(walked.bodies))
        parts.append(Part(prototype.name, brep))
    instances = tuple(
        ComponentInstance(
            leaf.path, leaf.name, leaf.prototype, leaf.placement, leaf.colour, leaf.layers
        )
        for leaf in tree.leaves
    )
    return Assembly("", LengthUnit("millimetre", 1.0, None), tuple(parts), instances, ())


def _transferred(path: Path) -> tuple[STEPCAFControl_Reader, TDocStd_Document]:
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    reader = STEPCAFControl_Reader()
    for mode in (reader.SetColorMode, reader.SetNameMode, reader.SetLayerMode):
        mode(True)
    if reader.ReadFile(str(path.absolute())) != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise RuntimeError("read")
    reader.Transfer(document)
    return reader, document

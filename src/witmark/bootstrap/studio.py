"""The picture studio: triangles from the CAD reader, placed, and handed to the ray caster."""

import numpy as np

from witmark.adapters.raster import values
from witmark.adapters.raster.render import RasterPictures
from witmark.adapters.raster.scene import scene_of
from witmark.review.assembly import Assembly
from witmark.review.gates import LEAST_VISIBLE_PIXELS
from witmark.review.ports import CadReader, NotShown, Picture, Pictures, Place

DEFLECTION_SHARE = 1e-3
"""Of a typical part's diagonal: rounds look round at 1000 x 750 and triangles stay few."""

DEFLECTION_MM = (0.005, 0.5)
"""Least and greatest deflection."""


class Studio:
    """Speaks the desk's words on one side and the ray caster's on the other."""

    def __init__(self, raster: RasterPictures) -> None:
        self._raster = raster

    def picture(self, place: Place) -> Picture | NotShown:
        """Draw a place so that a reader finds it, or say why that is not possible."""
        drawn = self._raster.picture(values.Place(place.instance, place.faces, place.towards))
        if isinstance(drawn, values.NotShown):
            return NotShown(drawn.because)
        return Picture(drawn.png, drawn.width_px, drawn.height_px, drawn.visible_pixels)


def studio(assembly: Assembly, reader: CadReader) -> Pictures:
    """Mesh every part once and place it as often as it stands."""
    meshes = reader.mesh(range(len(assembly.parts)), _deflection_mm(assembly))
    scene = scene_of(assembly, meshes)
    return Studio(RasterPictures(scene, min_visible_pixels=LEAST_VISIBLE_PIXELS))


def _deflection_mm(assembly: Assembly) -> float:
    boxes = [part.brep.box_mm for part in assembly.parts if part.brep.faces]
    diagonal = float(np.median([np.linalg.norm(box[3:] - box[:3]) for box in boxes]))
    return float(np.clip(DEFLECTION_SHARE * diagonal, *DEFLECTION_MM))

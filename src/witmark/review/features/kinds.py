"""The trade's names for what a recogniser finds; holes have their own in ``holes``."""

from enum import StrEnum

from witmark.review.brep import SurfaceKind

# Plain numbers: numpy compares an array's element with an enum member ten times slower.
PLANE = int(SurfaceKind.PLANE)
CYLINDER = int(SurfaceKind.CYLINDER)
CONE = int(SurfaceKind.CONE)
SPHERE = int(SurfaceKind.SPHERE)
TORUS = int(SurfaceKind.TORUS)
FREEFORM = int(SurfaceKind.FREEFORM)


class ShapeKind(StrEnum):
    """What stands in ``Feature.kind`` for everything that is not a hole."""

    POCKET = "pocket"
    OPEN_POCKET = "open_pocket"
    THROUGH_WINDOW = "through_window"
    SLOT = "slot"
    BLIND_SLOT = "blind_slot"
    STEP = "step"
    BLIND_STEP = "blind_step"
    GROOVE = "groove"
    BOSS = "boss"
    FILLET = "fillet"
    CHAMFER = "chamfer"
    FREEFORM_RECESS = "freeform_recess"
    FREEFORM_BLEND = "freeform_blend"
    FREEFORM_SURFACE = "freeform_surface"
    SURFACE_BOUNDARY = "surface_boundary"


class Profile(StrEnum):
    """The section of a recess, as a drawing would name it (fact ``section.profile``)."""

    TRIANGULAR = "triangular"
    RECTANGULAR = "rectangular"
    POLYGONAL = "polygonal"
    OBROUND = "obround"
    ROUND = "round"
    FACETED_ROUND = "faceted_round"
    VEE = "vee"
    SLANTED = "slanted"
    GENERAL = "general"

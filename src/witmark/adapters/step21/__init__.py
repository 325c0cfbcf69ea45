"""The exchange structure of ISO 10303-21, read without a CAD kernel.

The kernel is silent about much that matters to a reviewer (half a model, a dropped cycle, a
missing unit). This room reads the same bytes in one pass and says so, with the line.
"""

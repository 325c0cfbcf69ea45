"""The diagnosis desk: from a case package to a published, gated diagnosis.

What a case is stands in ``case``, how its package lies on disk in ``package``; then the phases
in their order: ``interpretation``, ``hypotheses``, ``budget`` and ``investigation``, and last
``builder``, which judges the whole investigation once.
"""

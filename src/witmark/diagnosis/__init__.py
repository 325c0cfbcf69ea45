"""The diagnosis desk: from a case package to a published, gated diagnosis.

What a case is stands in ``case``, how its package lies on disk in ``package``; then the phases
in their order: ``interpretation``, ``hypotheses``, ``budget`` and ``investigation``, and last
``builder``, which judges the whole investigation once.
"""

from importlib import import_module

_PUBLIC = {
    "Blocked": "builder",
    "DiagnosisBuilder": "builder",
    "DiagnosisConfig": "config",
    "DiagnosisLimits": "config",
    "Published": "builder",
    "Rejected": "builder",
}

__all__ = [*_PUBLIC]  # noqa: PLE0604 - the names of the table, each a string


def __getattr__(name: str) -> object:
    """Fetch a public class when it is asked for; the desk is not loaded before."""
    if name not in _PUBLIC:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)

"""Phase 5: from a confirmed diagnosis to a change request that somebody else may act on.

``policy`` says what a bug fix may touch and must bring; ``ground`` is what the request rests
on, ``scoping`` and ``writing`` make the ``document``, ``output_gates`` hold it, ``page`` shows
it. ``building`` is the use case that publishes it, ``delivering`` hands it over.

Nothing here proposes code, and no model is asked. The builder of diagnoses knows nothing of it.
"""

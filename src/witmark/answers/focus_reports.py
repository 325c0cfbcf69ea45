"""What a focus came to, as plain data for the session's panel state and the export."""

from witmark.answers import plain_fields as fields
from witmark.answers.focus import FocusDiagnostics
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.kernel.canon import canonical_json, digest_of

FOCUS_MODE = "source"


def diagnostics_to_plain(told: FocusDiagnostics) -> Plain:
    """All fields of the contract, in its order and under its names."""
    return {
        "renderToken": told.render_token,
        "title": told.title,
        "requestedSourcePath": told.requested_path,
        "candidateSourcePaths": list(told.candidate_paths),
        "attemptedSourcePaths": list(told.attempted_paths),
        "resolvedSourcePath": told.resolved_path,
        "fallbackSourcePathUsed": told.path_fallback_used,
        "matchedSpanCount": told.matched_spans,
        "highlightTermCount": told.highlight_terms,
        "markdownRuntimeAvailable": told.markdown_available,
        "storageProviderAvailable": told.storage_available,
        "readSucceeded": told.read_succeeded,
        "renderSucceeded": told.render_succeeded,
        "sourceProvenanceBlockCount": told.provenance_blocks,
        "sourceProvenanceAttributedNodeCount": told.attributed_nodes,
        "highlightedNodeCount": told.highlighted_nodes,
        "inlineHighlightCount": told.inline_highlights,
        "highlightStrategy": told.node_strategy.value,
        "inlineHighlightStrategy": told.inline_strategy.value,
        "usedFallback": told.used_fallback,
        "failureReason": told.failure.value,
    }


def focus_report(
    diagnostics: Fields, *, session_id: str, recorded_at: str, mode: str = FOCUS_MODE
) -> Plain:
    """A focus in brief (``graphFocusReport``), from its diagnostics as plain data.

    ``reportId, sessionId, renderToken, mode, recordedAt, title, requestedSourcePath,
    resolvedSourcePath, signal{usedFallback, fallbackSourcePathUsed, matchedSpanCount,
    highlightTermCount, highlightedNodeCount, candidateSourcePathCount,
    attemptedSourcePathCount, markdownRuntimeAvailable, storageProviderAvailable,
    readSucceeded, renderSucceeded, highlightStrategy, inlineHighlightStrategy,
    failureReason}``. What the diagnostics lack has its default.
    """
    flags = (
        "usedFallback", "fallbackSourcePathUsed", "markdownRuntimeAvailable",
        "storageProviderAvailable", "readSucceeded", "renderSucceeded",
    )  # fmt: skip
    counts = ("matchedSpanCount", "highlightTermCount", "highlightedNodeCount")
    texts = ("highlightStrategy", "inlineHighlightStrategy", "failureReason")
    signal: Plain = {
        **{name: fields.flag(diagnostics, name) for name in flags},
        **{name: fields.count(diagnostics, name) for name in counts},
        **{name: fields.text(diagnostics, name) for name in texts},
        "candidateSourcePathCount": len(fields.items(diagnostics, "candidateSourcePaths")),
        "attemptedSourcePathCount": len(fields.items(diagnostics, "attemptedSourcePaths")),
    }
    report: Plain = {
        "sessionId": session_id,
        "renderToken": fields.text(diagnostics, "renderToken"),
        "mode": mode,
        "recordedAt": recorded_at,
        "title": fields.text(diagnostics, "title"),
        "requestedSourcePath": fields.text(diagnostics, "requestedSourcePath"),
        "resolvedSourcePath": fields.text(diagnostics, "resolvedSourcePath"),
        "signal": signal,
    }
    name = digest_of(canonical_json(report)).removeprefix("sha256:")[:24]
    return {"reportId": f"focus-report-{name}", **report}

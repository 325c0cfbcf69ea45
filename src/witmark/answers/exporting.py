"""A whole workspace as one bundle: notes, graph, runs, sessions, and the telemetry of both.

``deterministicHash`` is the SHA-256 of the bundle's canonical JSON without what differs from
export to export (``generatedAt``, ``bundleId``, the hash itself). So equal workspaces have
equal hashes on any machine, and a bundle that was edited is refused.

What a machine knows of its own files (times of change) is not in it: after an import the
next ingest looks at each note once more.

Source: KNOWLEDGE.md 1.8; the third contract, ``WorkspaceExportBundle``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from witmark.answers import plain_fields as fields
from witmark.answers.atoms import Document, KnowledgeAtom
from witmark.answers.edges import RelationEdge, TemporalEdge
from witmark.answers.graph_records import (
    atom_to_plain,
    document_to_plain,
    relation_to_plain,
    span_to_plain,
    temporal_to_plain,
)
from witmark.answers.places import SourceText
from witmark.answers.plain import Plain
from witmark.answers.plain_fields import Fields
from witmark.answers.ports import Library, RunShelf
from witmark.answers.runs import model_calls, read_run, release_audit, run_report
from witmark.answers.sessions import focus_reports_of, read_session
from witmark.kernel.canon import canonical_json, digest_of

SCHEMA = "workspace_export_bundle/1"
PROFILE = "full"
VOLATILE = ("bundleId", "deterministicHash", "generatedAt")
"""Fields of the manifest that the hash does not cover."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Which workspace is exported.

    Attributes:
        workspace_id: Its name.
        corpus_id: The corpus asked about, or empty for all.
        readiness: As plain data, at the time of the export.
    """

    workspace_id: str
    corpus_id: str
    readiness: Fields


def export_bundle(
    workspace: Workspace, library: Library, shelf: RunShelf, *, generated_at: str
) -> Plain:
    """Bundle everything that is kept of a workspace.

    Args:
        workspace: Its name and readiness.
        library: Its notes and edges.
        shelf: Its runs and sessions.
        generated_at: ISO date or time; the clock is the caller's.

    Raises:
        GarbledRecordError: a kept run or session is not what was written.
    """
    documents = tuple(_documents(library))
    records = [read_run(shelf, name) for name in shelf.run_ids()]
    sessions = [read_session(shelf, name)[1] for name in shelf.session_ids()]
    graph = _graph(documents, library)
    runtime = _runtime(records, sessions)
    body: Plain = {
        "workspace": {
            "workspaceId": workspace.workspace_id,
            "corpora": sorted({document.corpus for document in documents}),
        },
        "readiness": dict(workspace.readiness),
        "bindings": [_binding(workspace, document) for document in documents],
        "resources": _resources(documents, library),
        "projections": [_projection(document) for document in documents],
        "index": _index(documents, library),
        "graph": graph,
        "runtime": runtime,
        "memory": [entry for state in sessions for entry in _memories(state)],
    }
    manifest: Plain = {
        "schema": SCHEMA,
        "workspaceId": workspace.workspace_id,
        "corpusId": workspace.corpus_id,
        "profile": PROFILE,
        "counts": _counts(body, graph, runtime),
    }
    return sealed({"manifest": manifest, **body}, generated_at)


def sealed(bundle: Fields, generated_at: str) -> Plain:
    """Give a bundle its hash, its name and its time."""
    name = bundle_hash(bundle)
    manifest = {
        **fields.part(bundle, "manifest"),
        "bundleId": "bundle-" + name.removeprefix("sha256:")[:24],
        "deterministicHash": name,
        "generatedAt": generated_at,
    }
    return {**bundle, "manifest": manifest}


def bundle_hash(bundle: Fields) -> str:
    """The hash a bundle must carry, by what it holds; fields we do not know are covered."""
    manifest = fields.part(bundle, "manifest")
    kept = {name: value for name, value in manifest.items() if name not in VOLATILE}
    return digest_of(canonical_json({**bundle, "manifest": kept}))


# Notes and graph ---------------------------------------------------------------------


def _documents(library: Library) -> Iterator[Document]:
    for document_id, _ in library.titles():
        document = library.document(document_id)
        if document is None:
            raise AssertionError(f"{document_id} has a title and is not there")
        yield document


def _binding(workspace: Workspace, document: Document) -> Plain:
    """Which note belongs to which workspace and corpus."""
    return {
        "workspaceId": workspace.workspace_id,
        "corpusId": document.corpus,
        "resourceId": document.id,
    }


def _resources(documents: Iterable[Document], library: Library) -> list[Plain]:
    """The notes themselves, and the names by which each refers to others."""
    kept = tuple(documents)
    uses = library.uses([document.id for document in kept])
    return [
        {**document_to_plain(one), "referenceKeys": list(uses.get(one.id, ()))} for one in kept
    ]


def _projection(document: Document) -> Plain:
    """What a note became in the index."""
    return {
        "resourceId": document.id,
        "atomIds": [atom.id for atom in document.atoms],
        "sourceHash": document.source_hash,
    }


def _index(documents: Iterable[Document], library: Library) -> Plain:
    state = library.state()
    return {
        "documentCount": state.documents,
        "atomCount": state.atoms,
        "relationEdgeCount": state.relation_edges,
        "temporalEdgeCount": state.temporal_edges,
        "titleTokenCount": state.title_tokens,
        "bodyTokenCount": state.body_tokens,
        "languages": sorted({document.language for document in documents}),
        "failures": [
            {"sourcePath": one.path, "code": one.code, "detail": one.detail}
            for one in library.failures()
        ],
    }


def _graph(documents: Iterable[Document], library: Library) -> Plain:
    atoms: list[Plain] = []
    spans: dict[str, Plain] = {}
    kept = tuple(documents)
    for document in kept:
        source = SourceText(document.id, document.text.encode(), document.language)
        for atom in document.atoms:
            mine = {span["id"]: span for span in _spans(atom, source)}
            spans.update((str(name), span) for name, span in mine.items())
            atoms.append(atom_to_plain(atom, [str(name) for name in mine]))
    return {
        "atoms": atoms,
        "evidenceSpans": [spans[name] for name in sorted(spans)],
        "relationEdges": [relation_to_plain(one) for one in _relations(kept, library)],
        "temporalEdges": [temporal_to_plain(one) for one in _temporal(library)],
    }


def _spans(atom: KnowledgeAtom, source: SourceText) -> Iterator[Plain]:
    for passage in atom.passages:
        if passage.source_start < passage.source_end:
            yield span_to_plain(source.span(passage.source_start, passage.source_end))


def _relations(documents: Iterable[Document], library: Library) -> list[RelationEdge]:
    """Every relation of every owner, those whose other end is missing included.

    An import is known by an edge that is in the graph; one whose every edge is kept aside
    is not seen.
    """
    rows = library.graph().row
    active = library.edges([int(row) for row in rows])
    owners = {document.id for document in documents} | {edge.owner for edge in active}
    owners |= {edge.owner for edge in library.temporal()}
    breaking = {edge.id for edge in active if edge.breaks_order}
    found = [edge for owner in sorted(owners) for edge in library.edges_of(owner)]
    if missing := breaking - {edge.id for edge in found}:
        raise AssertionError(f"edges without an owner: {sorted(missing)}")
    return sorted(found, key=lambda edge: (edge.owner, edge.id))


def _temporal(library: Library) -> list[TemporalEdge]:
    return sorted(library.temporal(), key=lambda edge: (edge.owner, edge.id))


# Runs and sessions ---------------------------------------------------------------------


def _runtime(records: list[Fields], sessions: list[Fields]) -> Plain:
    """``sessionStates, conversation{sessions, turns, invocations}, workflowArtifacts,
    knowledgeRunReports, answerReleaseAuditSummary, graphFocusReports``; ``modelCalls`` if any.
    """  # noqa: D205 - a list of fields, not a summary
    turns = [turn for state in sessions for turn in _turns(state)]
    return {
        "sessionStates": [dict(state) for state in sessions],
        "conversation": {
            "sessions": [
                {
                    "sessionId": fields.text(state, "sessionId"),
                    "turnCount": len(list(_turns(state))),
                }
                for state in sessions
            ],
            "turns": turns,
            "invocations": [_invocation(record) for record in records],
        },
        "workflowArtifacts": [_artifact(record) for record in records],
        "knowledgeRunReports": [run_report(record) for record in records],
        "answerReleaseAuditSummary": release_audit(records),
        "graphFocusReports": [
            dict(report) for state in sessions for report in focus_reports_of(state)
        ],
        **({"modelCalls": asked} if (asked := model_calls(records)) else {}),
    }


def _turns(state: Fields) -> Iterator[Plain]:
    session = fields.text(state, "sessionId")
    for turn, _ in fields.parts(fields.part(state, "conversation"), "turns"):
        yield {"sessionId": session, **turn}


def _memories(state: Fields) -> Iterator[Plain]:
    session = fields.text(state, "sessionId")
    for entry, _ in fields.parts(fields.part(state, "memory"), "entries"):
        yield {"sessionId": session, **entry}


def _invocation(record: Fields) -> Plain:
    return {
        "runId": fields.text(record, "runId"),
        "sessionId": fields.text(record, "sessionId"),
        "queryBackend": fields.text(record, "queryBackend"),
        "intent": fields.text(record, "intent"),
        "question": fields.text(record, "question"),
    }


def _artifact(record: Fields) -> Plain:
    """A run's whole record; an import puts it back on a shelf."""
    return {
        "artifactType": "knowledge_run",
        "artifactId": fields.text(record, "runId"),
        "payload": dict(record),
    }


def _counts(body: Fields, graph: Fields, runtime: Fields) -> Plain:
    return {
        "resources": len(fields.items(body, "resources")),
        "atoms": len(fields.items(graph, "atoms")),
        "evidenceSpans": len(fields.items(graph, "evidenceSpans")),
        "relationEdges": len(fields.items(graph, "relationEdges")),
        "temporalEdges": len(fields.items(graph, "temporalEdges")),
        "sessionStates": len(fields.items(runtime, "sessionStates")),
        "knowledgeRuns": len(fields.items(runtime, "workflowArtifacts")),
        "graphFocusReports": len(fields.items(runtime, "graphFocusReports")),
        "memories": len(fields.items(body, "memory")),
    }

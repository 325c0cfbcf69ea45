"""The scope is settled once, at the door; everything after it uses the one that came out.

A scope that was asked for by note, by path or by language is never left: if the answer lies
elsewhere, the diagnostics say where. A whole folder, asked for or merely open, is left only
when it holds nothing to the point and a note elsewhere bears the very name that the question
uses; the reader is told so (``ScopeRecovery``).

Source: the third contract, scope, readiness, miss diagnostics; KNOWLEDGE promises 11 to 13.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from witmark.answers.asking import (
    MissDiagnostics,
    MissReason,
    QueryPlan,
    Readiness,
    ReadinessStatus,
    ResolvedScope,
    ScopeRecovery,
    ScopeRequest,
    ScopeSource,
)
from witmark.answers.atoms import DocumentId, corpus_of
from witmark.answers.languages import CODES, UNDETERMINED
from witmark.answers.ports import Library
from witmark.kernel.errors import UnknownScopeError

NEAR_NAMES = 8
RECOVERED_NOTES = 5
_EVERYTHING = ScopeRequest()
_Name = TypeVar("_Name", bound=str)


# At the door -------------------------------------------------------------------------


def parse(wishes: Sequence[str], library: Library) -> ScopeRequest:
    """Read wishes spelled ``corpus:NAME``, ``path:PREFIX``, ``doc:ID`` or ``lang:CODE``.

    Raises:
        UnknownScopeError: a wish is misspelled, or nothing in the library answers to it;
            it names the nearest that exist.
    """
    whole = ScopeRequest()
    for wish in wishes:
        kind, _, name = wish.partition(":")
        if kind not in _KINDS or not name.strip():
            raise UnknownScopeError(wish, tuple(f"{kind}:…" for kind in _KINDS))
        one = normalised(_KINDS[kind](name))
        if library.documents_in(one) == 0:
            raise UnknownScopeError(wish, _near(kind, name, library))
        whole = _both(whole, one)
    return normalised(whole)


_KINDS: dict[str, Callable[[str], ScopeRequest]] = {
    "corpus": lambda name: ScopeRequest(corpora=(name,)),
    "path": lambda name: ScopeRequest(path_prefixes=(name,)),
    "doc": lambda name: ScopeRequest(document_ids=(DocumentId(name),)),
    "lang": lambda name: ScopeRequest(languages=(name,)),
}


def _both(one: ScopeRequest, other: ScopeRequest) -> ScopeRequest:
    return ScopeRequest(
        corpora=one.corpora + other.corpora,
        document_ids=one.document_ids + other.document_ids,
        path_prefixes=one.path_prefixes + other.path_prefixes,
        languages=one.languages + other.languages,
    )


def normalised(request: ScopeRequest) -> ScopeRequest:
    r"""Return the one spelling of a scope: sorted, no repeats, paths with ``/``.

    >>> normalised(ScopeRequest(path_prefixes=(".\\b\\", "a/"), languages=("zh-CN",)))
    ... # doctest: +NORMALIZE_WHITESPACE
    ScopeRequest(workspace_id='', corpora=(), document_ids=(), atom_ids=(),
                 path_prefixes=('a', 'b'), languages=('zh',))
    """
    return replace(
        request,
        workspace_id=request.workspace_id.strip(),
        corpora=_once(_path(name) for name in request.corpora),
        document_ids=_once(DocumentId(_path(name)) for name in request.document_ids),
        atom_ids=_once(request.atom_ids),
        path_prefixes=_once(_path(name) for name in request.path_prefixes),
        languages=_once(_language(code) for code in request.languages),
    )


def _once(names: Iterable[_Name]) -> tuple[_Name, ...]:
    return tuple(sorted(set(names)))


def _path(name: str) -> str:
    parts = name.strip().replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", "."))


def _language(code: str) -> str:
    return code.strip().lower().replace("_", "-").partition("-")[0]


def _near(kind: str, name: str, library: Library) -> tuple[str, ...]:
    """Name what exists and looks alike, else the first that exist."""
    import difflib  # noqa: PLC0415  # only for an error

    known = sorted(_names(kind, library))
    folded = {one.casefold(): one for one in reversed(known)}
    alike = difflib.get_close_matches(name.casefold(), folded, n=NEAR_NAMES, cutoff=0.5)
    return tuple(folded[one] for one in alike) or tuple(known[:NEAR_NAMES])


def _names(kind: str, library: Library) -> set[str]:
    ids = [document for document, _ in library.titles()]
    if kind == "doc":
        return set(ids)
    if kind == "corpus":
        return {corpus_of(path) for path in ids} - {""}
    if kind == "path":
        return {path[:at] for path in ids for at, sign in enumerate(path) if sign == "/"}
    return {
        code
        for code in sorted(CODES | {UNDETERMINED})
        if library.documents_in(ScopeRequest(languages=(code,)))
    }


# Which scope -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known besides the request.

    Attributes:
        workspace: The name of the workspace at hand; empty when none is bound.
        stored_target: The folder that the session had open, from its stored state.
    """

    workspace: str = ""
    stored_target: str = ""


def resolve(
    request: ScopeRequest,
    active_target: str,
    library: Library,
    plan: QueryPlan,
    around: Surroundings | None = None,
) -> ResolvedScope:
    """Settle where the question may be looked for, and what there is to search.

    Args:
        request: What the caller asked for; it wins over everything.
        active_target: The folder that is open; it counts when nothing was asked for.
        library: The index.
        plan: The planner's reading of the question.
        around: The workspace at hand and the session's stored target.
    """
    around = around or Surroundings()
    wanted, source = _wanted(normalised(request), active_target, library, around)
    allowed = library.in_scope(wanted)
    atoms = library.state().atoms if allowed is None else len(allowed)
    ready = _readiness(wanted, atoms, library, plan, around)
    return ResolvedScope(wanted, source, ready.indexed_segment_count, ready)


def _wanted(
    request: ScopeRequest, active_target: str, library: Library, around: Surroundings
) -> tuple[ScopeRequest, ScopeSource]:
    named = ScopeRequest(corpora=(request.workspace_id,))
    if request.workspace_id and not request.corpora and library.documents_in(named):
        # Older clients give a first-level folder as the workspace.
        return replace(request, corpora=named.corpora), ScopeSource.EXPLICIT_REQUEST
    if not request.is_everything or request.workspace_id:
        return request, ScopeSource.EXPLICIT_REQUEST
    targets = (
        (active_target, ScopeSource.ACTIVE_WORKSPACE_TARGET),
        (around.stored_target, ScopeSource.WORKSPACE_HYDRATION),
    )
    given = [(_path(target), source) for target, source in targets if _path(target)]
    for target, source in given:
        folder = target_scope(target)
        if library.documents_in(folder):
            return folder, source
    # A target that is gone leaves it to the planner's names to find the place.
    last = ScopeSource.PLANNER_FALLBACK if given else ScopeSource.GLOBAL_DEFAULT
    return _EVERYTHING, last


def target_scope(target: str) -> ScopeRequest:
    """Return the scope of an open folder: a corpus, or a folder below one."""
    if "/" in target:
        return ScopeRequest(path_prefixes=(target,))
    return ScopeRequest(corpora=(target,))


def documents_inside(
    request: ScopeRequest, documents: Sequence[DocumentId], library: Library
) -> tuple[DocumentId, ...]:
    """Return those of the documents that exist and lie in the scope, in their order."""
    roots, inside = library.roots(documents), library.in_scope(request)
    named = {atom.partition("#")[0] for atom in request.atom_ids}
    return tuple(
        d for d in documents
        if d in roots and (inside is None or roots[d] in inside or d in named)
    )  # fmt: skip


def within(request: ScopeRequest, documents: Sequence[DocumentId]) -> ScopeRequest:
    """Return the scope narrowed further, to these documents."""
    both = set(documents)
    if request.document_ids:
        both &= set(request.document_ids)
    # An empty tuple would mean "all of them"; no note is called "".
    return replace(request, document_ids=tuple(sorted(both)) or (DocumentId(""),))


# Readiness ---------------------------------------------------------------------------


def _readiness(
    wanted: ScopeRequest, atoms: int, library: Library, plan: QueryPlan, around: Surroundings
) -> Readiness:
    state, failures = library.state(), library.failures()
    unread = [failure.path for failure in failures if failure.code != "front-matter"]
    status = _status(wanted, atoms, library, around, unread)
    named = tuple(dict.fromkeys(hit.document_id for hit in plan.alias_hits))
    ready = Readiness(
        status=status,
        message=_MESSAGES[status],
        active_resource_count=state.documents + len(unread),
        active_projection_count=state.documents - (len(failures) - len(unread)),
        indexed_unit_count=state.documents
        if wanted.is_everything
        else library.documents_in(wanted),
        indexed_segment_count=atoms,
        matched_document_count=len(documents_inside(wanted, named, library)),
    )
    if status not in _ELSEWHERE:
        return ready
    return replace(
        ready, indexed_unit_count=0, indexed_segment_count=0, matched_document_count=0
    )


_ELSEWHERE = {ReadinessStatus.WORKSPACE_NOT_FOUND, ReadinessStatus.WORKSPACE_UNBOUND}
"""What was named is not what is open here, so nothing of it can be searched."""


def _status(
    wanted: ScopeRequest,
    atoms: int,
    library: Library,
    around: Surroundings,
    unread: Sequence[str],
) -> ReadinessStatus:
    name = wanted.workspace_id
    if name and name != around.workspace and name not in wanted.corpora:
        return (
            ReadinessStatus.WORKSPACE_NOT_FOUND
            if around.workspace
            else ReadinessStatus.WORKSPACE_UNBOUND
        )
    if library.state().documents == 0:
        return ReadinessStatus.WORKSPACE_UNINDEXED if unread else ReadinessStatus.EMPTY_STORE
    if atoms:
        return ReadinessStatus.READY
    corpora = {corpus_of(path) for path in unread}
    unknown = [
        corpus
        for corpus in wanted.corpora
        if corpus not in corpora and not library.documents_in(ScopeRequest(corpora=(corpus,)))
    ]
    if unknown:
        return ReadinessStatus.WORKSPACE_NOT_FOUND
    return ReadinessStatus.WORKSPACE_UNINDEXED


_MESSAGES = {
    ReadinessStatus.READY: "the scope is indexed",
    ReadinessStatus.EMPTY_STORE: "nothing has been indexed yet",
    ReadinessStatus.WORKSPACE_NOT_FOUND: "no folder or workspace of that name is here",
    ReadinessStatus.WORKSPACE_UNBOUND: "a workspace was named, but none is open",
    ReadinessStatus.WORKSPACE_UNINDEXED: "no note in the scope has been indexed",
}

_MISS_OF = {
    ReadinessStatus.EMPTY_STORE: MissReason.EMPTY_STORE,
    ReadinessStatus.WORKSPACE_NOT_FOUND: MissReason.WORKSPACE_NOT_FOUND,
    ReadinessStatus.WORKSPACE_UNBOUND: MissReason.WORKSPACE_UNBOUND,
    ReadinessStatus.WORKSPACE_UNINDEXED: MissReason.SCOPE_HAS_NO_INDEXED_SEGMENTS,
}


# Misses and the way out --------------------------------------------------------------


def miss_before_search(scope: ResolvedScope) -> MissReason:
    """Why a search of this scope is pointless, or ``NONE``."""
    return _MISS_OF.get(scope.readiness.status, MissReason.NONE)


def diagnose(
    reason: MissReason, scope: ResolvedScope, plan: QueryPlan, titles: Sequence[DocumentId]
) -> MissDiagnostics:
    """Say what was tried, and which notes bear the name wherever they lie."""
    message = _MISS_MESSAGES[reason]
    if titles and reason is not MissReason.NONE:
        message += "; notes of that name: " + ", ".join(titles)
    return MissDiagnostics(
        reason=reason,
        message=message,
        query=plan.question,
        normalized_query=plan.normalized,
        planner_query=plan.planner_query,
        title_like_queries=plan.title_like_queries,
        title_hit_document_ids=tuple(titles),
        indexed_scope_atom_count=scope.readiness.indexed_segment_count,
    )


_MISS_MESSAGES = {
    MissReason.NONE: "something was found",
    MissReason.EMPTY_STORE: "nothing has been indexed yet",
    MissReason.WORKSPACE_NOT_FOUND: "the scope names nothing that is here",
    MissReason.WORKSPACE_UNBOUND: "a workspace was named, but none is open",
    MissReason.SCOPE_HAS_NO_INDEXED_SEGMENTS: "the scope holds no indexed note",
    MissReason.QUERY_NO_TITLE_OR_ALIAS_HIT: "no note bears the name, and no text matches",
    MissReason.RETRIEVAL_CANDIDATES_BELOW_THRESHOLD: "what was found says too little",
}


def may_be_left(scope: ResolvedScope) -> bool:
    """Whether a miss in this scope may be answered from elsewhere.

    Only whole folders may be left: who names a note, a path or a language means it.
    """
    request = scope.request
    if request.document_ids or request.atom_ids or request.languages:
        return False
    merely_open = scope.scope_source is not ScopeSource.EXPLICIT_REQUEST
    return bool(request.corpora or request.path_prefixes) and (
        merely_open or not request.path_prefixes
    )


def recovered(
    scope: ResolvedScope,
    because: MissReason,
    documents: Sequence[DocumentId],
    library: Library,
) -> ResolvedScope:
    """Return the scope of the folders in which notes of the asked name lie.

    Args:
        scope: What was searched in vain.
        because: Why that was a miss.
        documents: Notes elsewhere that the question names, strongest first; at least one.
        library: The index.
    """
    found = tuple(documents[:RECOVERED_NOTES])
    wider = ScopeRequest(corpora=_once(corpus_of(path) for path in found))
    allowed = library.in_scope(wider)
    atoms = library.state().atoms if allowed is None else len(allowed)
    ready = replace(
        scope.readiness,
        status=ReadinessStatus.READY,
        message=_MESSAGES[ReadinessStatus.READY],
        indexed_unit_count=library.documents_in(wider),
        indexed_segment_count=atoms,
        matched_document_count=len(found),
    )
    return ResolvedScope(
        request=wider,
        scope_source=ScopeSource.PLANNER_SCOPE_RECOVERY,
        matched_atom_count=atoms,
        readiness=ready,
        recovery=ScopeRecovery(because, scope.request, found, tuple(map(str, found))),
    )

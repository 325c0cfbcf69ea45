"""The frozen context of a diagnosis: everything a decision may rest on, and nothing else.

It is one canonical JSON object, bound by its digest. It is never cut: what does not fit is
refused. Secrets are replaced by marks before it is frozen, and each mark is listed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from witmark.diagnosis import gates, support
from witmark.diagnosis.case import Inventory, Manifest, RawInput
from witmark.diagnosis.findings import Finding, FindingId
from witmark.diagnosis.hypotheses import EndState, HypothesisId
from witmark.diagnosis.interpretation import Interpretation
from witmark.diagnosis.investigated import Investigation
from witmark.diagnosis.plain import from_plain, to_plain
from witmark.diagnosis.redacting import InputSecrets, Redactor
from witmark.kernel.canon import Digest, canonical_json, digest_of, read_canonical
from witmark.kernel.errors import GarbledRecordError, InputError

FORMAT = "witmark.diagnosis-context/1"
_NO_SECRETS = InputSecrets()


class OversizedDiagnosisError(InputError):
    """The context, or an artefact, is larger than the limits allow. Nothing was cut."""

    code = "input.oversized-diagnosis"
    hint = "raise the limit in [diagnosis.limits], or narrow the case"


@dataclass(frozen=True, slots=True)
class Frozen:
    """A context that was frozen.

    Attributes:
        raw: Its very bytes.
        plain: The same, read.
    """

    raw: bytes
    plain: Mapping[str, Any]

    @property
    def digest(self) -> Digest:
        """The name that binds it."""
        return digest_of(self.raw)

    @property
    def ground(self) -> gates.Ground:
        """What a decision on this context is held to.

        Raises:
            GarbledRecordError: it was frozen with a table of support levels nobody knows.
        """
        findings = from_plain(tuple[Finding, ...], self.plain["findings"], place=FORMAT)
        ends = {
            HypothesisId(one["hypothesis"]["id"]): EndState(one["state"])
            for one in self.plain["hypotheses"]
        }
        assumptions = self.plain["interpretation"]["assumptions"]
        table = support.table_of(self.plain["support_levels"]["digest"])
        if table is None:
            raise GarbledRecordError(
                "its table of support levels is not known here", place="context.json"
            )
        return gates.Ground(
            {FindingId(one.id): one for one in findings},
            ends,
            tuple(self.plain["not_looked_at"]),
            tuple(one["text"] for one in assumptions),
            table,
        )


def freeze(  # noqa: PLR0913 - everything a decision may rest on
    manifest: Manifest,
    inventory: Inventory,
    interpretation: Interpretation,
    investigation: Investigation,
    *,
    max_bytes: int,
    secrets: InputSecrets = _NO_SECRETS,
) -> Frozen:
    """Freeze what the earlier phases left; the same package gives the same bytes.

    Args:
        manifest: Where the package stands.
        inventory: Its inputs.
        interpretation: What the case says.
        investigation: What was found.
        max_bytes: How large the context may be.
        secrets: What the inputs hold of secrets; each is replaced by a mark.

    Raises:
        OversizedDiagnosisError: it does not fit; says by how much.
    """
    redactor = Redactor(secrets.known)
    plain = redactor.redact(
        _open_plain(manifest, inventory, interpretation, investigation, secrets)
    )
    raw = canonical_json({**plain, "redactions": redactor.listed()})
    check_size("analysis context", raw, max_bytes)
    return read_context(raw)


def redactor_of(
    manifest: Manifest,
    inventory: Inventory,
    interpretation: Interpretation,
    investigation: Investigation,
    secrets: InputSecrets,
) -> Redactor:
    """The redactor as freezing left it: what it marked then it marks with the same number."""
    redactor = Redactor(secrets.known)
    redactor.redact(_open_plain(manifest, inventory, interpretation, investigation, secrets))
    return redactor


def _open_plain(
    manifest: Manifest,
    inventory: Inventory,
    interpretation: Interpretation,
    investigation: Investigation,
    secrets: InputSecrets,
) -> dict[str, Any]:
    """Everything of the context, before any secret is replaced."""
    return {
        "accounts": to_plain(investigation.accounts),
        "actions": to_plain(investigation.actions),
        "case": {
            "case_id": manifest.case_id,
            "inputs": [
                _input_plain(one, secrets.counts.get(one.path)) for one in inventory.inputs
            ],
            "package_id": manifest.package_id,
            "revision": manifest.revision,
        },
        "findings": to_plain(investigation.findings),
        "format": FORMAT,
        "hypotheses": to_plain(investigation.ends),
        "interpretation": to_plain(interpretation),
        "not_looked_at": list(investigation.not_looked_at),
        "suspects": to_plain(investigation.suspects),
        "support_levels": {"digest": support.table_digest(), "rules": support.RULES},
    }


def _input_plain(one: RawInput, secrets: Mapping[str, int] | None) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "digest": one.digest,
        "kind": one.kind.value,
        "path": one.path,
        "size": one.size,
    }
    return {**plain, "secrets": dict(secrets)} if secrets else plain


def read_context(raw: bytes) -> Frozen:
    """Read a frozen context.

    Raises:
        GarbledRecordError: it is not one.
    """
    plain = read_canonical(raw, place="context.json")
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise GarbledRecordError(f"not a {FORMAT}", place="context.json")
    return Frozen(raw, plain)


def check_size(what: str, raw: bytes, most: int) -> None:
    """Hold that something is not larger than allowed.

    Raises:
        OversizedDiagnosisError: it is.
    """
    if len(raw) > most:
        raise OversizedDiagnosisError(
            f"it has {len(raw)} bytes, the limit is {most}", place=what
        )

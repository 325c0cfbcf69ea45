"""A second reading of what a change request may hold, written from the contract alone.

It knows nothing of the product's gates, scope or patterns: the document, the files of the
package and the policy come in as plain data, and the names of what is broken come out.
What is code, hidden or a secret is told by labels of planted words, not by a form.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Plain = Mapping[str, Any]
CODE = ("--- a/pkg/load.py", "import os", "DELETE FROM users", "```x", "if (x) {")
HIDDEN = ("turns \u202e round", "a\u200bb", "two\nlines", " ", "\ufeffx")
SECRETS = ("ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2",)
FINE = ("it fails at noon", "select a shift from the list", "50 % of 3 + 4", "孔 is empty")


def broken(  # noqa: PLR0913, PLR0917  # everything a second reading is held to
    doc: Plain, raw: bytes, page: bytes, files: Mapping[str, bytes], policy: Plain, word: str
) -> frozenset[str]:
    """Which promises an output breaks; ``word`` is the path of a person's last word, if any."""
    return frozenset(_Reading(doc, raw, page, files, policy, word).broken())


def digest(raw: bytes) -> str:
    """The name of a blob."""
    return f"sha256:{hashlib.sha256(raw).hexdigest()}"


class _Reading:
    """One document beside its package."""

    def __init__(  # noqa: PLR0913, PLR0917  # everything a second reading is held to
        self,
        doc: Plain,
        raw: bytes,
        page: bytes,
        files: Mapping[str, bytes],
        policy: Plain,
        word: str,
    ) -> None:
        self.doc, self.raw, self.page, self.files, self.policy = doc, raw, page, files, policy
        newest = max(name for name in files if name.startswith("manifests/"))
        self.manifest = json.loads(files[newest])
        at = self.manifest["pointers"]
        self.result_path, self.context_path = at["diagnosis"], at["diagnosis_context"]
        self.result = json.loads(files[self.result_path])
        self.context = json.loads(files[self.context_path])
        self.diagnosis = self.result["diagnosis"]
        self.stored = {one["id"]: one for one in self.context["findings"]}
        self.selected = next(
            one
            for one in self.diagnosis["hypothesis_evaluations"]
            if one["hypothesis_id"] == self.diagnosis["selected_hypothesis_id"]
        )
        self.word = json.loads(files[word])["value"] if word else None
        self.word_digest = digest(files[word]) if word else None
        prefix = "inputs/source/"
        self.source = {
            n.removeprefix(prefix): r for n, r in files.items() if n.startswith(prefix)
        }
        self.policy_raw = _sealed("witmark.bugfix-policy/1", policy)
        self.places = doc["scope"]["places"]

    def broken(self) -> Iterator[str]:
        yield from self._rests()
        yield from self._scope()
        yield from self._brings()
        yield from self._carries()
        yield from self._words()
        yield from self._person()

    # what it rests on

    def _rests(self) -> Iterator[str]:
        m, rules = self.manifest, self.policy
        wanted = {
            "case_id": m["case_id"],
            "package_id": m["package_id"],
            "revision": m["revision"],
            "number": self.doc["bound"]["number"],
            "diagnosis": digest(self.files[self.result_path]),
            "context": digest(self.files[self.context_path]),
            "inventory": digest(self.files[m["inventory"]]),
            "policy": digest(self.policy_raw),
            "policy_version": rules["version"],
            "feedback": self.word_digest,
        }
        if self.doc["bound"] != wanted:
            yield "bound-intact"
        told, cause = self.doc["root_cause"], self.diagnosis["root_cause"]
        cites = [one["id"] for one in told["findings"]]
        claimed = told["confidence"], cites
        if claimed != (self.diagnosis["confidence"], cause["evidence_ids"]):
            yield "cause-told"
        if not all(one["evidence"] for one in (*self._claims(), *self.places)):
            yield "claims-cited"
        refs = {ref for one in (*self._claims(), *self.places) for ref in one["evidence"]}
        if not all(map(self._opens, refs)):
            yield "evidence-opens"

    def _opens(self, ref: str) -> bool:
        blob, _, at = ref.partition("#")
        raws = [*self.files.values(), self.policy_raw]
        raw = next((one for one in raws if digest(one) == blob), None)
        if raw is None:
            return False
        if at.startswith("char="):
            return int(at.partition(",")[2]) <= len(raw.decode())
        try:
            value: Any = json.loads(raw) if at else None
        except ValueError:
            return False
        for step in at.split("/")[1:] if at else []:
            if isinstance(value, list):
                if not (step.isdigit() and int(step) < len(value)):
                    return False
                value = value[int(step)]
            elif isinstance(value, dict) and step in value:
                value = value[step]
            else:
                return False
        return True

    # what may be changed

    def _scope(self) -> Iterator[str]:
        rules, said = self.policy["scope"], self.doc["scope"]
        if not self.places or not all(map(self._stands, self.places)):
            yield "locations-exist"
        causes = [
            self.stored[name]["location"]
            for name in self.diagnosis["root_cause"]["evidence_ids"]
            if self.stored[name]["location"] and self.stored[name]["kind"] != "heuristic"
        ]
        shown = [one["location"] for one in self.places]
        is_whole = all(one in shown for one in causes)
        if not is_whole or not all(self._reached(one, causes) for one in self.places):
            yield "within-scope"
        if any(map(self._forbidden, shown)):
            yield "none-forbidden"
        many_files = len({one["path"] for one in shown}) > rules["most_files"]
        doubled = any(one in shown[:n] for n, one in enumerate(shown))
        if many_files or doubled or len(shown) > rules["most_definitions"]:
            yield "within-limits"
        names = ("allowed", "forbidden", "reach", "most_files", "most_definitions")
        if any(said[name] != rules[name] for name in names):
            yield "scope-said"

    def _stands(self, place: Plain) -> bool:
        at = place["location"]
        raw = self.source.get(at["path"])
        if raw is None or digest(raw) != place["file"]:
            return False
        lines = raw.decode().split("\n")
        lines = lines[:-1] if lines[-1] == "" else lines
        if at["start_line"] < 1 or at["end_line"] < at["start_line"]:
            return False
        if at["end_line"] > len(lines):
            return False
        own = at["name"].split(".")[-1]
        here = "\n".join(lines[at["start_line"] - 1 : at["end_line"]])
        words = "".join(c if c.isalnum() or c == "_" else " " for c in here).split()
        return not own or own in words

    def _reached(self, place: Plain, causes: Sequence[Plain]) -> bool:
        rules, at = self.policy["scope"], place["location"]
        if place["relation"] == "cause":
            return at in causes
        near = at["path"] in {one["path"] for one in causes}
        if place["relation"] != ("same-file" if near else "suspect"):
            return False
        ranks = [one["rank"] for one in self.context["suspects"] if one["location"] == at]
        if not ranks or ranks[-1] > rules["most_rank"]:
            return False
        return rules["reach"] == "suspects" or (rules["reach"] == "file" and near)

    def _forbidden(self, at: Plain) -> bool:
        rules, path = self.policy["scope"], at["path"]
        if any(_fits(one, path) for one in rules["forbidden"]):
            return True
        if not any(_fits(one, path) for one in rules["allowed"]):
            return True
        head = "\n".join(self.source.get(path, b"").decode().split("\n")[:10]).lower()
        return any(mark.lower() in head for mark in rules["generated_marks"])

    # what it brings and carries

    def _brings(self) -> Iterator[str]:
        rules, tests = self.policy["tests"], self.doc["tests"]
        by_kind: dict[str, list[Plain]] = {}
        for one in tests:
            by_kind.setdefault(one["proof"], []).append(one["says"])
        lacks = any(rules[one] and one not in by_kind for one in ("regression", "countercheck"))
        seen = self._seen()
        loose = seen and any(
            not seen & set(one["evidence"]) for one in by_kind.get("regression", [])
        )
        bound = {ref for one in by_kind.get("existing", []) for ref in one["evidence"]}
        forgotten = rules["existing"] and any(
            not any(ref.startswith(digest(self.source[path])) for ref in bound)
            for path in self._tests()[: rules["most_existing"]]
        )
        if lacks or loose or forgotten:
            yield "tests-required"
        criteria = _refs(self.doc["acceptance_criteria"])
        expected = {one["ref"] for one in self.context["interpretation"]["expected"]}
        is_said = self.doc["acceptance_criteria"] and self.doc["after_release"]
        if not is_said or not expected <= criteria or not self.doc["reviewers"]:
            yield "criteria-said"

    def _seen(self) -> set[str]:
        said = self.context["interpretation"]
        return {one["ref"] for one in (*said["symptom"], *said["observed"])}

    def _tests(self) -> list[str]:
        """The made tests: one is called after its module, one names a definition."""
        touched = [one["location"] for one in self.places]
        paths = {one["path"] for one in touched}
        found = []
        for path in sorted(self.source):
            if not path.startswith("tests/") or path in paths:
                continue
            text = self.source[path].decode()
            words = "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
            for at in touched:
                stem = at["path"].split("/")[-1].split(".")[0]
                is_after = path.split("/")[-1] == f"test_{stem}.py"
                own = at["name"].split(".")[-1]
                names_it = bool(own) and own in words and stem in words
                if is_after or names_it:
                    found.append(path)
                    break
        return found

    def _carries(self) -> Iterator[str]:
        result, context = (
            digest(self.files[self.result_path]),
            digest(self.files[self.context_path]),
        )
        wanted = {
            f"{result}#/diagnosis/{name}/{n}"
            for name in ("remaining_uncertainty", "human_assumptions")
            for n in range(len(self.diagnosis[name]))
        }
        left = range(len(self.context["not_looked_at"]))
        wanted |= {f"{context}#/not_looked_at/{n}" for n in left}
        against = {
            quote["ref"]
            for name in self.selected["contradicting_evidence_ids"]
            for quote in self.stored[name]["quotes"]
        }
        is_carried = wanted <= _refs(self.doc["risks"])
        if not is_carried or not against <= _refs(self.doc["contradictions"]):
            yield "risks-carried"
        asked = {
            f"{result}#/diagnosis/hypothesis_evaluations/{n}/scope_limits/{k}"
            for n, one in enumerate(self.diagnosis["hypothesis_evaluations"])
            for k in range(len(one["scope_limits"]))
        }
        asked |= {
            f"{context}#/hypotheses/{n}/open_questions/{k}"
            for n, one in enumerate(self.context["hypotheses"])
            if one["hypothesis"]["id"] == self.diagnosis["selected_hypothesis_id"]
            for k in range(len(one["open_questions"]))
        }
        if not asked <= _refs(self.doc["open_questions"]):
            yield "questions-carried"

    # words, sizes, people

    def _words(self) -> Iterator[str]:
        texts = [one["text"] for one in self._claims()]
        texts += [one["location"]["path"] for one in self.places]
        texts += [one["location"]["name"] for one in self.places]
        page, limits = self.page.decode(), self.policy["output"]
        if any(word in text for text in texts for word in CODE):
            yield "no-code"
        if any(word in text for text in (*texts, page) for word in SECRETS):
            yield "no-secrets"
        if any(
            text == word or (word.strip() and word in text) for text in texts for word in HIDDEN
        ):
            yield "safe-text"
        sizes = max(len(self.raw), len(self.page)) > limits["max_bytes"]
        if sizes or len(list(self._claims())) > limits["most_claims"]:
            yield "sizes"

    def _person(self) -> Iterator[str]:
        wanted, word = self.policy["person"]["acceptance"], self.word
        if word is not None and word["verdict"] == "rejected":
            yield "person-agrees"
        elif word is None and wanted != "never":
            is_strong = self.diagnosis["confidence"] == "strongly_supported"
            if wanted == "always" or not is_strong:
                yield "person-agrees"

    def _claims(self) -> Iterator[Plain]:
        doc = self.doc
        cause = doc["root_cause"]
        yield from (doc["title"], cause["summary"], cause["description"])
        yield from (one["says"] for one in cause["findings"])
        yield from (one["says"] for one in doc["tests"])
        yield from doc["scope"]["left_out"]
        for name in (
            *("observed", "expected", "acceptance_criteria", "contradictions", "risks"),
            *("after_release", "open_questions", "reviewers"),
        ):
            yield from doc[name]


def _refs(claims: Iterable[Plain]) -> set[str]:
    return {ref for one in claims for ref in one["evidence"]}


def _sealed(form: str, value: Plain) -> bytes:
    plain = {"format": form, "value": value}
    seal = digest(_canonical(plain))
    return _canonical({**plain, "seal": seal})


def _canonical(plain: Plain) -> bytes:
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _fits(pattern: str, path: str) -> bool:
    """Folder by folder: ``**`` is any number of folders, or everything at the end."""
    return _folders(pattern.lower().split("/"), path.lower().split("/"))


def _folders(pattern: Sequence[str], path: Sequence[str]) -> bool:
    if not pattern or not path:
        return not pattern and not path
    if pattern[0] == "**":
        if len(pattern) == 1:
            return True
        return any(_folders(pattern[1:], path[n:]) for n in range(len(path)))
    return _name(pattern[0], path[0]) and _folders(pattern[1:], path[1:])


def _name(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(_name(pattern[1:], name[n:]) for n in range(len(name) + 1))
    return bool(name) and pattern[0] in {"?", name[0]} and _name(pattern[1:], name[1:])

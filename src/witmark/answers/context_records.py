"""What an ask made beside its answer, as plain data for records: claims, cards, memories.

What records share with the conversation response is spelled in ``plain.py``.
"""

from witmark.answers.answer import PublicAnswer
from witmark.answers.evidence_claims import EvidenceClaim
from witmark.answers.gates import Quality
from witmark.answers.memory import Memory, MemoryAction, ReviewCard
from witmark.answers.plain import Plain, checks_plain, sentences_plain


def answer_to_plain(answer: PublicAnswer) -> Plain:
    """``text, answered, language, sentences[{text, kind, citationIds}]``."""
    return {
        "text": answer.text,
        "answered": answer.answered,
        "language": answer.language,
        "sentences": sentences_plain(answer),
    }


def claim_to_plain(claim: EvidenceClaim) -> Plain:
    """``text, status, sourcePath, snippet, line``."""
    return {
        "text": claim.text,
        "status": claim.status.value,
        "sourcePath": claim.source_path,
        "snippet": claim.snippet,
        "line": claim.line,
    }


def quality_to_plain(quality: Quality) -> Plain:
    """``score, status, gates``."""
    return {
        "score": quality.score,
        "status": quality.status.value,
        "gates": checks_plain(quality.report.checks),
    }


def card_to_plain(card: ReviewCard) -> Plain:
    """``cardId, question, answerAtomId, due``."""
    return {
        "cardId": card.card_id,
        "question": card.question,
        "answerAtomId": card.answer_atom_id,
        "due": card.due,
    }


def action_to_plain(action: MemoryAction) -> Plain:
    """``kind, status, layer, namespace, memoryId``."""
    return {
        "kind": action.kind,
        "status": action.status,
        "layer": action.layer,
        "namespace": action.namespace,
        "memoryId": action.memory_id,
    }


def memory_to_plain(memory: Memory) -> Plain:
    """``memoryId, namespace, question, atomIds, recordedAt``."""
    return {
        "memoryId": memory.memory_id,
        "namespace": memory.namespace,
        "question": memory.question,
        "atomIds": list(memory.atom_ids),
        "recordedAt": memory.recorded,
    }

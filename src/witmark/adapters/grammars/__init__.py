"""Source files parsed by grammars of their own languages. Text is read; nothing is run."""

from witmark.adapters.grammars.reader import GrammarReader

__all__ = ["GrammarReader"]

"""Words of code and of people, made alike: identifiers taken apart, stems, no stop words.

>>> words("HTTPServer.send_header() fails")
['httpserver', 'http', 'server', 'send_header', 'send', 'header', 'fail']
"""

import re
from functools import lru_cache
from itertools import chain

import Stemmer

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[\u3400-\u9fff]+|\d+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_STOP = frozenset(
    """
    a about after all also an and any are as at be been before both but by can cannot could
    did do does every for from had has have he her his how i if in into is it its just like
    more most my no not now of on once one only or other our out over same she should since so
    some such than that the their them then there these they this those to too under until up
    us was we were what when where which while who why will with would you your self none true
    false def return import class pass raise else elif try except
    """.split()  # noqa: SIM905 - read as prose, not as ninety quoted words
)
_stem = Stemmer.Stemmer("english").stemWord


def words(text: str) -> list[str]:
    """The words of a text, in order, repeats included.

    An identifier gives itself, lower-cased, and its parts; a run of Han characters gives its
    pairs.
    """
    return list(chain.from_iterable(map(_words_of, _TOKEN.findall(text))))


@lru_cache(maxsize=65536)
def _words_of(token: str) -> tuple[str, ...]:
    if token[0] > "\u33ff":
        return tuple(token[n : n + 2] for n in range(max(1, len(token) - 1)))
    parts = [part.lower() for part in _PART.findall(token)]
    whole = token.strip("_").lower()
    own = [whole] if len(parts) > 1 else []
    kept = [part for part in parts if part not in _STOP and (len(part) > 1 or part.isdigit())]
    return tuple(own + [_stem(part) for part in kept])

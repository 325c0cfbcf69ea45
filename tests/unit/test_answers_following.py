"""In a session a question may go on from the last subject; alone it never does."""

import pytest
from whole_desk import DAY, asked

from witmark.adapters.markdown import ComrakParser
from witmark.answers.composing import EmbeddedComposer
from witmark.answers.dag import Dag
from witmark.answers.desk import AnswersDesk, Question
from witmark.answers.following import meant
from witmark.answers.ingesting import ingest
from witmark.answers.use_cases import answer_question
from witmark.kernel.store import BlobStore
from witmark.testing.disks import MemoryDisk
from witmark.testing.libraries import MemoryLibrary
from witmark.testing.shelves import MemoryShelf
from witmark.testing.vaults import MemoryVault

CLUB = {
    "chess.md": "# Chess\n\nChess is a game for two.\n\n## Pieces\n\n- king\n- queen\n",
    "围棋.md": "# 围棋\n\n围棋是两个人下的棋。\n\n## 步骤\n\n1. 摆好棋盘。\n2. 黑棋先走。\n\n"
    "> [!warning]\n> 落子无悔。\n",
}


def in_turn(*questions: str) -> list[str]:
    library = MemoryLibrary()
    files = {path: text.encode() for path, text in CLUB.items()}
    ingest(MemoryVault(files), ComrakParser(), library)
    desk = AnswersDesk(
        workspace="test",
        library=library,
        dag=lambda: Dag(library.graph()),
        blobs=BlobStore(MemoryDisk({})),
        shelf=MemoryShelf(),
        composer=EmbeddedComposer(),
    )
    asks = (Question(one, DAY, session_id="s", persist_memory=True) for one in questions)
    return [answer_question(one, desk).public.text for one in asks]


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ("what is chess?", "and what are its pieces?", "There are: king, queen."),
        ("what is chess?", "what are the pieces?", "There are: king, queen."),
        ("what is chess?", "tell me more", "Chess is a game for two."),
        ("什么是围棋", "它的步骤是什么", "摆好棋盘"),
        ("什么是围棋", "需要注意什么", "落子无悔"),
    ],
)
def test_a_question_goes_on_from_the_last_subject(first, then, said):
    assert said in in_turn(first, then)[1]


def test_a_question_with_a_subject_of_its_own_is_left_alone():
    assert in_turn("什么是围棋", "what is chess?")[1] == "Chess is a game for two."


def test_without_a_session_nothing_is_added():
    assert not asked(CLUB, "it has how many sides?").public.answered


def test_a_question_is_written_out():
    assert meant("does it last?", "Chess") == ("does Chess last?", "does it last?")
    assert meant("does it last?", "") == ("does it last?",)


@pytest.mark.parametrize(
    "question",
    ["who wrote Faust?", "what is kanban?", "谁写了浮士德", "what is the capital of France?"],
)
def test_a_question_with_a_subject_of_its_own_is_no_follow_up(question):
    assert meant(question, "Scrum") == (question,)

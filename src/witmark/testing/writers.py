"""Two writers at once: begin together, and say how each of them ended."""

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection

Action = Callable[[], object]

WAIT_S = 30.0
"""How long a test waits for a writer before it calls it hung."""


def race(*actions: Action) -> list[object]:
    """Run the actions in threads that start together.

    Returns:
        For each action, in order, what it returned or the exception that ended it.

    >>> race(lambda: 1, lambda: 2)
    [1, 2]
    """
    ends: list[object] = [TimeoutError("hung")] * len(actions)
    gate = threading.Barrier(len(actions))

    def run(place: int, action: Action) -> None:
        gate.wait(WAIT_S)
        ends[place] = _ended(action)

    threads = [
        threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(actions)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    return ends


def race_processes(*actions: Action) -> list[object]:
    """Run the actions in processes of their own; the ends come back pickled.

    Processes are forked, so an action may be a closure. It must not rely on threads.
    """
    fork = multiprocessing.get_context("fork")
    gate = fork.Barrier(len(actions))
    pipes = [fork.Pipe(duplex=False) for _ in actions]
    children = [
        fork.Process(target=_child, args=(gate, send, action), daemon=True)
        for (_, send), action in zip(pipes, actions, strict=True)
    ]
    for child in children:
        child.start()
    ends = [heard.recv() if heard.poll(WAIT_S) else TimeoutError("hung") for heard, _ in pipes]
    for child in children:
        child.join(WAIT_S)
        child.kill()
    return ends


def _child(gate: threading.Barrier, send: Connection, action: Action) -> None:
    gate.wait(WAIT_S)
    send.send(_ended(action))


def _ended(action: Action) -> object:
    try:
        return action()
    except (Exception, AssertionError) as error:  # noqa: BLE001 - the test asks how it ended
        return error

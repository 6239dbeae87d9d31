"""How to wait for a task. Decides only; the client asks and sleeps."""

from __future__ import annotations

import time

from . import _call as call
from ._call import Call
from ._retry import backoff
from .errors import APIStatusError, SvcFormsError, TaskTimeoutError
from .models import Task

#: Seconds that one request waits. The server takes up to 55; proxies often cut at 60.
LONGEST_WAIT = 50
#: Seconds that an answer may come later than it was asked to.
GRACE = 5
LONGEST_PAUSE = 3


class Waiting:
    """One wait, with its deadline. It is the server that waits: a decision is known at once."""

    def __init__(self, task_id: str, timeout: float | None) -> None:
        self._path = call.path("/api/mcp/tasks/{}", task_id)
        self._what = f"Task {task_id} was not settled within {timeout} s"
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._task: Task | None = None
        self._failures = 0
        self._wait = 0
        self._asked_at = 0.0

    def next_call(self) -> Call:
        """Asks the server to answer when the task is settled, or when there is no time left."""
        self._wait = int(max(0.0, min(LONGEST_WAIT, self._left())))
        self._asked_at = time.monotonic()
        query = {"wait": str(self._wait)}
        return Call("GET", self._path, query=query, read_timeout=self._wait + GRACE, single=True)

    def saw(self, task: Task) -> bool:
        """Whether the wait is over.

        Raises:
            TaskTimeoutError: it is, because of the deadline.
        """
        self._task = task
        self._failures = 0
        if not task.is_settled and self._left() <= 0:
            raise TaskTimeoutError(f"{self._what}; wait_for waits for it again", task)
        return task.is_settled

    def pause(self) -> float:
        """Seconds until the next call. None, as the server did the waiting; unless it didn't, as it is stopping."""
        did_wait = self._wait > 0 and time.monotonic() - self._asked_at > self._wait - 1
        return self._within(0.0 if did_wait else 1.0)

    def pause_after(self, error: SvcFormsError) -> float:
        """Seconds until the next call, after one that failed.

        Raises:
            TaskTimeoutError: the deadline is over; the task is as it was seen last.
            SvcFormsError: the same, and it was never seen.
        """
        self._failures += 1
        if self._left() <= 0:
            if self._task is None:
                raise error
            raise TaskTimeoutError(f"{self._what}, as far as the server could be asked", self._task) from error
        asked = error.retry_after if isinstance(error, APIStatusError) else None
        # Those who wait are many and patient, but want to know soon after a restart.
        return self._within(max(asked, 0.2) if asked is not None else min(LONGEST_PAUSE, backoff(self._failures)))

    def _left(self) -> float:
        return float("inf") if self._deadline is None else self._deadline - time.monotonic()

    def _within(self, pause: float) -> float:
        """Not beyond the deadline, so that there is one more look at the very end."""
        return max(0.0, min(pause, self._left()))

"""Decides how to wait for a task. The client sends the requests and sleeps."""

from __future__ import annotations

import time

from . import _request as api
from ._request import ApiRequest
from ._retry import backoff, requested_delay
from .errors import APIStatusError, SvcFormsError, TaskTimeoutError
from .models import Task

#: Seconds that one request waits. The server accepts up to 55; many proxies close connections after
#: 60.
LONGEST_WAIT = 50
#: Seconds that a response may take beyond the requested wait.
GRACE = 5
LONGEST_DELAY = 3
#: Seconds between requests that the server doesn't hold. Each counts toward the key's rate limit.
LONGEST_PAUSE = 5


def deadline_of(timeout: float | None) -> float:
    """Returns the time of `time.monotonic()` at which a timeout ends. None never ends."""
    return float("inf") if timeout is None else time.monotonic() + timeout


class TaskWait:
    """One wait for a task, with its deadline. The server holds the request until the task is
    resolved, unless `is_held` is False.
    """

    def __init__(
        self, task_id: str, timeout: float | None, *, max_retries: int, task: Task | None = None, is_held: bool = True
    ) -> None:
        """Starts a wait.

        Args:
            task_id: id of the task.
            timeout: maximum seconds to wait.
            max_retries: maximum retries while the server has never responded.
            task: its state, if the caller knows it.
            is_held: whether the server holds the requests.
        """
        self.task_id = task_id
        self._path = api.path("/api/mcp/tasks/{}", task_id)
        self._timeout_message = f"Task {task_id} was not resolved within the timeout"
        self._deadline = deadline_of(timeout)
        self._is_held = is_held
        self._max_retries = max_retries
        self._task = task
        self._is_reached = task is not None
        """Whether the server, or a proxy in front of it, has responded."""
        self._is_first = False
        self._pauses = 0
        self._failures = 0
        self._wait = 0
        self._sent_at = 0.0

    def next_request(self) -> ApiRequest:
        """Builds a request that returns when the task is resolved, or at the deadline."""
        # The server doesn't hold the first request, which shows soon whether it is reachable.
        longest = LONGEST_WAIT if self._is_held and self._is_reached else 0
        self._wait = int(max(0.0, min(longest, self._remaining())))
        self._sent_at = time.monotonic()
        query = {"wait": str(self._wait)}
        return ApiRequest("GET", self._path, query=query, read_timeout=self._wait + GRACE, caller_retries=True)

    def is_over(self, task: Task) -> bool:
        """Whether this response ends the wait.

        Raises:
            TaskTimeoutError: the task isn't resolved at the deadline.
        """
        self._task = task
        self._is_first = not self._is_reached
        self._is_reached = True
        self._failures = 0
        if not task.is_settled and self._remaining() <= 0:
            raise TaskTimeoutError(f"{self._timeout_message}; call wait_for to wait again", task)
        return task.is_settled

    def delay(self) -> float:
        """Returns the seconds until the next request: 0, unless the server didn't wait because it
        is stopping.
        """
        if not self._is_held:
            self._pauses += 1
            return self._until_deadline(min(LONGEST_PAUSE, backoff(self._pauses)))
        did_wait = self._is_first or (self._wait > 0 and time.monotonic() - self._sent_at > self._wait - 0.5)
        return self._until_deadline(0.0 if did_wait else 1.0)

    def delay_after(self, error: SvcFormsError) -> float:
        """Returns the seconds until the next request, after a failed one.

        Raises:
            TaskTimeoutError: the deadline has passed; `task` is the last known state.
            SvcFormsError: the deadline has passed, and no request succeeded, or the server never
                responded.
        """
        self._failures += 1
        if self._remaining() <= 0:
            if self._task is None:
                raise error
            raise TaskTimeoutError(f"{self._timeout_message}, and the last request failed", self._task) from error
        if isinstance(error, APIStatusError):
            self._is_reached = True
        elif not self._is_reached and self._failures > self._max_retries:
            raise error
        # Short delays, because waiting clients should get the result soon after a server restart.
        return self._until_deadline(requested_delay(error) or min(LONGEST_DELAY, backoff(self._failures)))

    def _remaining(self) -> float:
        return self._deadline - time.monotonic()

    def _until_deadline(self, delay: float) -> float:
        """Limits a delay to the deadline, so that the last request happens at the deadline."""
        return max(0.0, min(delay, self._remaining()))

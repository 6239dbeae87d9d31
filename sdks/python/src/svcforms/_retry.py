"""Decides whether and when to retry a request. The transport does the waiting."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from ._request import ApiRequest
from .errors import APIStatusError, SvcFormsError

FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
#: The caller gets the error when the server requests a longer delay than this.
LONGEST_RETRY_AFTER = 120.0
#: The server locks an idempotency key for 30 seconds when its process dies during the request.
IN_PROGRESS_FOR = 40.0


@dataclass(frozen=True)
class Failure:
    """A failed attempt."""

    error: SvcFormsError
    reached_server: bool = True
    """False if the request certainly didn't reach the server."""

    @property
    def was_refused(self) -> bool:
        """Whether the server certainly didn't process the request."""
        return not self.reached_server or (isinstance(self.error, APIStatusError) and self.error.status < 500)

    @property
    def is_transient(self) -> bool:
        """Whether the next attempt may succeed."""
        if not isinstance(self.error, APIStatusError):
            return True
        # 508 is the end of a loop of webhooks.
        return self.error.status in (408, 429) or (self.error.status >= 500 and self.error.status != 508)

    @property
    def is_in_progress(self) -> bool:
        """Whether the server still processes a request with the same idempotency key."""
        return isinstance(self.error, APIStatusError) and self.error.code == "IDEMPOTENCY_IN_PROGRESS"


@dataclass(frozen=True)
class RetryPolicy:
    """Up to `max_retries` retries with exponential backoff and jitter. Delays respect
    `Retry-After`.
    """

    max_retries: int
    random: Callable[[], float] = random.random

    def delay(self, request: ApiRequest, failure: Failure, *, attempts: int, running: float) -> float | None:
        """Returns the seconds until the next attempt, or None to give up.

        Args:
            request: the request that failed.
            failure: the result of the last attempt.
            attempts: the number of attempts so far.
            running: seconds since the start of the last attempt that the server may still process.
        """
        retry_after = failure.error.retry_after if isinstance(failure.error, APIStatusError) else None
        if request.caller_retries or self.max_retries == 0:
            return None
        if failure.is_in_progress:
            return max(retry_after or 0, 1.0) if running < IN_PROGRESS_FOR else None
        if attempts > self.max_retries or not failure.is_transient:
            return None
        if not request.is_retryable and not failure.was_refused:
            return None
        if retry_after is not None:
            # The jitter spreads clients that got the same delay.
            return retry_after + 0.1 * self.random() if retry_after <= LONGEST_RETRY_AFTER else None
        return backoff(attempts, self.random)


def requested_delay(error: SvcFormsError | None) -> float | None:
    """Returns the seconds that the server requested before the next attempt; None if it requested
    none.

    For calls that go on until the caller ends them: at most two minutes, because the server can be
    back long before the hours that a maintenance page requests.
    """
    # A proxy can send 0, or a date that has passed.
    if not isinstance(error, APIStatusError) or not error.retry_after:
        return None
    return min(error.retry_after, LONGEST_RETRY_AFTER)


def backoff(attempts: int, rand: Callable[[], float] = random.random) -> float:
    """Returns the seconds to wait after this number of consecutive failures."""
    return min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(attempts - 1, 10)) * (0.5 + 0.5 * rand())

"""Whether to try again, and when. Decides only; the transport waits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from ._call import Call
from .errors import APIStatusError, SvcFormsError

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
#: A server that wants to be left alone for longer is better told to whoever waits.
LONGEST_RETRY_AFTER = 120.0
#: A request that died with its process keeps its idempotency key for 30 seconds.
IN_PROGRESS_FOR = 40.0


@dataclass(frozen=True)
class Failure:
    """A try that brought no success."""

    error: SvcFormsError
    arrived: bool = True
    """False: the server can't have seen it."""

    @property
    def was_refused(self) -> bool:
        """Whether it is certain that the server did nothing."""
        return not self.arrived or (isinstance(self.error, APIStatusError) and self.error.status < 500)

    @property
    def may_pass(self) -> bool:
        """Whether it can be different the next time."""
        if not isinstance(self.error, APIStatusError):
            return True
        return self.error.status in (408, 429) or self.error.status >= 500

    @property
    def is_in_progress(self) -> bool:
        """Whether an earlier try of the same call is still running."""
        return isinstance(self.error, APIStatusError) and self.error.code == "IDEMPOTENCY_IN_PROGRESS"


@dataclass(frozen=True)
class RetryPolicy:
    """`max_retries` more tries, with pauses that double, vary by half, and are never shorter than `Retry-After`."""

    max_retries: int
    random: Callable[[], float] = random.random

    def pause(self, call: Call, failure: Failure, *, tries: int, elapsed: float) -> float | None:
        """Seconds until the next try; None: there is none.

        Args:
            call: what is tried.
            failure: what came of the last try.
            tries: how many there were.
            elapsed: seconds since the first one began.
        """
        asked = failure.error.retry_after if isinstance(failure.error, APIStatusError) else None
        if call.single or self.max_retries == 0:
            return None
        if failure.is_in_progress:
            return max(asked or 0, 1.0) if elapsed < IN_PROGRESS_FOR else None
        if tries > self.max_retries or not failure.may_pass:
            return None
        if not call.repeatable and not failure.was_refused:
            return None
        if asked is not None:
            # Those who were told the same moment come a little apart.
            return asked + 0.1 * self.random() if asked <= LONGEST_RETRY_AFTER else None
        return backoff(tries, self.random)


def backoff(tries: int, rand: Callable[[], float] = random.random) -> float:
    """Seconds to wait after so many failures in a row."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(tries - 1, 10)) * (0.5 + 0.5 * rand())

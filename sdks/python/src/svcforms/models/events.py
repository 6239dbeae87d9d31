"""Events of the stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ._base import Model

StreamEventType = Literal[
    "hitl.task.created",
    "hitl.task.completed",
    "hitl.task.expired",
    "hitl.task.cancelled",
    "form.submission.new",
    "submission.created",
    "decision.requested",
    "decision.approved",
    "decision.rejected",
]


class Event(Model):
    """An event of the stream."""

    id: str
    """Its position: `last_event_id` of the stream that goes on after it."""
    type: str
    timestamp: datetime
    submission_id: str | None = None
    data: dict[str, Any]
    """As the API sends it; of `hitl.task.*`: taskId, templateId, userId and, by type, more."""

    @property
    def task_id(self) -> str | None:
        """The task that it is about, if any."""
        place: Any = self.data.get("decision") or self.data
        value: Any = place.get("taskId") if isinstance(place, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        return value if isinstance(value, str) else None

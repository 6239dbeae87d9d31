"""Events of the stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from ._base import Model, Open

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
    """The id of the event. Pass it as `last_event_id` to continue after it."""
    type: str
    timestamp: datetime
    submission_id: str | None = None
    data: dict[str, Any]
    """The data with the API's keys. For `hitl.task.*`: taskId, templateId, userId and more,
    depending on the type.
    """

    @property
    def task_id(self) -> str | None:
        """Id of the event's task, if any."""
        source: Any = self.data.get("decision") or self.data
        value: Any = source.get("taskId") if isinstance(source, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        return value if isinstance(value, str) else None


class EventType(Model):
    """An event type, and the payload that webhooks get."""

    type: Open[StreamEventType]
    description: str
    """When the event is sent."""
    version: str
    """The version of the payload, as in the header `Svc-Payload-Version`."""
    example: dict[str, Any]
    """A payload with every property."""
    minimal_example: dict[str, Any]
    """A payload with the properties that are always present."""
    json_schema: dict[str, Any] = Field(alias="schema")
    """JSON Schema of the payload."""

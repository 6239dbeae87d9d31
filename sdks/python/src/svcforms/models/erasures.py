"""Erasures."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ._base import Model, Open


class ErasureEndpoint(Model):
    """An endpoint that received the data before it was erased."""

    kind: Open[Literal["webhook", "callback"]]
    id: str
    """Id of the webhook, or of the task with the callback."""
    form_id: str
    url: str
    received_at: datetime


class Erasure(Model):
    """The report of an erasure."""

    erased_at: datetime
    submission_ids: list[str]
    task_ids: list[str]
    delivery_ids: list[str]
    endpoints: list[ErasureEndpoint]
    """Endpoints that received the data. Ask their operators to erase it too."""

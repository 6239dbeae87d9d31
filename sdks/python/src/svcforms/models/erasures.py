"""Erasures."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ._base import Model, Open


class ErasureEndpoint(Model):
    """An endpoint that received the data before it was erased."""

    kind: Open[Literal["webhook", "callback"]]
    id: str
    """Of the webhook, or of the task whose callback it was."""
    form_id: str
    url: str
    received_at: datetime


class Erasure(Model):
    """What an erasure found and erased."""

    erased_at: datetime
    submission_ids: list[str]
    task_ids: list[str]
    delivery_ids: list[str]
    endpoints: list[ErasureEndpoint]
    """Ask their operators to erase the data too."""

"""Submissions."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ._base import Model, Open

SubmittedVia = Literal["web", "inbound", "task"]
SubmissionStatus = Literal["accepted", "quarantined"]
QuarantineReason = Literal[
    "no_token",
    "expired_token",
    "reused_token",
    "too_fast",
    "no_proof",
    "blocked_address",
    "blocked_domain",
    "blocked_word",
    "blocked_network",
]


class SubmissionMetadata(Model):
    """The source of a submission."""

    submitted_via: Open[SubmittedVia]
    ip_address: str | None = None
    user_agent: str | None = None
    page: str | None = None
    language: str | None = None
    """Language in which the form was shown, as a BCP 47 tag."""
    task_id: str | None = None
    resolved_by: Open[Literal["human", "expiry"]] | None = None
    """Whether a person or the expiry resolved the task."""


class Submission(Model):
    """A submission."""

    id: str
    form_id: str
    data: dict[str, Any]
    """Field name → value."""
    metadata: SubmissionMetadata
    form_version: int | None = None
    """The published version of the form. None in submissions from before forms had versions."""
    status: Open[SubmissionStatus]
    quarantine_reason: Open[QuarantineReason] | None = None
    """Why the submission is in quarantine."""
    created_at: datetime


class SubmissionCreated(Model):
    """The id of a new submission."""

    submission_id: str

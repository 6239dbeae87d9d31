"""Inbound endpoints: submissions from other systems."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from ._base import Model


class InboundEndpoint(Model):
    """An inbound endpoint of a form; never its token."""

    id: str
    form_id: str
    name: str
    token_last4: str
    has_secret: bool
    require_timestamp: bool
    field_mapping: dict[str, str]
    is_enabled: bool
    url: str
    created_at: datetime


class InboundEndpointCreated(InboundEndpoint):
    """An inbound endpoint with its token, and its signing secret if one was generated: told this once."""

    token: str = Field(repr=False)
    secret: str | None = Field(default=None, repr=False)


class InboundEndpointPatched(InboundEndpoint):
    """An inbound endpoint after a change, with its signing secret if one was generated."""

    secret: str | None = Field(default=None, repr=False)


class InboundEndpointRotated(InboundEndpoint):
    """An inbound endpoint with a new token; the old one is dead."""

    token: str = Field(repr=False)


class InboundRequest(Model):
    """A request that the inbound endpoint got, accepted or not."""

    time: datetime
    status: int
    code: str | None
    ip: str
    size: int | None
    """Bytes of its body."""

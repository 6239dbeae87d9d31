"""Inbound endpoints: submissions from other systems."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from ._base import Model


class InboundEndpoint(Model):
    """An inbound endpoint of a form, without its token."""

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
    """A new inbound endpoint with its token, and its signing secret if the client generated one."""

    token: str = Field(repr=False)
    secret: str | None = Field(default=None, repr=False)


class InboundEndpointPatched(InboundEndpoint):
    """An updated inbound endpoint, with its signing secret if the client generated one."""

    secret: str | None = Field(default=None, repr=False)


class InboundEndpointRotated(InboundEndpoint):
    """An inbound endpoint with its new token. The old token doesn't work anymore."""

    token: str = Field(repr=False)


class InboundRequest(Model):
    """A request to the inbound endpoint, accepted or refused."""

    time: datetime
    status: int
    code: str | None
    pointer: str | None = None
    """JSON pointer to the first refused value in the body."""
    ip: str
    size: int | None
    """Size of the body in bytes."""

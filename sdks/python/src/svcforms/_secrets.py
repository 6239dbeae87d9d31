"""Signing secrets of webhooks."""

from __future__ import annotations

import base64
import secrets


def new_secret() -> str:
    """Returns a new secret of 32 random bytes, in the format of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()

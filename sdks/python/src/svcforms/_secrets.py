"""Signing secrets of webhooks."""

from __future__ import annotations

import base64
import secrets


def new_secret(idempotency_key: str | None) -> str:
    """Returns a new secret of 32 random bytes, in the format of Standard Webhooks.

    Raises:
        ValueError: the caller chose the idempotency key, but not the secret.
    """
    check_may_generate(idempotency_key)
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def check_may_generate(idempotency_key: str | None) -> None:
    """A repeated call would generate another secret than the one that the server stored.

    Raises:
        ValueError: the caller chose the idempotency key.
    """
    if idempotency_key is not None:
        raise ValueError("idempotency_key needs a secret of your own, because each call would generate another one")

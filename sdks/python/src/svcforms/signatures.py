"""Signatures: of webhooks and callbacks that come in, and of inbound submissions that go out."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, Protocol

from .errors import SignatureVerificationError
from .models.webhooks import WebhookEvent

Bytes = bytes | bytearray | memoryview

_TIME = re.compile(r"[0-9]{1,15}")
_HEX_SIGNATURE = re.compile(r"[0-9a-fA-F]{64}")
_ENCODED_SECRET = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))")
_BASE64_SIGNATURE = re.compile(r"v1,([A-Za-z0-9+/]{43}=)")


class Headers(Protocol):
    """The headers of a request, in any letter case: a `dict`, or what a web framework has."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Names and values; a name may be there several times."""
        ...


@dataclass(frozen=True)
class VerifiedWebhook:
    """A body whose signature is right and fresh."""

    body: bytes
    """The bytes as they came."""
    signed_at: datetime
    """When this attempt was signed (UTC); every retry is signed anew."""
    event_id: str | None = None
    """The signed id of the event, the same on every retry: skip an event whose id you have processed. None where
    `verify_webhook` got the value of `Svc-Signature` alone, which doesn't cover the id."""

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def event(self) -> WebhookEvent:
        """The body as an event; also for the callback of a task, whose keys are `WebhookEvent`'s too."""
        return WebhookEvent.model_validate_json(self.body)


def verify_webhook(
    body: Bytes | str,
    header: str | Headers | None,
    secret: str | Sequence[str],
    tolerance: float = 300,
    *,
    now: float | None = None,
) -> VerifiedWebhook:
    """Checks the signature of a webhook, or of the callback of a task.

    The age is judged last, so that only a holder of the secret learns anything of it. Comparisons take the same
    time for every wrong signature.

    Args:
        body: the request's body, exactly as it came: before any parsing.
        header: all headers of the request. Then `webhook-signature` is checked, which covers the id of the event, and
            `event_id` of the result is set. Or the value of `Svc-Signature` alone, which covers the body and the time,
            but not the id. None, when the request has none, is refused like a wrong one.
        secret: the webhook's secret, or all that are valid now (while one replaces another). One match is enough.
        tolerance: how many seconds the stamp may be from now, either way.
        now: unix seconds, for tests.

    Raises:
        SignatureVerificationError: nothing of this request is to be used; `code` says why.
        ValueError: no secret, an empty one, or a negative tolerance.

    Example:
        ```python
        verified = verify_webhook(await request.body(), request.headers, secret)
        if not already_processed(verified.event_id):
            process(verified.event)
        ```
    """
    secrets = _secrets(secret)
    if tolerance < 0:
        raise ValueError("tolerance must be 0 seconds or more")
    raw = _raw(body)
    if header is None or isinstance(header, str):
        name, event_id = "Svc-Signature", None
        stamp, signatures = _parse(header or "")
        _check_match(name, signatures, secrets, str.encode, stamp.encode() + b"." + raw)
    else:
        name = "webhook-signature"
        event_id, stamp, signatures = _parse_standard(header)
        _check_match(name, signatures, secrets, _standard_key, f"{event_id}.{stamp}.".encode() + raw)
    signed_at, moment = int(stamp), time.time() if now is None else now
    if signed_at < int(moment) - tolerance:
        raise SignatureVerificationError("too_old", f"{name} is more than {tolerance} seconds old")
    if signed_at > int(moment) + tolerance:
        raise SignatureVerificationError(
            "too_new",
            f"{name} is from more than {tolerance} seconds ahead; is this machine's clock right?",
        )
    return VerifiedWebhook(raw, datetime.fromtimestamp(signed_at, timezone.utc), event_id)


def sign_inbound(body: Bytes | str, secret: str, *, timestamp: int | None = None) -> str:
    """The value of `X-SvcForms-Signature-256` for an inbound submission: hex HMAC-SHA256 of the exact bytes.

    `inbound.send` does this by itself; it is for programs that send by other means.

    Args:
        body: the bytes that are sent.
        secret: the endpoint's signing secret.
        timestamp: unix seconds, for an endpoint with `require_timestamp`: signed with the body, and sent in
            `X-SvcForms-Timestamp`.
    """
    stamp = b"" if timestamp is None else b"%d." % timestamp
    return hmac.new(_secrets(secret)[0].encode(), stamp + _raw(body), hashlib.sha256).hexdigest()


def verify_inbound_signature(body: Bytes | str, header: str | None, secret: str) -> Literal[True]:
    """Checks `X-SvcForms-Signature-256` as the server does: `sha256=` before it and any letter case are fine.

    Raises:
        SignatureVerificationError: it is missing or ill-formed, or was not made over these bytes with this secret.
    """
    expected = bytes.fromhex(sign_inbound(body, secret))
    value = (header or "").strip()
    value = value[7:] if value[:7].lower() == "sha256=" else value
    if not _HEX_SIGNATURE.fullmatch(value):
        raise SignatureVerificationError(
            "ill_formed",
            "X-SvcForms-Signature-256 must be 64 hex digits, with or without sha256= before them",
        )
    if not hmac.compare_digest(bytes.fromhex(value), expected):
        raise SignatureVerificationError(
            "no_match", "X-SvcForms-Signature-256 was not made over this body with this secret"
        )
    return True


def _secrets(secret: str | Sequence[str]) -> list[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        # Anybody can sign with the empty secret.
        raise ValueError("secret must be a secret, or a list of at least one; none of them empty")
    return secrets


def _raw(body: Bytes | str) -> bytes:
    return body.encode() if isinstance(body, str) else bytes(body)


def _parse(header: str) -> tuple[str, list[bytes]]:
    """Elements of other schemes are skipped, so that a later `v2` breaks no listener."""
    elements = [element.strip() for element in header.split(",")]
    times = [element[2:] for element in elements if element.startswith("t=")]
    signatures = [
        bytes.fromhex(element[3:])
        for element in elements
        if element.startswith("v1=") and _HEX_SIGNATURE.fullmatch(element[3:])
    ]
    if len(times) != 1 or not _TIME.fullmatch(times[0]) or not signatures:
        raise SignatureVerificationError(
            "ill_formed", "Svc-Signature is missing, or not of the form t=<unix seconds>,v1=<64 hex digits>"
        )
    return times[0], signatures


def _check_match(
    name: str, signatures: list[bytes], secrets: list[str], key_of: Callable[[str], bytes], signed: bytes
) -> None:
    matches = 0
    for one in secrets:
        expected = hmac.new(key_of(one), signed, hashlib.sha256).digest()
        for given in signatures:
            matches += hmac.compare_digest(given, expected)
    if not matches:
        raise SignatureVerificationError(
            "no_match", f"{name} was not made over this body with this secret; take the raw bytes of the body"
        )


def _parse_standard(headers: Headers) -> tuple[str, str, list[bytes]]:
    """The id, the timestamp and the signatures of Standard Webhooks."""
    found: dict[str, list[str]] = {"webhook-id": [], "webhook-timestamp": [], "webhook-signature": []}
    for name, value in headers.items():
        values = found.get(_text(name).lower())
        if values is not None:
            values.append(_text(value).strip())
    event_id, stamp, signature = (values[0] if len(values) == 1 else "" for values in found.values())
    matched = [_BASE64_SIGNATURE.fullmatch(element) for element in signature.split()]
    signatures = [base64.b64decode(one[1]) for one in matched if one]
    if not event_id or not _TIME.fullmatch(stamp) or not signatures:
        raise SignatureVerificationError(
            "ill_formed",
            "webhook-id, webhook-timestamp or webhook-signature is missing, there twice, or ill-formed",
        )
    return event_id, stamp, signatures


def _text(part: Any) -> str:
    """ASGI has headers as bytes."""
    return part.decode("latin-1") if isinstance(part, bytes) else str(part)


def _standard_key(secret: str) -> bytes:
    """The decoded bytes after `whsec_`; a secret that its owner chose is the key as it is."""
    encoded = _ENCODED_SECRET.fullmatch(secret)
    return base64.b64decode(encoded[1]) if encoded else secret.encode()

"""Verifies signatures of webhooks and callbacks, and signs inbound submissions."""

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
from typing import Any, Literal, Protocol, cast

from .errors import SignatureVerificationError
from .models.webhooks import WebhookEvent

Bytes = bytes | bytearray | memoryview

_DIGITS = re.compile(r"[0-9]{1,15}")
_HEX_SIGNATURE = re.compile(r"[0-9a-fA-F]{64}")
_ENCODED_SECRET = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))")
_BASE64_SIGNATURE = re.compile(r"v1,([A-Za-z0-9+/]{43}=)")
_PUBLIC_KEY_SIGNATURE = re.compile(r"v1a,([A-Za-z0-9+/]{86}==)")
_PUBLIC_KEY = re.compile(r"whpk_([A-Za-z0-9+/]{43}=)")


class Headers(Protocol):
    """The headers of a request in any letter case: a `dict`, or the object of a web framework."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Names and values. A name may occur several times."""
        ...


@dataclass(frozen=True)
class VerifiedWebhook:
    """A request with a valid, recent signature."""

    body: bytes
    """The raw body."""
    signed_at: datetime
    """When the server signed this attempt (UTC). Each retry has a new signature."""
    event_id: str | None = None
    """The signed id of the event, the same for every retry. Skip events whose id you have
    processed. None if
    `verify_webhook` got only the value of `Svc-Signature`, which doesn't cover the id."""
    hops: int = 0
    """How many webhook deliveries in a row led to this one, from `Svc-Hops`. If you submit a form
    because of it, pass it to `submissions.create` or `inbound.send`. The signature doesn't cover
    it. 0 if `verify_webhook` got only the value of `Svc-Signature`."""

    def json(self) -> Any:
        """Parses the body as JSON."""
        return json.loads(self.body)

    @property
    def event(self) -> WebhookEvent:
        """The body as an event. Task callbacks have the same format. Use `json` for a webhook with a
        payload format of its own, whose bodies raise `pydantic.ValidationError` here.
        """
        # The JSON parser of pydantic refuses half of a surrogate pair, which anybody can submit.
        try:
            return WebhookEvent.model_validate(self.json())
        except (ValueError, RecursionError):
            # Raises the error that the docstring names.
            return WebhookEvent.model_validate_json(self.body)


def verify_webhook(
    body: Bytes | str,
    header: str | Headers | None,
    secret: str | Sequence[str],
    tolerance: float = 300,
    *,
    now: float | None = None,
) -> VerifiedWebhook:
    """Verifies the signature of a webhook or of a task's callback.

    It checks the age last, so that only a holder of the secret learns whether a timestamp is too
    old. It compares signatures in constant time.

    Args:
        body: the raw body of the request, before parsing.
        header: all headers of the request; the function checks `webhook-signature`, which covers
            the event id, and sets `event_id` and `hops` of the result. Alternatively only the value
            of `Svc-Signature`, which covers the body and the time. The function refuses None (a
            missing header) like an invalid signature.
        secret: the webhook's signing secret or its public key (`whpk_…`), or several of them, such
            as all valid secrets during a rotation. One must match. A public key needs all headers
            and `svcforms[public-keys]`.
        tolerance: the maximum difference in seconds between the signed time and now.
        now: the current Unix time, for tests.

    Raises:
        SignatureVerificationError: the signature is invalid; `code` contains the reason. Discard
            the request.
        ValueError: a secret is missing or empty, a public key is malformed or used with
            `Svc-Signature` alone, or the tolerance is negative.
        TypeError: the body isn't bytes or a string, for example because it was parsed.
        ImportError: `cryptography`, which verifies with public keys, is not installed.

    Example:
        ```python
        verified = verify_webhook(await request.body(), request.headers, secret)
        if not already_processed(verified.event_id):
            process(verified.event)
        ```
    """
    secrets, public_keys = _split(_secrets(secret))
    if not tolerance >= 0:  # Negated, so that NaN is refused.
        raise ValueError("tolerance must be 0 seconds or more")
    raw = _raw(body)
    if header is None or isinstance(header, str):
        if public_keys:
            raise ValueError("a public key verifies webhook-signature: pass all headers of the request")
        name, event_id, hops = "Svc-Signature", None, 0
        stamp, signatures = _parse(header or "")
        _check_match(name, signatures, secrets, str.encode, stamp.encode() + b"." + raw)
    else:
        name = "webhook-signature"
        event_id, stamp, elements, hops = _parse_standard(header)
        signed = f"{event_id}.{stamp}.".encode() + raw
        if not _is_signed_by(public_keys, _decoded(_PUBLIC_KEY_SIGNATURE, elements), signed):
            _check_match(name, _decoded(_BASE64_SIGNATURE, elements), secrets, _standard_key, signed)
    signed_at, moment = int(stamp), time.time() if now is None else now
    if signed_at < int(moment) - tolerance:
        raise SignatureVerificationError("too_old", f"{name} is more than {tolerance} seconds old")
    if signed_at > int(moment) + tolerance:
        raise SignatureVerificationError(
            "too_new",
            f"{name} is more than {tolerance} seconds in the future; check this machine's clock",
        )
    return VerifiedWebhook(raw, datetime.fromtimestamp(signed_at, timezone.utc), event_id, hops)


def sign_inbound(body: Bytes | str, secret: str, *, timestamp: int | None = None) -> str:
    """Returns the value of `X-SvcForms-Signature-256` for an inbound submission: the hex
    HMAC-SHA256 of the body.

    Use it if you don't send with `inbound.send`, which signs automatically.

    Args:
        body: the raw body of the request.
        secret: the endpoint's signing secret.
        timestamp: Unix time, for an endpoint with `require_timestamp`. The signature covers it;
            send it in `X-SvcForms-Timestamp`.
    """
    stamp = b"" if timestamp is None else b"%d." % timestamp
    return hmac.new(_secrets(secret)[0].encode(), stamp + _raw(body), hashlib.sha256).hexdigest()


def verify_inbound_signature(body: Bytes | str, header: str | None, secret: str) -> Literal[True]:
    """Verifies `X-SvcForms-Signature-256` like the server: with or without the prefix `sha256=`, in
    any letter case.

    Raises:
        SignatureVerificationError: the signature is missing or malformed, or doesn't match the body
            and the secret.
    """
    expected = bytes.fromhex(sign_inbound(body, secret))
    value = (header or "").strip()
    value = value[7:] if value[:7].lower() == "sha256=" else value
    if not _HEX_SIGNATURE.fullmatch(value):
        raise SignatureVerificationError(
            "ill_formed",
            "X-SvcForms-Signature-256 must contain 64 hex digits, with or without the prefix sha256=",
        )
    if not hmac.compare_digest(bytes.fromhex(value), expected):
        raise SignatureVerificationError("no_match", "X-SvcForms-Signature-256 doesn't match this body and this secret")
    return True


def _secrets(secret: object) -> list[str]:
    # A program without types can pass None, of an unset variable, or bytes.
    is_one = isinstance(secret, str) or not isinstance(secret, Iterable)
    secrets: list[object] = [secret] if is_one else list(cast("Iterable[object]", secret))
    if not secrets or not all(isinstance(one, str) and one for one in secrets):
        # Anybody can sign with an empty secret.
        raise ValueError("secret must be a non-empty string, or a non-empty list of them")
    return cast("list[str]", secrets)


def _raw(body: Bytes | str) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if not isinstance(body, Bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        # `bytes` of a number has that many zeros.
        raise TypeError(f"body must be the raw body of the request (bytes or str), not {type(body).__name__}")
    return bytes(body)


def _parse(header: str) -> tuple[str, list[bytes]]:
    """Skips the elements of other schemes, so that a later `v2` doesn't break receivers."""
    elements = [element.strip() for element in header.split(",")]
    times = [element[2:] for element in elements if element.startswith("t=")]
    signatures = [
        bytes.fromhex(element[3:])
        for element in elements
        if element.startswith("v1=") and _HEX_SIGNATURE.fullmatch(element[3:])
    ]
    if len(times) != 1 or not _DIGITS.fullmatch(times[0]) or not signatures:
        raise SignatureVerificationError(
            "ill_formed", "Svc-Signature is missing, or doesn't have the form t=<Unix time>,v1=<64 hex digits>"
        )
    return times[0], signatures


def _check_match(
    name: str, signatures: list[bytes], secrets: list[str], key_of: Callable[[str], bytes], signed: bytes
) -> None:
    matches = 0
    for one in secrets:
        expected = hmac.new(key_of(one), signed, hashlib.sha256).digest()
        for received in signatures:
            matches += hmac.compare_digest(received, expected)
    if not matches:
        raise SignatureVerificationError(
            "no_match", f"{name} doesn't match this body and this secret; pass the raw bytes of the body"
        )


def _split(secrets: list[str]) -> tuple[list[str], list[bytes]]:
    """Separates public keys from secrets. Everybody knows a public key, so it must never be the key
    of an HMAC.
    """
    public = [one for one in secrets if one.startswith("whpk_")]
    matched = [_PUBLIC_KEY.fullmatch(one) for one in public]
    if not all(matched):
        raise ValueError("a public key must be whpk_ and 32 bytes in base64")
    return [one for one in secrets if one not in public], [base64.b64decode(one[1]) for one in matched if one]


def _is_signed_by(public_keys: list[bytes], signatures: list[bytes], signed: bytes) -> bool:
    if not public_keys:
        return False
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("a public key needs cryptography: pip install 'svcforms[public-keys]'") from error
    for key in map(Ed25519PublicKey.from_public_bytes, public_keys):
        for signature in signatures:
            try:
                key.verify(signature, signed)
            except InvalidSignature:
                continue
            return True
    return False


def _decoded(pattern: re.Pattern[str], elements: list[str]) -> list[bytes]:
    matched = [pattern.fullmatch(element) for element in elements]
    return [base64.b64decode(one[1]) for one in matched if one]


def _parse_standard(headers: Headers) -> tuple[str, str, list[str], int]:
    """Returns the id, the timestamp and the signatures, each with its version, of the Standard
    Webhooks headers, and the number of hops.
    """
    names = ("svc-hops", "webhook-id", "webhook-timestamp", "webhook-signature")
    found: dict[str, list[str]] = {name: [] for name in names}
    for name, value in headers.items():
        values = found.get(_text(name).lower())
        if values is not None:
            values.append(_text(value).strip())
    # An intermediary may have added a value. The server, too, takes the largest one.
    counts = [value.strip() for value in ",".join(found.pop("svc-hops")).split(",")]
    hops = max(int(value) if _DIGITS.fullmatch(value) else 0 for value in counts)
    event_id, stamp, signature = (values[0] if len(values) == 1 else "" for values in found.values())
    known = (_BASE64_SIGNATURE, _PUBLIC_KEY_SIGNATURE)
    elements = [element for element in signature.split() if any(one.fullmatch(element) for one in known)]
    if not event_id or not _DIGITS.fullmatch(stamp) or not elements:
        raise SignatureVerificationError(
            "ill_formed",
            "webhook-id, webhook-timestamp or webhook-signature is missing, repeated, or malformed",
        )
    return event_id, stamp, elements, hops


def _text(part: Any) -> str:
    """ASGI represents headers as bytes."""
    return part.decode("latin-1") if isinstance(part, bytes) else str(part)


def _standard_key(secret: str) -> bytes:
    """Decodes the key after `whsec_`. Any other secret is the key itself."""
    encoded = _ENCODED_SECRET.fullmatch(secret)
    return base64.b64decode(encoded[1]) if encoded else secret.encode()

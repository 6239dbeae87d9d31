"""Tests of verify_webhook, sign_inbound and verify_inbound_signature."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

import pydantic
import pytest
import standardwebhooks
import stripe
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from svcforms import (
    ServerError,
    SignatureVerificationError,
    SvcForms,
    sign_inbound,
    verify_inbound_signature,
    verify_webhook,
)

from .support.server import ROOT, poll
from .support.webhook_endpoint import WebhookEndpoint

SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
BODY = '{"data":{"name":"Zoë 👩‍🚀"}}'.encode()
NOW = 1_790_000_000

VECTORS: dict[str, Any] = json.loads((ROOT / "libs/signing/src/vectors.json").read_text())


def signature(body: bytes = BODY, secret: str = SECRET, at: int = NOW) -> str:
    return f"t={at},v1={hmac.new(secret.encode(), b'%d.' % at + body, hashlib.sha256).hexdigest()}"


def body_of(vector: dict[str, Any]) -> bytes:
    body = vector["body"]
    text = body["text"] if "text" in body else body["repeat"] * body["times"]
    return str(text).encode()


@pytest.mark.parametrize("vector", VECTORS["svcSignature"], ids=lambda vector: vector["name"])
def test_the_shared_vectors_verify(vector: dict[str, Any]) -> None:
    for secret in vector["secrets"]:
        verify_webhook(body_of(vector), vector["header"], secret, now=vector["timestamp"])


@pytest.mark.parametrize("body", [BODY, BODY.decode(), bytearray(BODY), memoryview(BODY)])
def test_verify_returns_the_signed_body(body: Any) -> None:
    verified = verify_webhook(body, signature(), SECRET, now=NOW)
    assert verified.body == BODY
    assert verified.signed_at.timestamp() == NOW
    assert verified.json() == json.loads(BODY)


@pytest.mark.parametrize("body", [b"not json", b"\xff", b"[" * 100_000, b"{}"])
def test_a_body_that_is_no_event_raises_a_validation_error(body: bytes) -> None:
    verified = verify_webhook(body, signature(body), SECRET, now=NOW)
    with pytest.raises(pydantic.ValidationError):
        _ = verified.event


@pytest.mark.parametrize("text", ["a\ud83d", "\x00", "\u2028", "😀"])
def test_an_event_has_any_text_that_a_visitor_can_submit(text: str) -> None:
    event = {"eventType": "form.submission.new", "timestamp": "2026-03-14T09:26:53.589Z", "data": {text: text}}
    body = json.dumps(event).encode()
    verified = verify_webhook(body, signature(body), SECRET, now=NOW)
    assert verified.event.data == {text: text}


def test_verify_accepts_a_body_that_is_not_json() -> None:
    assert verify_webhook(b"\xff\x00", signature(b"\xff\x00"), SECRET, now=NOW).body == b"\xff\x00"


@pytest.mark.parametrize("index", range(0, len(BODY), 5))
def test_one_flipped_byte_of_the_body_is_refused(index: int) -> None:
    flipped = bytearray(BODY)
    flipped[index] ^= 1
    refused("no_match", flipped, signature())


@pytest.mark.parametrize("index", range(64))
def test_one_changed_digit_of_the_signature_is_refused(index: int) -> None:
    header = signature()
    at = header.index("v1=") + 3 + index
    refused("no_match", BODY, header[:at] + ("0" if header[at] != "0" else "1") + header[at + 1 :])


@pytest.mark.parametrize(
    ("age", "code"),
    [(-301, "too_new"), (-300, None), (0, None), (300, None), (301, "too_old"), (NOW, "too_old")],
)
def test_timestamps_beyond_five_minutes_are_refused(age: int, code: str | None) -> None:
    header = signature(at=NOW - age)
    if code is None:
        verify_webhook(BODY, header, SECRET, now=NOW)
    else:
        refused(code, BODY, header)


def test_verify_uses_the_system_clock() -> None:
    verify_webhook(BODY, signature(at=int(time.time())), SECRET)
    for code, seconds in (("too_old", -302), ("too_new", 302)):
        with pytest.raises(SignatureVerificationError) as caught:
            verify_webhook(BODY, signature(at=int(time.time()) + seconds), SECRET)
        assert caught.value.code == code


def test_the_tolerance_is_configurable() -> None:
    verify_webhook(BODY, signature(at=NOW - 3000), SECRET, tolerance=3000, now=NOW)
    with pytest.raises(SignatureVerificationError):
        verify_webhook(BODY, signature(at=NOW - 2), SECRET, tolerance=1, now=NOW)
    for tolerance in (-1, float("nan")):
        with pytest.raises(ValueError, match="tolerance"):
            verify_webhook(BODY, signature(), SECRET, tolerance=tolerance)


def test_a_changed_timestamp_is_refused() -> None:
    refused("no_match", BODY, signature(at=NOW - 1000).replace(str(NOW - 1000), str(NOW)))


def test_the_age_is_checked_after_the_signature() -> None:
    refused("no_match", BODY, signature(secret="another secret", at=NOW - 9999))


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "t=1790000000",
        "v1=" + "a" * 64,
        "t=,v1=" + "a" * 64,
        "t=1790000000,v1=",
        "t=1790000000,v1=" + "a" * 63,
        "t=1790000000,v1=" + "a" * 65,
        "t=1790000000,v1=" + "g" * 64,
        "t=1790000000,v2=" + "a" * 64,
        "t=1790000000,t=1790000001,v1=" + "a" * 64,
        "t=١٢٣,v1=" + "a" * 64,
        "t=-1,v1=" + "a" * 64,
        "t=1e9,v1=" + "a" * 64,
        "t=" + "9" * 400 + ",v1=" + "a" * 64,
        "nonsense",
        "é" * 100,
    ],
)
def test_a_malformed_header_is_refused(header: str | None) -> None:
    refused("ill_formed", BODY, header)


def test_the_wrong_secret_is_refused() -> None:
    refused("no_match", BODY, signature(secret="whsec_other"))
    refused("no_match", BODY, signature(secret=SECRET.removeprefix("whsec_")))


def test_both_secrets_verify_during_a_rotation() -> None:
    both = signature() + "," + signature(secret="the old one").split(",")[1]
    verify_webhook(BODY, both, SECRET, now=NOW)
    verify_webhook(BODY, both, "the old one", now=NOW)
    verify_webhook(BODY, signature(secret="the old one"), [SECRET, "the old one"], now=NOW)
    with pytest.raises(SignatureVerificationError):
        verify_webhook(BODY, signature(secret="a third one"), [SECRET, "the old one"], now=NOW)


def test_other_schemes_and_spaces_are_ignored() -> None:
    stamp, match = signature().split(",")
    verify_webhook(
        BODY, f" {stamp} , v0=abc , v2=xyz, v1={'0' * 64} ,{match.upper().replace('V1', 'v1')}", SECRET, now=NOW
    )


@pytest.mark.parametrize("secret", ["", [], ["", "x"], [""], None, [None], b"", SECRET.encode(), 5])
def test_an_empty_secret_raises(secret: Any) -> None:
    with pytest.raises(ValueError, match="secret"):
        verify_webhook(BODY, signature(secret=""), secret, now=NOW)


@pytest.mark.parametrize("body", [json.loads(BODY), {}, [1], 3, None])
def test_a_parsed_body_raises(body: Any) -> None:
    for verify in (
        lambda: verify_webhook(body, signature(b"\0" * 3), SECRET, now=NOW),
        lambda: verify_inbound_signature(body, "0" * 64, SECRET),
    ):
        with pytest.raises(TypeError, match=f"the raw body of the request .* not {type(body).__name__}"):
            verify()


def refused(code: str, body: bytes | bytearray, header: str | None) -> None:
    with pytest.raises(SignatureVerificationError) as caught:
        verify_webhook(body, header, SECRET, now=NOW)
    assert caught.value.code == code
    assert SECRET not in str(caught.value)


EVENT_ID = "evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y"


def standard_headers(
    body: bytes = BODY, secret: str = SECRET, at: int = NOW, event_id: str = EVENT_ID
) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    digest = hmac.new(key, f"{event_id}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "Content-Type": "application/json",
        "Webhook-Id": event_id,
        "webhook-timestamp": str(at),
        "WEBHOOK-SIGNATURE": "v1," + base64.b64encode(digest).decode(),
        "Svc-Event-Id": "evt_not_signed",
    }


@pytest.mark.parametrize("vector", VECTORS["standardWebhooks"], ids=lambda vector: vector["name"])
def test_the_shared_standard_webhooks_vectors_verify(vector: dict[str, Any]) -> None:
    headers = {
        "webhook-id": vector["id"],
        "webhook-timestamp": str(vector["timestamp"]),
        "webhook-signature": vector["signature"],
    }
    for secret in vector["secrets"]:
        verified = verify_webhook(body_of(vector), headers, secret, now=vector["timestamp"])
        assert verified.event_id == vector["id"]


def test_headers_contain_the_signed_event_id() -> None:
    verified = verify_webhook(BODY, standard_headers(), SECRET, now=NOW)
    assert (verified.event_id, verified.body, verified.signed_at.timestamp()) == (EVENT_ID, BODY, NOW)
    assert verify_webhook(BODY, standard_headers(secret="its owner's"), "its owner's", now=NOW).event_id == EVENT_ID
    assert verify_webhook(BODY, standard_headers(secret="old one"), [SECRET, "old one"], now=NOW).event_id == EVENT_ID


def test_svc_signature_alone_returns_no_event_id_and_no_hops() -> None:
    verified = verify_webhook(BODY, signature(), SECRET, now=NOW)
    assert (verified.event_id, verified.hops) == (None, 0)


@pytest.mark.parametrize(
    ("added", "hops"),
    [
        ({}, 0),
        ({"Svc-Hops": "3"}, 3),
        ({"Svc-Hops": " 2 , 4,1"}, 4),
        ({"Svc-Hops": "2", "svc-hops": "3"}, 3),
        ({"Svc-Hops": "x, -1, 1.5, ٣,"}, 0),
    ],
)
def test_headers_contain_the_hops(added: dict[str, str], hops: int) -> None:
    assert verify_webhook(BODY, {**standard_headers(), **added}, SECRET, now=NOW).hops == hops


def test_headers_of_any_framework_verify() -> None:
    lower = {name.lower(): value for name, value in standard_headers().items()}
    in_bytes = {name.encode(): value.encode() for name, value in lower.items()}
    for headers in (lower, in_bytes):
        assert verify_webhook(BODY, headers, SECRET, now=NOW).event_id == EVENT_ID


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"Webhook-Id": "evt_other"}, "no_match"),
        ({"Webhook-Id": ""}, "ill_formed"),
        ({"webhook-id": EVENT_ID}, "ill_formed"),
        ({"webhook-timestamp": str(NOW + 1)}, "no_match"),
        ({"webhook-timestamp": "now"}, "ill_formed"),
        ({"WEBHOOK-SIGNATURE": ""}, "ill_formed"),
        ({"WEBHOOK-SIGNATURE": "v2,abc"}, "ill_formed"),
        ({"WEBHOOK-SIGNATURE": "v1," + "A" * 43 + "="}, "no_match"),
    ],
)
def test_changed_headers_are_refused(changed: dict[str, str], code: str) -> None:
    with pytest.raises(SignatureVerificationError) as caught:
        verify_webhook(BODY, {**standard_headers(), **changed}, SECRET, now=NOW)
    assert caught.value.code == code


def test_headers_without_the_standard_signature_are_refused() -> None:
    with pytest.raises(SignatureVerificationError) as caught:
        verify_webhook(BODY, {"svc-signature": signature(), "svc-event-id": EVENT_ID}, SECRET, now=NOW)
    assert caught.value.code == "ill_formed"


@pytest.mark.parametrize(("age", "code"), [(-301, "too_new"), (-300, None), (300, None), (301, "too_old")])
def test_headers_beyond_the_tolerance_are_refused(age: int, code: str | None) -> None:
    headers = standard_headers(at=NOW - age)
    if code is None:
        verify_webhook(BODY, headers, SECRET, now=NOW)
    else:
        with pytest.raises(SignatureVerificationError) as caught:
            verify_webhook(BODY, headers, SECRET, now=NOW)
        assert caught.value.code == code


@pytest.mark.parametrize("vector", VECTORS["timestampedInbound"], ids=lambda vector: vector["name"])
def test_timestamped_inbound_signatures_match_the_service(vector: dict[str, Any]) -> None:
    created = sign_inbound(body_of(vector), vector["secret"], timestamp=vector["timestamp"])
    assert created == vector["signature"]


def test_inbound_signatures_are_the_hex_hmac_of_the_body() -> None:
    expected = hmac.new(b"a secret", BODY, hashlib.sha256).hexdigest()
    assert sign_inbound(BODY, "a secret") == expected
    for header in (expected, f"sha256={expected}", f"  SHA256={expected.upper()} "):
        assert verify_inbound_signature(BODY, header, "a secret")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "ill_formed"),
        ("", "ill_formed"),
        ("sha256=", "ill_formed"),
        ("a" * 63, "ill_formed"),
        ("sha1=" + "a" * 64, "ill_formed"),
        ("g" * 64, "ill_formed"),
        ("a" * 64, "no_match"),
        ("sha256=" + "a" * 64, "no_match"),
    ],
)
def test_invalid_inbound_signatures_are_refused(header: str | None, code: str) -> None:
    with pytest.raises(SignatureVerificationError) as caught:
        verify_inbound_signature(BODY, header, "a secret")
    assert caught.value.code == code


def test_deliveries_verify_here_and_with_stripe(client: SvcForms, webhook_endpoint: WebhookEndpoint) -> None:
    form = client.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"])
    submission_id = client.submissions.create(form.id, {"name": "Zoë 👩‍🚀\u2028</script>"})

    received = webhook_endpoint.next()
    event = verify_webhook(received.body, received.signature, hook.secret).event
    assert (event.event_type, event.form_id, event.submission_id) == ("form.submission.new", form.id, submission_id)
    assert event.data == {"name": "Zoë 👩‍🚀\u2028</script>"}

    verify = stripe.WebhookSignature.verify_header
    assert verify(received.body.decode(), received.signature, hook.secret, tolerance=300)
    with pytest.raises(stripe.SignatureVerificationError):
        verify(received.body.decode() + " ", received.signature, hook.secret, tolerance=300)


def test_submissions_that_pass_on_their_hops_end_a_loop(client: SvcForms, webhook_endpoint: WebhookEndpoint) -> None:
    form = client.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"])
    token = client.inbound.create(form.id).token
    hops = 0
    for count in range(1, 6):
        if count % 2:
            client.submissions.create(form.id, {"name": "x"}, hops=hops)
        else:
            client.inbound.send(form.id, token, {"name": "x"}, hops=hops)
        received = webhook_endpoint.next()
        hops = verify_webhook(received.body, received.headers, hook.secret).hops
        assert hops == count
    with pytest.raises(ServerError) as submitted:
        client.submissions.create(form.id, {"name": "x"}, hops=hops)
    with pytest.raises(ServerError) as sent:
        client.inbound.send(form.id, token, {"name": "x"}, hops=hops)
    assert (submitted.value.code, sent.value.code) == ("LOOP_DETECTED", "LOOP_DETECTED")


def test_deliveries_have_both_signatures_during_a_rotation(client: SvcForms, webhook_endpoint: WebhookEndpoint) -> None:
    form = client.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    old = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"])
    new = client.webhooks.rotate_secret(form.id, old.id)
    assert new.secret != old.secret
    client.submissions.create(form.id, {"name": "x"})
    received = webhook_endpoint.next()
    for secret in (old.secret, new.secret, [new.secret, old.secret]):
        assert verify_webhook(received.body, received.signature, secret).event.form_id == form.id


def test_a_redelivery_has_the_same_signed_event_id(client: SvcForms, webhook_endpoint: WebhookEndpoint) -> None:
    form = client.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    hook = client.webhooks.create(form.id, webhook_endpoint.url, ["form.submission.new"])
    client.submissions.create(form.id, {"name": "x"})
    first = webhook_endpoint.next()
    verified = verify_webhook(first.body, first.headers, hook.secret)
    assert verified.event_id == first.headers["svc-event-id"]
    assert verified.event.form_id == form.id

    def delivered() -> str | None:
        return next((one.id for one in client.webhooks.deliveries(form.id, hook.id, status="delivered")), None)

    poll(lambda: delivered() is not None, "the delivery")
    client.webhooks.redeliver(form.id, hook.id, str(delivered()))
    again = webhook_endpoint.next()
    assert verify_webhook(again.body, again.headers, hook.secret).event_id == verified.event_id

    replayed = {**again.headers, "webhook-id": "evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y"}
    with pytest.raises(SignatureVerificationError):
        verify_webhook(again.body, replayed, hook.secret)


def public_key_headers(key: Ed25519PrivateKey, body: bytes = BODY, at: int = NOW) -> dict[str, str]:
    """Headers with a public-key signature beside that of SECRET."""
    signed = f"evt_1.{at}.".encode() + body
    shared = hmac.new(base64.b64decode(SECRET[6:]), signed, hashlib.sha256).digest()
    signatures = f"v1,{base64.b64encode(shared).decode()} v1a,{base64.b64encode(key.sign(signed)).decode()}"
    return {"webhook-id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": signatures}


def whpk(key: Ed25519PrivateKey) -> str:
    return "whpk_" + base64.b64encode(key.public_key().public_bytes_raw()).decode()


def test_public_keys_verify_all_headers() -> None:
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    headers = public_key_headers(key)
    for one in (whpk(key), [whpk(other), whpk(key)], [SECRET, whpk(other)], SECRET):
        assert verify_webhook(BODY, headers, one, now=NOW).event_id == "evt_1"
    for wrong in (whpk(other), ["another secret", whpk(other)]):
        with pytest.raises(SignatureVerificationError) as caught:
            verify_webhook(BODY, headers, wrong, now=NOW)
        assert caught.value.code == "no_match"
    for changed in ({"webhook-id": "evt_2"}, {"webhook-timestamp": str(NOW + 1)}):
        with pytest.raises(SignatureVerificationError):
            verify_webhook(BODY, {**headers, **changed}, whpk(key), now=NOW)
    with pytest.raises(SignatureVerificationError) as caught:
        verify_webhook(BODY, headers, whpk(key), now=NOW + 301)
    assert caught.value.code == "too_old"


def test_a_public_key_is_never_the_key_of_an_hmac() -> None:
    public = whpk(Ed25519PrivateKey.generate())
    forged = hmac.new(public.encode(), f"evt_1.{NOW}.".encode() + BODY, hashlib.sha256).digest()
    headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(NOW),
        "webhook-signature": f"v1,{base64.b64encode(forged).decode()}",
    }
    with pytest.raises(SignatureVerificationError):
        verify_webhook(BODY, headers, public, now=NOW)
    with pytest.raises(ValueError, match="pass all headers"):
        verify_webhook(BODY, signature(secret=public), public, now=NOW)
    with pytest.raises(ValueError, match="whpk_ and 32 bytes"):
        verify_webhook(BODY, headers, "whpk_AAAA", now=NOW)


def test_deliveries_have_a_public_key_signature(client: SvcForms, webhook_endpoint: WebhookEndpoint) -> None:
    form = client.forms.create("Contact", fields=[{"name": "name", "type": "text"}])
    url, events = webhook_endpoint.url, ["form.submission.new"]
    hook = client.webhooks.create(form.id, url, ["form.submission.new"], is_public_key_signed=True)
    assert (hook.events, hook.is_public_key_signed) == (events, True)
    assert hook.public_key is not None
    client.submissions.create(form.id, {"name": "Zoë"})
    received = webhook_endpoint.next()
    for one in (hook.secret, hook.public_key):
        assert verify_webhook(received.body, received.headers, one).event.form_id == form.id
    standardwebhooks.Webhook(hook.secret).verify(received.body, dict(received.headers))
    assert client.webhooks.get(form.id, hook.id).public_key == hook.public_key
    off = client.webhooks.update(form.id, hook.id, is_public_key_signed=False)
    assert (off.is_public_key_signed, off.public_key, off.public_key_id) == (False, None, None)

"""Selects and adjusts generated requests; schemathesis calls the hooks for each of them."""

import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from uuid import uuid4
from zlib import crc32

import schemathesis
from schemathesis.generation.meta import TestPhase

KEPT = set(os.environ["SVC_TEST_KEPT"].split(","))
CURSOR = os.environ["SVC_TEST_CURSOR"]
PREFIXES = {
    "submissions": "sub",
    "webhooks": "whk",
    "deliveries": "del",
    "keys": "key",
    "users": "usr",
    "invitations": "inv",
    "endpoints": "inb",
    "audit-log": "aud",
    "notification-addresses": "nad",
}
CHANGING_METHODS = ("DELETE", "PUT", "PATCH")
CHANGING_PATHS = ("/rotate", "/rotate-secret", "/cancel", "/decision")

# Members that the bodies of several operations share, and these operations: one schema, which one
# validator checks.
OF_FORMS = ("POST /api/forms", "PUT /api/forms/{formId}", "POST /api/forms/import")
OF_WEBHOOKS = (
    "POST /api/webhooks",
    "PATCH /api/webhooks/{webhookId}",
    "POST /api/webhooks/filter/preview",
    "POST /api/forms/{formId}/webhooks",
    "PATCH /api/forms/{formId}/webhooks/{webhookId}",
    "POST /api/forms/{formId}/webhooks/filter/preview",
)
SHARED_MEMBERS = {"fields": OF_FORMS, "settings": OF_FORMS, "filter": OF_WEBHOOKS}
first_with = {}


@schemathesis.hook
def filter_case(context, case):
    """
    Sends each coverage case about a shared member, of which there are thousands, to the first operation that has it and
    to one that depends on the case: none is lost, and each operation gets its share.
    """
    phase = case.meta.phase
    if phase.name != TestPhase.COVERAGE:
        return True
    label, description = case.operation.label, phase.data.description
    member = re.match(r"(?:Object with valid ')?(\w*)", description)[1]
    operations = SHARED_MEMBERS.get(member, ())
    if label not in operations:
        return True
    chosen = operations[crc32(description.encode()) % len(operations)]
    return label in (first_with.setdefault(description, label), chosen)


@schemathesis.hook
def before_call(context, case, kwargs):
    send_each_key_once(case)
    keep_what_others_need(case)
    give_cursor_of_list(case)


def send_each_key_once(case):
    """Gives each request its own Idempotency-Key, because a repeated key returns the stored response."""
    headers = case.headers
    if headers is not None and 0 < len(str(headers.get("Idempotency-Key", ""))) <= 255:
        headers["Idempotency-Key"] = str(uuid4())


def give_cursor_of_list(case):
    """Converts the configured cursor, which is one of forms, to the id type of the list."""
    prefix = PREFIXES.get(case.path.rsplit("/", 1)[-1])
    if prefix and case.query and case.query.get("cursor") == CURSOR:
        of_forms = urlsafe_b64decode(CURSOR + "=" * (-len(CURSOR) % 4)).decode()
        case.query["cursor"] = urlsafe_b64encode(of_forms.replace("frm_", f"{prefix}_").encode()).decode().rstrip("=")


def keep_what_others_need(case):
    """Keeps requests that update or delete away from the fixture; they may use resources that schemathesis created."""
    if case.method.upper() not in CHANGING_METHODS and not case.path.endswith(CHANGING_PATHS):
        return
    for name, value in (case.path_parameters or {}).items():
        if value in KEPT:
            case.path_parameters[name] = value[:-4] + "0000"

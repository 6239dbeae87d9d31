"""Makes what is sent mean something: schemathesis calls these before each request."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from uuid import uuid4

import schemathesis

KEPT = set(os.environ["SVC_TEST_KEPT"].split(","))
CURSOR = os.environ["SVC_TEST_CURSOR"]
PREFIXES = {
    "submissions": "sub",
    "webhooks": "whk",
    "deliveries": "del",
    "keys": "key",
    "users": "usr",
    "endpoints": "inb",
    "audit-log": "aud",
    "notification-addresses": "nad",
}
CHANGING_METHODS = ("DELETE", "PUT", "PATCH")
CHANGING_PATHS = ("/rotate", "/rotate-secret", "/cancel", "/decision")


@schemathesis.hook
def before_call(context, case, kwargs):
    send_each_key_once(case)
    keep_what_others_need(case)
    give_cursor_of_list(case)


def send_each_key_once(case):
    """A key that was sent before answers for another body, as it should; each request is to be one of its own."""
    headers = case.headers
    if headers is not None and 0 < len(str(headers.get("Idempotency-Key", ""))) <= 255:
        headers["Idempotency-Key"] = str(uuid4())


def give_cursor_of_list(case):
    """The one that is set is of forms; another list takes a cursor of its own alone."""
    prefix = PREFIXES.get(case.path.rsplit("/", 1)[-1])
    if prefix and case.query and case.query.get("cursor") == CURSOR:
        of_forms = urlsafe_b64decode(CURSOR + "=" * (-len(CURSOR) % 4)).decode()
        case.query["cursor"] = urlsafe_b64encode(of_forms.replace("frm_", f"{prefix}_").encode()).decode().rstrip("=")


def keep_what_others_need(case):
    """Ids that it read in answers lead to things that the other calls are sent to; what is changed is what it made itself."""
    if case.method.upper() not in CHANGING_METHODS and not case.path.endswith(CHANGING_PATHS):
        return
    for name, value in (case.path_parameters or {}).items():
        if value in KEPT:
            case.path_parameters[name] = value[:-4] + "0000"

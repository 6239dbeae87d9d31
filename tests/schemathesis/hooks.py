"""Makes what is sent mean something: schemathesis calls these before each request."""

from uuid import uuid4

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key that was sent before answers for another body, as it should; each request is to be one of its own."""
    headers = case.headers
    if headers is not None and 0 < len(str(headers.get("Idempotency-Key", ""))) <= 255:
        headers["Idempotency-Key"] = str(uuid4())

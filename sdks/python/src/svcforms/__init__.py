"""The Python SDK of SvcForms: tasks, forms, submissions, webhooks and events.

Start with `SvcForms` or `AsyncSvcForms`. `verify_webhook` and `require_approval` are functions of
their own.
"""

from importlib.metadata import version as _version

from ._async.client import AsyncSvcForms
from ._async.pages import AsyncPager
from ._async.resources.events import AsyncEventStream
from ._responses import Page, RawResponse
from ._sync.client import SvcForms
from ._sync.pages import Pager
from ._sync.resources.events import EventStream
from .approval import require_approval
from .errors import (
    ERROR_CODES,
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    ApprovalCancelledError,
    ApprovalError,
    ApprovalExpiredError,
    ApprovalRejectedError,
    ApprovalUsedError,
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    DedupeKeyReusedError,
    Issue,
    NotAReviewerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    SignatureVerificationError,
    StreamGapError,
    SvcFormsError,
    TaskAlreadySettledError,
    TaskClaimedError,
    TaskExpiredError,
    TaskTimeoutError,
    UnexpectedAnswerError,
    UnprocessableError,
)
from .models import Event, Form, FormField, FormSettings, Submission, Task, Webhook, WebhookEvent
from .signatures import VerifiedWebhook, sign_inbound, verify_inbound_signature, verify_webhook

__version__ = _version("svcforms")

__all__ = [
    "ERROR_CODES",
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "ApprovalCancelledError",
    "ApprovalError",
    "ApprovalExpiredError",
    "ApprovalRejectedError",
    "ApprovalUsedError",
    "AsyncEventStream",
    "AsyncPager",
    "AsyncSvcForms",
    "AuthenticationError",
    "BadRequestError",
    "ConfigurationError",
    "ConflictError",
    "DedupeKeyReusedError",
    "Event",
    "EventStream",
    "Form",
    "FormField",
    "FormSettings",
    "Issue",
    "NotAReviewerError",
    "NotFoundError",
    "Page",
    "Pager",
    "PermissionDeniedError",
    "RateLimitError",
    "RawResponse",
    "ServerError",
    "SignatureVerificationError",
    "StreamGapError",
    "Submission",
    "SvcForms",
    "SvcFormsError",
    "Task",
    "TaskAlreadySettledError",
    "TaskClaimedError",
    "TaskExpiredError",
    "TaskTimeoutError",
    "UnexpectedAnswerError",
    "UnprocessableError",
    "VerifiedWebhook",
    "Webhook",
    "WebhookEvent",
    "require_approval",
    "sign_inbound",
    "verify_inbound_signature",
    "verify_webhook",
]

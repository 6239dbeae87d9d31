import type { ErrorCode } from './errors.ts';

/**
 * What each failure means and what to do about it; CommonMark. docs/errors.md and /docs/errors show
 * these texts.
 */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  INVALID_BODY:
    'The body is not what the call takes at all: not JSON, not UTF-8, not an object, nested deeper than 100 levels, or cut off on its way. A management call that needs a body got none. Send a JSON object.',
  UNAUTHORIZED:
    "No credentials came, or they are not valid: a management call needs `Authorization: Bearer svc_key_…`, with a key that exists and has not expired, or the cookie of a login; an inbound call needs the token of one of that form's endpoints, in the same header or as `token` in the body; the header comes first. An inbound call on a form without an endpoint is answered like this too.",
  INVALID_SIGNATURE:
    'The inbound endpoint has a secret, and `X-SvcForms-Signature-256` is missing or is not the hex HMAC-SHA256 of the exact bytes of the body, keyed with it. Sign what you send, not what you parsed. On an endpoint with `requireTimestamp` the signature is over `X-SvcForms-Timestamp` (unix seconds), a dot and the body, and the timestamp is at most 300 seconds from now.',
  ENDPOINT_DISABLED:
    'The inbound endpoint is switched off. Its owner switches it on again with `PATCH /api/forms/{formId}/inbound/endpoints/{inboundId}` and `{"isEnabled": true}`.',
  PLAN_RESTRICTED:
    "The plan of the form's owner does not include this; inbound submissions need `pro` or `business`. The operator changes the plan with the admin command.",
  NOT_FOUND:
    'There is nothing at this path, or nothing of that id that the caller may see. An id of another account, a deleted one and one that is no id at all look the same.',
  ERASED:
    "What the request names existed and was erased, because somebody deleted it, asked for a person's data to be erased, or its retention period ended. A delivery can't be sent again, a callback can't be repeated, a `dedupeKey` or an `Idempotency-Key` of an erased task, or of a deleted form, stays taken. Nothing restores the values; use a new key for a new one.",
  VALIDATION_FAILED:
    "The body or the query could be read, but some values are not taken. `errors` names each place as a JSON pointer (RFC 6901) and says what is expected there: an unknown key, a value of another type or length, a field's rule, a webhook URL that may not be called, a cursor that is not from this list. At most 200 places are named; the message counts all. Nothing was changed.",
  INSUFFICIENT_SCOPE:
    "The API key is valid, or the user logged in, but the key or the user's role lacks the scope that `requiredScope` names. Make a key with that scope, or ask an owner; `session` means that the call is for people who log in. Nobody can create, change or delete a key or a user that may do more than they: that is refused like this too. `owner` means that only owners may do it, and keys with `*` that the operator or an owner created.",
  REAUTHENTICATION_REQUIRED:
    'The call creates credentials or replaces them, and the user gave the password more than 10 minutes ago. Send it to `POST /api/auth/reauthenticate`, then repeat the call. API keys are never answered like this.',
  ORIGIN_NOT_ALLOWED:
    "A form lists the origins whose pages may submit it (`settings.allowedOrigins`), and the request's `Origin` is not among them, nor the product's own, or there is none. Or: a page of another site tried to change something with the login of a user; what browsers do with a login's cookie is taken from the product's own pages alone.",
  METHOD_NOT_ALLOWED: 'The path exists, the method does not; `Allow` lists those that do.',
  CONFLICT:
    'The request does not fit the present state: `If-Match` names a version of the form that is no longer the saved one (`version` says which is), the form has an inbound endpoint already (`POST …/inbound/endpoints` adds another one), or as many inbound endpoints or webhooks as a form may have; the form of a task was deleted; a callback is being sent, or there is nothing to tell yet. Read the present state and decide again.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB (1 048 576 bytes).',
  UNSUPPORTED_MEDIA_TYPE:
    'The body is not declared as `Content-Type: application/json`, or it came with a `Content-Encoding`. Send plain JSON.',
  RATE_LIMITED:
    "More requests came than are allowed: of one API key, for one inbound endpoint, or on public calls from one client network (an IPv4 address, or the /64 of an IPv6 address), for one form or for all of them. A bucket holds a minute's requests and fills evenly; `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until it is full) come with every counted answer. Too many failed logins are refused alike. A text search is refused, too, while another one of the same caller runs and two wait; an export with `q`, while another one runs. Try again after `Retry-After` seconds. Nothing was changed.",
  UNKNOWN_EVENT_TYPE:
    'The path of the event stream names something that is no event. `eventTypes` of the answer lists those that there are; several are separated by commas, `hitl.task.*` is all of tasks, `*` is everything.',
  TOO_MANY_STREAMS:
    'The API key or user has 10 event streams open, or the account 100, on the process that answered. Close one, or let one stream carry several types of events.',
  TASK_ALREADY_SETTLED:
    'The task was decided or cancelled before, by somebody else or by the passing of time; `outcome` of the answer says how it ended. Read the task to see who did and when.',
  TASK_EXPIRED: 'The task was not settled in time. Ask again with a new task.',
  TASK_CLAIMED:
    'Somebody has claimed the task: `claimedBy` of the answer says who, `claimedUntil` until when. It comes free by then, or when its holder releases it. A claim is not renewed by claiming again.',
  IDEMPOTENCY_KEY_REUSED:
    'The `Idempotency-Key` came with another body within the last 24 hours. Use a new key for a new request.',
  DEDUPE_KEY_REUSED:
    'The `dedupeKey` belongs to a task that asks for something else, so its decision must not be taken for a decision about this request. `errors` names what differs: `templateId`, `title`, `description`, `prefill`, `editableFields` or `decisionMode`. Expiry, priority, metadata, callback and assignee may differ. Use a key that identifies the action and all its arguments. Nothing was created.',
  IDEMPOTENCY_IN_PROGRESS:
    'The first request with this `Idempotency-Key` is still running. Try again after `Retry-After` seconds; once it has ended you get its answer. A request whose process died keeps its key for 30 seconds; then the next one with the same body goes on in its place, and makes the same thing, not another one.',
  LOOP_DETECTED:
    'Five webhook deliveries in a row led to this submission (`Svc-Hops` is 5 or more), so the chain is cut. Find the webhook whose endpoint submits a form again, and change its URL or the form.',
  UNAVAILABLE:
    "The store or the bus can't be reached, has no room, or the process is being stopped. What you sent doesn't count as accepted. Try again after `Retry-After` seconds where it is given; with an `Idempotency-Key` nothing is made twice, even if the first try was stored after all. On `/readyz`, `failing` lists what is wrong.",
  INTERNAL: 'Something went wrong on our side. The log has the reason under the same `requestId`.',
};

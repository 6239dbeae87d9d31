import type { ErrorCode } from './errors.ts';

/**
 * The meaning of each error code and what to do about it, in CommonMark, for docs/errors.md and the
 * page /docs/errors.
 */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  INVALID_BODY:
    "The request body can't be read: it isn't JSON, isn't UTF-8, isn't an object, is nested deeper than 100 levels, or was cut off in transit; or a request that needs a body has none. Send a JSON object.",
  UNAUTHORIZED:
    "Credentials are missing or invalid. The management API needs `Authorization: Bearer svc_key_…` with an API key that exists and has not expired, or the cookie of a session. An inbound request needs the token of one of the form's endpoints, in the same header or as `token` in the body; the header takes precedence. An inbound request to a form without an endpoint gets this error too.",
  SECOND_FACTOR_REQUIRED:
    'The password is right, and the user has two-factor authentication. Send the `challenge` of the problem with a code to `POST /api/auth/login/second-factor` within 5 minutes.',
  INVALID_SIGNATURE:
    "The inbound endpoint has a secret, and `X-SvcForms-Signature-256` is missing or isn't the hex HMAC-SHA256 of the exact request body with that secret. Sign the bytes that you send, not a parsed copy. On an endpoint with `requireTimestamp`, sign `X-SvcForms-Timestamp` (Unix time in seconds), a dot and the body; the timestamp may be at most 300 seconds from now.",
  ENDPOINT_DISABLED:
    'The inbound endpoint is disabled. Its owner can enable it with `PATCH /api/forms/{formId}/inbound/endpoints/{inboundId}` and `{"isEnabled": true}`.',
  PLAN_RESTRICTED:
    "The plan of the form's account doesn't include this feature; inbound submissions need `pro` or `business`. The operator can change the plan with the admin command.",
  NOT_FOUND:
    'Nothing exists at this path, or no resource with this id is visible to the caller. Ids of other accounts, ids of deleted resources and malformed ids get the same response.',
  ERASED:
    "The resource existed and was erased: somebody deleted it, requested the erasure of a person's data, or its retention period ended. Its deliveries can't be retried and its callback can't be repeated. The `dedupeKey` or `Idempotency-Key` of an erased task or a deleted form stays reserved; use a new key. The values can't be restored.",
  VALIDATION_FAILED:
    'The request is readable, but some values are invalid. `errors` names each one in the body or the query with a JSON pointer (RFC 6901) and says what is expected: no unknown keys, another type or length, what a field requires, a webhook URL that may be called, a cursor from this list. It lists at most 200 values; the message counts all. For an invalid `If-Match` or `Idempotency-Key`, there is no `errors`, and the message names the header. Nothing was changed.',
  INSUFFICIENT_SCOPE:
    "The credentials are valid, but the API key or the user's role lacks the scope in `requiredScope`. Create a key with that scope, or ask an owner. `session` means that the request needs a logged-in user. `owner` means that only owners may make the request, and keys with `*` that the operator or an owner created. Creating, changing or deleting a key or a user with more rights than the caller gets this error too.",
  REAUTHENTICATION_REQUIRED:
    'The request creates or replaces credentials, and the user entered the password more than 10 minutes ago. Send it to `POST /api/auth/reauthenticate`, or log in again with the identity provider at `/api/auth/oidc/start?prompt=login`, then repeat the request. API keys never get this error.',
  PASSWORD_CHANGE_REQUIRED:
    'The user logged in with a generated password, which must be changed first: send `password` and `currentPassword` to `PATCH /api/auth/me`, then repeat the request. API keys never get this error.',
  SINGLE_SIGN_ON_REQUIRED:
    "The user's account accepts logins with the identity provider only: passwords, reset links, codes and invitations with a password don't work there. Open `/api/auth/oidc/start` in a browser. A login gets this error only with the right password. API keys never get it. If the identity provider isn't available, the operator runs `npm run admin -- account set-single-sign-on ACCOUNT optional`.",
  FORM_CLOSED:
    "The form doesn't accept submissions anymore: it was closed, its closing time has passed, or it has as many submissions as it may (`settings.closing`). Nothing was stored. Its owner can open it again. Tasks on the form aren't affected.",
  ORIGIN_NOT_ALLOWED:
    "The form lists the origins whose pages may submit it (`settings.allowedOrigins`), and the request's `Origin` is missing or neither in that list nor the product's own. Or: a page of another site tried to change something with a user's session. Requests with a session cookie are accepted only from the product's own pages.",
  METHOD_NOT_ALLOWED:
    'The path exists, but not with this method. `Allow` lists the methods that it supports.',
  CONFLICT:
    "The request conflicts with the current state: `If-Match` names a version of the form that is no longer the saved one (`version` is the current one); the form already has an inbound endpoint (`POST …/inbound/endpoints` adds another one); the form has the maximum number of inbound endpoints or webhooks; the form of a task was deleted; a callback is being sent; or the task of a callback hasn't ended yet. Read the current state and decide again.",
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB (1 048 576 bytes). Send a smaller body.',
  UNSUPPORTED_MEDIA_TYPE:
    "The body isn't declared as `Content-Type: application/json`, or it has a `Content-Encoding`. Send uncompressed JSON.",
  RATE_LIMITED:
    'Too many requests: for one API key, for one inbound endpoint, or on public routes from one client network (an IPv4 address, or the /64 of an IPv6 address), for one form or for all forms. A bucket holds the requests of one minute and refills evenly; every counted response has `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds until the bucket is full). Too many failed logins get this error too, as does a text search while another one of the same caller runs and two wait, and an export with `q` or `where` while another one runs. Retry after `Retry-After` seconds. Nothing was changed.',
  UNKNOWN_EVENT_TYPE:
    'The path of the event stream contains an unknown event type. `eventTypes` lists the known ones. Separate several with commas; `hitl.task.*` selects all task events, `form.*` all that begin with `form.`, `*` all events.',
  TOO_MANY_STREAMS:
    'The API key or user has 10 open event streams, or the account has 100. Close one, or receive several event types on one stream.',
  TASK_ALREADY_SETTLED:
    'The task was already resolved, by somebody else or by its expiry; `outcome` says how. Read the task to see who resolved it and when.',
  TASK_EXPIRED: 'Nobody resolved the task in time. Create a new task.',
  TASK_CLAIMED:
    "Somebody else has claimed the task: `claimedBy` says who, and `claimedUntil` until when. The claim ends then, or when its holder releases it. Claiming again doesn't extend it.",
  NOT_A_REVIEWER:
    "The policy of the task doesn't let the caller vote; `reason` says why. `not_listed`: the caller is neither one of its users nor in one of its groups, or has handed the vote to somebody else. `creator`: the creator of a task never decides it, and neither does the user whose API key or connected agent created it. `not_a_person`: only people vote, so an API key needs a user who created it. Ask one of the people in `progress.waitingFor` of the task.",
  IDEMPOTENCY_KEY_REUSED:
    'The `Idempotency-Key` was used with another body or query in the last 24 hours. Use a new key for a new request.',
  DEDUPE_KEY_REUSED:
    'The `dedupeKey` belongs to a task with a different question, so its decision must not be used for this request. `errors` names the differences: `templateId`, `title`, `description`, `prefill`, `editableFields`, `decisionMode`, `action` or `policy`. Expiry, priority, metadata, callback and assignee may differ. Use a key that identifies the action and all its arguments. Nothing was created.',
  INVALID_RECEIPT:
    "The `receipt` wasn't issued by this installation for a task of this account, or the task was deleted. Send the `receipt` of an approved task unchanged. Don't run the action.",
  RECEIPT_EXPIRED:
    "The receipt is older than 24 hours and wasn't redeemed. Don't run the action; ask for a new approval.",
  ACTION_CHANGED:
    "The `args` aren't those that were approved: the digest of the tool and these arguments differs from that of the receipt. Don't run the action with them; run it with the arguments in the `action` of the task, or ask for a new approval. The receipt isn't redeemed.",
  RECEIPT_REDEEMED:
    "Somebody has redeemed the receipt before; `redeemedAt` says when. Don't run the action a second time. A request that repeats an `Idempotency-Key` gets the response of the first one instead.",
  IDEMPOTENCY_IN_PROGRESS:
    'The first request with this `Idempotency-Key` is still running. Retry after `Retry-After` seconds to get its response. If the process of the first request died, the key is reserved for 30 seconds; then the next request with the same body continues in its place and creates the same resource, not a second one.',
  LOOP_DETECTED:
    'Five webhook deliveries in a row led to this submission (`Svc-Hops` is 5 or more), so it was refused. Find the webhook whose endpoint submits a form again, and change its URL or the form.',
  UNAVAILABLE:
    "The store or the bus can't be reached or is full, the process is shutting down, or it has too many large request bodies in memory. The request wasn't accepted. Retry after `Retry-After` seconds, if given; with an `Idempotency-Key` nothing is created twice, even if the first request was stored after all. On `/readyz`, `failing` lists the causes.",
  INTERNAL:
    'An unexpected error on our side. Retry later. If the error persists, report the `requestId`: the log has the cause under it.',
};

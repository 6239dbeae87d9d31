import { AppError, hopsOf, isAppError, type Plan } from '@svcforms/contracts';
import { parseJson, type PathRequest, type Reply, type RunOnce } from '@svcforms/http';
import type { AccountRecord } from '@svcforms/identity';
import {
  checkableFields,
  capturedMetadata,
  formOfEndpoint,
  inboundSecretContext,
  newSubmission,
  storeSubmission,
  type FormRecord,
  type InboundEndpointRecord,
  type SubmissionSink,
} from '@svcforms/records';
import {
  hashToken,
  verifyInboundSignature,
  verifyTimestampedInbound,
  type SecretBox,
} from '@svcforms/signing';
import type { IncomingHttpHeaders } from 'node:http';
import { readFields } from './read-fields.ts';
import { presentedToken } from './token.ts';

/** Reads what is stored now. */
type Find<T> = (key: string) => Promise<T>;

export interface ReceiveDeps extends SubmissionSink {
  findForm: Find<FormRecord | null>;
  /** By the hash of the token, of whichever form. */
  findEndpoints: Find<InboundEndpointRecord[]>;
  findAccount: Find<AccountRecord | null>;
  /** By form id: whose forms they were when they were last called. A form never changes hands. */
  accountIds: Map<string, string>;
  secretBox: Pick<SecretBox, 'open'>;
  runOnce: RunOnce;
  now: () => number;
}

/** spec: webhooks-tasks-inbound, Limits 1 */
const PLANS_WITH_INBOUND: readonly Plan[] = ['pro', 'business'];
const MAX_ACCOUNT_IDS = 10_000;
const SIGNATURE_HEADER = 'x-svcforms-signature-256';
const TIMESTAMP_HEADER = 'x-svcforms-timestamp';

/**
 * One inbound submission. The order of the checks is part of the contract: nothing is told about a form's endpoint before the
 * token has been shown, nor about the body before the signature.
 * spec: webhooks-tasks-inbound, Errors; contract: api.md §4
 */
export async function receive(
  deps: ReceiveDeps,
  request: PathRequest<'formId', unknown, unknown, null>,
): Promise<Reply> {
  const { rawBody, headers } = request;
  const { formId } = request.params;
  const body = parsed(rawBody);
  const presented = presentedToken(headers.authorization, body);
  const { form, endpoint, account } = await findParties(deps, formId, presented?.token);
  if (!form || form.deletedAt) throw new AppError('NOT_FOUND', 'There is no such form');
  if (!presented || !endpoint) {
    throw new AppError(
      'UNAUTHORIZED',
      'Send the token of an inbound endpoint of this form as "Authorization: Bearer svc_inb_…" or as "token" in the body',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  }
  // Only now: whoever knows a form's id, which is on public pages, must not be able to use its endpoint up.
  await request.count(endpoint._id);
  if (!endpoint.isEnabled) throw new AppError('ENDPOINT_DISABLED', 'This inbound endpoint is switched off');
  if (!account || !PLANS_WITH_INBOUND.includes(account.plan)) {
    throw new AppError('PLAN_RESTRICTED', 'Inbound submissions need the Pro or Business plan');
  }
  checkSignature(deps, endpoint, rawBody, headers);
  if (isAppError(body)) throw body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('INVALID_BODY', 'The body must be a JSON object of field values');
  }

  // After the checks whose order the contract fixes.
  const hops = hopsOf(headers);

  const values = presented.isInBody ? withoutToken(body) : body;
  const fieldMapping = JSON.parse(endpoint.fieldMapping) as Record<string, string>;
  const call = {
    caller: endpoint._id,
    accountId: form.accountId,
    path: `/api/inbound/${formId}`,
    key: headers['idempotency-key']?.toString(),
    rawBody,
  };
  return deps.runOnce(call, async (ulid) => {
    const submission = newSubmission({
      ...(ulid ? { id: `sub_${ulid}` } : {}),
      accountId: form.accountId,
      formId,
      data: JSON.stringify(readFields(checkableFields(form.fields), fieldMapping, values)),
      metadata: { submittedVia: 'inbound', ...capturedMetadata(form, request) },
      requestId: request.requestId,
      hops,
      now: deps.now(),
    });
    await storeSubmission(deps, submission);
    request.note({
      event: 'submission.accepted',
      formId,
      submissionId: submission._id,
      accountId: form.accountId,
    });
    return { message: 'Submission accepted', data: { submissionId: submission._id } };
  });
}

/** @throws AppError `INVALID_SIGNATURE` where the endpoint has a secret and the request isn't signed with it. */
function checkSignature(
  { secretBox, now }: Pick<ReceiveDeps, 'secretBox' | 'now'>,
  { _id, secret: sealed, requireTimestamp }: InboundEndpointRecord,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): void {
  if (sealed === undefined) return;
  const secret = secretBox.open(sealed, inboundSecretContext(_id));
  const header = headers[SIGNATURE_HEADER]?.toString();
  if (!requireTimestamp) {
    if (verifyInboundSignature({ header, rawBody, secret })) return;
    throw new AppError(
      'INVALID_SIGNATURE',
      'X-SvcForms-Signature-256 must be the hex HMAC-SHA256 of the exact body, keyed with the endpoint’s secret',
    );
  }
  const timestamp = headers[TIMESTAMP_HEADER]?.toString();
  if (verifyTimestampedInbound({ header, timestamp, rawBody, secret, now: now() / 1000 })) return;
  throw new AppError(
    'INVALID_SIGNATURE',
    'X-SvcForms-Signature-256 must be the hex HMAC-SHA256 of X-SvcForms-Timestamp, a dot and the exact body, keyed with the endpoint’s secret; the timestamp is in unix seconds and at most 300 seconds from now',
  );
}

/** All that a request is judged by, as it is stored now: for a form that was called before in one round trip. */
async function findParties(deps: ReceiveDeps, formId: string, token: string | undefined) {
  const { findForm, findEndpoints, findAccount, accountIds } = deps;
  const knownId = accountIds.get(formId);
  const [form, endpoints, known] = await Promise.all([
    findForm(formId),
    // Found by its hash: how long that takes says nothing about the token.
    token === undefined ? [] : findEndpoints(hashToken(token)),
    knownId === undefined ? null : findAccount(knownId),
  ]);
  const endpoint = endpoints.find((each) => formOfEndpoint(each) === formId);
  if (!form || form.accountId === knownId) return { form, endpoint, account: known };
  if (accountIds.size >= MAX_ACCOUNT_IDS) accountIds.clear();
  accountIds.set(formId, form.accountId);
  return { form, endpoint, account: await findAccount(form.accountId) };
}

function withoutToken(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'token'));
}

/** The parsed body, or the failure to be told once it is this check's turn. */
function parsed(rawBody: Buffer): unknown {
  try {
    return parseJson(rawBody);
  } catch (error) {
    return error;
  }
}

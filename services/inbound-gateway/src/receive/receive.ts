import { AppError, isAppError, type Plan } from '@svcforms/contracts';
import { parseJson, type Reply, type RouteRequest, type RunOnce } from '@svcforms/http-kit';
import type { AccountRecord } from '@svcforms/identity';
import {
  checkableFields,
  capturedMetadata,
  inboundSecretContext,
  newSubmission,
  storeSubmission,
  type FormRecord,
  type InboundEndpointRecord,
  type SubmissionSink,
} from '@svcforms/records';
import { verifyInboundSignature, type SecretBox } from '@svcforms/signing';
import { readFields } from './read-fields.ts';
import { presentedToken, tokenMatches } from './token.ts';

/** Reads what is stored now. */
type Find<T> = (key: string) => Promise<T | null>;

export interface ReceiveDeps extends SubmissionSink {
  findForm: Find<FormRecord>;
  /** By form id. */
  findEndpoint: Find<InboundEndpointRecord>;
  findAccount: Find<AccountRecord>;
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

/**
 * One inbound submission. The order of the checks is part of the contract: nothing is told about a form's endpoint before the
 * token has been shown, nor about the body before the signature.
 * spec: webhooks-tasks-inbound, Errors; contract: api.md §4
 */
export async function receive(
  deps: ReceiveDeps,
  request: RouteRequest<unknown, unknown, null>,
): Promise<Reply> {
  const { rawBody, headers } = request;
  const formId = request.params['formId'] ?? '';
  const { form, endpoint, account } = await findParties(deps, formId);
  if (!form || form.deletedAt) throw new AppError('NOT_FOUND', 'There is no such form');

  const body = parsed(rawBody);
  const token = presentedToken(headers.authorization, body);
  if (!token || !endpoint || !tokenMatches(token, endpoint.tokenHash)) {
    throw new AppError(
      'UNAUTHORIZED',
      'Send the token of this form’s inbound endpoint as "Authorization: Bearer svc_inb_…" or as "token" in the body',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  }
  // Only now: whoever knows a form's id, which is on public pages, must not be able to use its endpoint up.
  await request.count(endpoint._id);
  if (!endpoint.isEnabled)
    throw new AppError('ENDPOINT_DISABLED', 'The inbound endpoint of this form is switched off');
  if (!account || !PLANS_WITH_INBOUND.includes(account.plan)) {
    throw new AppError('PLAN_RESTRICTED', 'Inbound submissions need the Pro or Business plan');
  }
  if (endpoint.secret !== undefined) {
    const secret = deps.secretBox.open(endpoint.secret, inboundSecretContext(endpoint._id));
    if (!verifyInboundSignature({ header: headers[SIGNATURE_HEADER]?.toString(), rawBody, secret })) {
      throw new AppError(
        'INVALID_SIGNATURE',
        'X-SvcForms-Signature-256 must be the hex HMAC-SHA256 of the exact body, keyed with the endpoint’s secret',
      );
    }
  }
  if (isAppError(body)) throw body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('INVALID_BODY', 'The body must be a JSON object of field values');
  }

  const fieldMapping = JSON.parse(endpoint.fieldMapping) as Record<string, string>;
  const call = {
    caller: endpoint._id,
    path: `/api/inbound/${formId}`,
    key: headers['idempotency-key']?.toString(),
    rawBody,
  };
  return deps.runOnce(call, async (ulid) => {
    const submission = newSubmission({
      ...(ulid ? { id: `sub_${ulid}` } : {}),
      accountId: form.accountId,
      formId,
      data: JSON.stringify(readFields(checkableFields(form.fields), fieldMapping, body)),
      metadata: { submittedVia: 'inbound', ...capturedMetadata(form, request) },
      requestId: request.requestId,
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

/** All that a request is judged by, as it is stored now: for a form that was called before in one round trip. */
async function findParties(deps: ReceiveDeps, formId: string) {
  const { findForm, findEndpoint, findAccount, accountIds } = deps;
  const knownId = accountIds.get(formId);
  const [form, endpoint, known] = await Promise.all([
    findForm(formId),
    findEndpoint(formId),
    knownId === undefined ? null : findAccount(knownId),
  ]);
  if (!form || form.accountId === knownId) return { form, endpoint, account: known };
  if (accountIds.size >= MAX_ACCOUNT_IDS) accountIds.clear();
  accountIds.set(formId, form.accountId);
  return { form, endpoint, account: await findAccount(form.accountId) };
}

/** The parsed body, or the failure to be told once it is this check's turn. */
function parsed(rawBody: Buffer): unknown {
  try {
    return parseJson(rawBody);
  } catch (error) {
    return error;
  }
}

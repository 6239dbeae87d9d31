import {
  AppError,
  hopsOf,
  isAppError,
  readInboundFields,
  spokenFields,
  type Plan,
} from '@svcforms/contracts';
import { parseJson, refuseInfinite, type PathRequest, type Reply, type RunOnce } from '@svcforms/http';
import type { AccountRecord } from '@svcforms/identity';
import { setBounded, type Clock } from '@svcforms/primitives';
import {
  checkableFields,
  capturedMetadata,
  formClosed,
  formOfEndpoint,
  hasRecipients,
  inboundSecretContext,
  isPublic,
  newSubmission,
  storeSubmission,
  type FormRecord,
  type InboundEndpointRecord,
  type Seats,
  type SubmissionSink,
} from '@svcforms/records';
import {
  hashToken,
  verifyInboundSignature,
  verifyTimestampedInbound,
  type SecretBox,
} from '@svcforms/signing';
import type { IncomingHttpHeaders } from 'node:http';
import { presentedToken } from './token.ts';

/** Reads stored documents by a key. */
type Find<T> = (key: string) => Promise<T>;

export interface ReceiveDeps extends SubmissionSink {
  findForm: Find<FormRecord | null>;
  /** By the hash of the token, across forms. */
  findEndpoints: Find<readonly InboundEndpointRecord[]>;
  findAccount: Find<AccountRecord | null>;
  secretBox: Pick<SecretBox, 'open'>;
  seats: Seats;
  runOnce: RunOnce;
  now: Clock;
}

/** docs/reference/authentication.md#plans */
const PLANS_WITH_INBOUND: readonly Plan[] = ['pro', 'business'];
const MAX_ACCOUNT_IDS = 10_000;
const SIGNATURE_HEADER = 'x-svcforms-signature-256';
const TIMESTAMP_HEADER = 'x-svcforms-timestamp';

/**
 * Handles an inbound submission. The order of the checks is part of the API: nothing is revealed
 * about a form's endpoint before the token is checked, nor about the body before the signature is.
 * docs/reference/inbound.md#order-of-checks
 */
export function createReceive(deps: ReceiveDeps) {
  const findParties = createPartyFinder(deps);

  return async function receive(request: PathRequest<'formId', unknown, unknown, null>): Promise<Reply> {
    const { rawBody, headers } = request;
    const { formId } = request.params;
    const body = parsed(rawBody);
    const presented = presentedToken(headers.authorization, body);
    const { form, endpoint, account } = await findParties(formId, presented?.token);
    if (!isPublic(form)) throw new AppError('NOT_FOUND', 'There is no such form');
    if (!presented || !endpoint) {
      throw new AppError(
        'UNAUTHORIZED',
        'Send the token of an inbound endpoint of this form as "Authorization: Bearer svc_inb_…" or as "token" in the body',
        { headers: { 'WWW-Authenticate': 'Bearer' } },
      );
    }
    // Counted after the token is checked: form ids are public, and strangers must not exhaust the
    // limit of an endpoint.
    await request.count(endpoint._id);
    if (!endpoint.isEnabled) throw new AppError('ENDPOINT_DISABLED', 'This inbound endpoint is disabled');
    if (!account || !PLANS_WITH_INBOUND.includes(account.plan)) {
      throw new AppError('PLAN_RESTRICTED', 'Inbound submissions require the Pro or Business plan');
    }
    checkSignature(deps, endpoint, rawBody, headers);
    if (isAppError(body)) throw body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError('INVALID_BODY', 'The body must be a JSON object of field values');
    }

    // After the checks whose order the API fixes.
    refuseInfinite(body);
    const hops = hopsOf(headers);

    const values = presented.isInBody ? withoutToken(body) : body;
    const fieldMapping = JSON.parse(endpoint.fieldMapping) as Record<string, string>;
    const idempotentRequest = {
      caller: endpoint._id,
      accountId: form.accountId,
      path: `/api/inbound/${formId}`,
      key: headers['idempotency-key']?.toString(),
      rawBody,
    };
    return deps.runOnce(idempotentRequest, async (ulid) => {
      if (!(await deps.seats.isOpen(form))) {
        // The request that stored it crashed before it responded.
        const stored = ulid && (await deps.submissions.findOne({ _id: `sub_${ulid}`, formId }));
        if (stored) return accepted(stored._id);
        throw formClosed();
      }
      const submission = newSubmission({
        ...(ulid ? { id: `sub_${ulid}` } : {}),
        accountId: form.accountId,
        formId,
        formVersion: form.version,
        data: JSON.stringify(
          readInboundFields(
            spokenFields(checkableFields(form.fields), form.settings),
            fieldMapping,
            values,
            form.settings.jumps,
          ),
        ),
        metadata: { submittedVia: 'inbound', ...capturedMetadata(form, request) },
        requestId: request.requestId,
        trace: request.trace,
        hops,
        isQuiet: !hasRecipients(form),
        now: deps.now(),
      });
      await deps.seats.take(form, (seat) => storeSubmission(deps, { ...submission, ...seat }));
      request.note({
        event: 'submission.accepted',
        formId,
        submissionId: submission._id,
        accountId: form.accountId,
      });
      return accepted(submission._id);
    });
  };
}

const accepted = (submissionId: string): Reply => ({
  message: 'Submission accepted',
  data: { submissionId },
});

/**
 * @throws AppError `INVALID_SIGNATURE` when the endpoint has a secret and the request isn't signed
 * with it
 */
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

/**
 * Finds the form, the endpoint and the account of a request; in one round trip if the form's
 * account is cached.
 */
function createPartyFinder({ findForm, findEndpoints, findAccount }: ReceiveDeps) {
  /** The account ids of forms, by form id. A form's account never changes. */
  const accountIds = new Map<string, string>();

  return async function findParties(formId: string, token: string | undefined) {
    const knownId = accountIds.get(formId);
    const [form, endpoints, known] = await Promise.all([
      findForm(formId),
      // A lookup by hash takes a time that reveals nothing about the token.
      token === undefined ? [] : findEndpoints(hashToken(token)),
      knownId === undefined ? null : findAccount(knownId),
    ]);
    const endpoint = endpoints.find((each) => formOfEndpoint(each) === formId);
    if (!form || form.accountId === knownId) return { form, endpoint, account: known };
    setBounded(accountIds, formId, form.accountId, MAX_ACCOUNT_IDS);
    return { form, endpoint, account: await findAccount(form.accountId) };
  };
}

function withoutToken(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'token'));
}

/** Returns the parsed body, or the error to throw once the earlier checks have passed. */
function parsed(rawBody: Buffer): unknown {
  try {
    return parseJson(rawBody);
  } catch (error) {
    return error;
  }
}

import { verifySvcSignature, standardWebhooksHeaders } from '@svcforms/signing';
import type { ReceivedRequest } from '@svcforms/test-kit';
import { payloadError } from './payload-check.ts';

/** The payload of a submission event. */
interface SubmissionEvent {
  eventType: string;
  formId: string;
  submissionId: string;
  timestamp: string;
  data: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}

/**
 * Reads the payload of a webhook.
 * @throws Error if it isn't as the catalog of events describes it
 */
export function eventOf(request: ReceivedRequest): SubmissionEvent {
  const payload = JSON.parse(request.rawBody.toString()) as SubmissionEvent;
  const error = payloadError(payload);
  if (error !== null) throw new Error(error);
  return payload;
}

/** Verifies both signatures of a request over its raw bytes. */
export function verify({ headers, rawBody, receivedAt }: ReceivedRequest, secret: string) {
  const verdict = verifySvcSignature({
    header: headers['svc-signature']?.toString(),
    body: rawBody,
    secrets: [secret],
    now: Math.floor(receivedAt / 1000),
    toleranceSeconds: 30,
  });
  const expected = standardWebhooksHeaders({
    secrets: [secret],
    id: headers['webhook-id']?.toString() ?? '',
    timestamp: Number(headers['webhook-timestamp']),
    body: rawBody,
  });
  return {
    svcSignature: verdict.ok ? 'ok' : verdict.code,
    standardWebhooks: headers['webhook-signature'] === expected['webhook-signature'] ? 'ok' : 'NO_MATCH',
  };
}

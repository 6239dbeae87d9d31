/**
 * Event names. spec: webhooks-tasks-inbound, Events.
 * Those of `WEBHOOK_EVENT_TYPES` can be subscribed to by a per-form webhook; the task lifecycle goes to the stream.
 */
export const WEBHOOK_EVENT_TYPES = [
  'form.submission.new',
  'submission.created',
  'decision.requested',
  'decision.approved',
  'decision.rejected',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** What travels on the bus: routing facts, and the body as listeners get it. */
export interface BusEvent {
  /** `evt_…`; stable over every retry and redelivery, and what the bus de-duplicates by. */
  id: string;
  type: WebhookEventType;
  accountId: string;
  formId: string;
  submissionId?: string;
  /** When the event occurred: ISO 8601, UTC, milliseconds. */
  timestamp: string;
  /** The request that caused it, for the logs. */
  requestId?: string;
  /**
   * The webhook body, byte for byte as it will be signed and sent (JSON text). `null`: it is too large for the bus,
   * and the consumer builds it from the stored document.
   */
  body: string | null;
}

/** Bodies above this many bytes don't travel on the bus (NATS refuses messages over 1 MiB by default). */
export const MAX_BUS_BODY_BYTES = 900 * 1024;

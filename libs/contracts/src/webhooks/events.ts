/**
 * Event names. docs/reference/webhooks.md#event-types
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

/** Events of tasks, for event streams. docs/reference/events.md#event-types */
export const TASK_EVENT_TYPES = [
  'hitl.task.created',
  'hitl.task.completed',
  'hitl.task.expired',
  'hitl.task.cancelled',
] as const;
export type TaskEventType = (typeof TASK_EVENT_TYPES)[number];

/** All that travels on the bus, and can be read from the stream. */
export const EVENT_TYPES = [...TASK_EVENT_TYPES, ...WEBHOOK_EVENT_TYPES] as const;
export type EventType = TaskEventType | WebhookEventType;

export function isWebhookEventType(type: EventType): type is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly EventType[]).includes(type);
}

/** What travels on the bus: routing facts, and the body as listeners get it. */
export interface BusEvent {
  /** `evt_…`; stable over every retry and redelivery, and what the bus de-duplicates by. */
  id: string;
  type: EventType;
  accountId: string;
  formId: string;
  submissionId?: string;
  /** The task that caused it. */
  taskId?: string;
  /** When the event occurred: ISO 8601, UTC, milliseconds. */
  timestamp: string;
  /** The request that caused it, for the logs. */
  requestId?: string;
  /** How many webhook deliveries in a row led to it; absent: none. No part of the body. */
  hops?: number;
  /**
   * The webhook body, byte for byte as it will be signed and sent (JSON text); of a `hitl.task.*` event, the `data` of the
   * stream's frames. `null`: it is too large for the bus, and the consumer builds it from the stored document.
   */
  body: string | null;
}

/** Bodies above this many bytes don't travel on the bus (NATS refuses messages over 1 MiB by default). */
export const MAX_BUS_BODY_BYTES = 900 * 1024;

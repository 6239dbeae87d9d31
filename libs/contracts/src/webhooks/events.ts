/**
 * Event names. docs/reference/webhooks.md#event-types
 * Webhooks can subscribe to `WEBHOOK_EVENT_TYPES`; events of tasks are only in event streams.
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

/** All events on the bus, which event streams can read. */
export const EVENT_TYPES = [...TASK_EVENT_TYPES, ...WEBHOOK_EVENT_TYPES] as const;
export type EventType = TaskEventType | WebhookEventType;

export function isWebhookEventType(type: EventType): type is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly EventType[]).includes(type);
}

/** A message on the bus: routing facts, and the body for webhook endpoints. */
export interface BusEvent {
  /** `evt_…`; the same for every retry and redelivery. The bus deduplicates by it. */
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
  /**
   * The number of consecutive deliveries that led to the event; absent: none. Not part of the body.
   */
  hops?: number;
  /**
   * The webhook body, exactly as it is signed and sent (JSON text); for `hitl.task.*` events, the
   * `data` of stream frames. `null`: it is too large for the bus, and consumers render it from the
   * stored document.
   */
  body: string | null;
}

/** Larger bodies aren't put on the bus: by default, NATS rejects messages over 1 MiB. */
export const MAX_BUS_BODY_BYTES = 900 * 1024;

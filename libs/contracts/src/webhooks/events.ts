/**
 * Event types to which a webhook of a form can subscribe. See
 * docs/reference/webhooks.md#event-types.
 */
export const WEBHOOK_EVENT_TYPES = [
  'form.submission.new',
  'submission.created',
  'decision.requested',
  'decision.approved',
  'decision.rejected',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/**
 * Events in the life of a task. The event stream and account webhooks get them. See
 * docs/reference/events.md#event-types.
 */
export const TASK_EVENT_TYPES = [
  'hitl.task.created',
  'hitl.task.completed',
  'hitl.task.expired',
  'hitl.task.cancelled',
] as const;
type TaskEventType = (typeof TASK_EVENT_TYPES)[number];

/** All event types on the event bus; the event stream and account webhooks offer them all. */
export const EVENT_TYPES = [...TASK_EVENT_TYPES, ...WEBHOOK_EVENT_TYPES] as const;
export type EventType = TaskEventType | WebhookEventType;

export function isWebhookEventType(type: EventType): type is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly EventType[]).includes(type);
}

/** An event on the event bus: routing data and the body for webhooks. */
export interface BusEvent {
  /** `evt_…`. The same for every retry and redelivery; the bus deduplicates by it. */
  id: string;
  type: EventType;
  accountId: string;
  formId: string;
  submissionId?: string;
  /** The task that caused the event. */
  taskId?: string;
  /** When the event occurred: ISO 8601 in UTC with milliseconds. */
  timestamp: string;
  /** The request that caused the event, for logs. */
  requestId?: string;
  /**
   * Number of webhook deliveries in a row that led to the event; absent means 0. Not part of the
   * body.
   */
  hops?: number;
  /** No email follows from the event, so the consumer of emails doesn't get it. */
  quiet?: boolean;
  /** The trace that the event continues, in the format of the W3C headers. Not part of the body. */
  trace?: { traceparent: string; tracestate?: string };
  /**
   * JSON text of the webhook body, signed and sent byte for byte. For `hitl.task.*`, the `data` of
   * the frames of the event stream. `null` if the body is too large for the bus, or if the log
   * doesn't store it because the submission is in the same database; then the consumer builds it
   * from the stored document.
   */
  body: string | null;
}

/** Maximum size in bytes of a body on the bus. NATS refuses messages over 1 MiB by default. */
export const MAX_BUS_BODY_BYTES = 900 * 1024;

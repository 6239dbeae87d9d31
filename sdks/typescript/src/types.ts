import type { components, operations } from './generated/api.ts';

type Schemas = components['schemas'];

/** The query parameters of an operation, where times may be `Date` objects. */
export type QueryOf<O extends keyof operations> = operations[O]['parameters'] extends { query?: infer Q }
  ? WithDates<NonNullable<Q>>
  : never;

/** Names of properties that are times. */
type TimeName = 'since' | 'until' | 'expiresAt';
/** The same object, whose times may also be `Date` objects, and whose lists may be readonly. */
export type WithDates<T> = {
  [K in keyof T]: K extends TimeName ? T[K] | Date : ReadonlyList<T[K]>;
};
type ReadonlyList<V> = V extends (infer E)[] ? readonly E[] : V;

export type AccountWebhook = Schemas['AccountWebhook'];
/** An account webhook with its whole signing secret. Only this result contains it. */
export type AccountWebhookCreated = Omit<Schemas['AccountWebhookCreated'], 'secret'> & { secret: string };
export type AccountWebhookInput = WithDates<Schemas['AccountWebhookIn']>;
export type AccountWebhookPatch = WithDates<Schemas['AccountWebhookPatch']>;
export type ApiKey = Schemas['ApiKey'];
/** A new API key with its secret value. Only this result contains it. */
export type ApiKeyCreated = Omit<Schemas['ApiKeyCreated'], 'key'> & { key: string };
export type ApiKeyInput = WithDates<Schemas['ApiKeyIn']>;
export type AuditEntry = Schemas['AuditEntry'];
export type CallbackAttempt = Schemas['CallbackAttempt'];
export type DecisionInput = Schemas['DecisionIn'];
export type DelegateInput = Schemas['DelegateIn'];
export type Delivery = Schemas['Delivery'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
/** A delivery, with its request if the query asks for it. */
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type DeliveryRequest = Schemas['DeliveryRequest'];
export type Erasure = Schemas['Erasure'];
export type RedeemedReceipt = Schemas['RedeemedReceipt'];
export type EventType = Schemas['EventType'];
export type FilterPreview = Schemas['FilterPreview'];
export type FilterPreviewInput = Schemas['FilterPreviewIn'];
export type AccountFilterPreviewInput = Schemas['AccountFilterPreviewIn'];
export type Form = Schemas['Form'];
export type FormDraft = Schemas['FormDraft'];
export type FormField = Schemas['FormField'];
export type FormInput = WithDates<Schemas['FormIn']>;
export type FormSettings = Schemas['FormSettings'];
export type FormStats = Schemas['FormStats'];
export type FormSummary = Schemas['FormSummary'];
export type FormTemplate = Schemas['FormTemplate'];
export type FormTemplateInput = Schemas['FormTemplateIn'];
export type FormVersion = Schemas['FormVersion'];
export type FormVersionDetail = Schemas['FormVersionDetail'];
export type Group = Schemas['Group'];
export type GroupInput = WithDates<Schemas['GroupIn']>;
export type GroupPatch = WithDates<Schemas['GroupPatch']>;
export type InboundEndpoint = Schemas['InboundEndpoint'];
/** A new inbound endpoint with its token, and its signing secret if the client generated one. */
export type InboundEndpointCreated = Omit<Schemas['InboundEndpointCreated'], 'token' | 'secret'> & {
  token: string;
  secret: string | null;
};
/** An inbound endpoint, with its signing secret if the client generated a new one. */
export type InboundEndpointPatched = Omit<Schemas['InboundEndpointPatched'], 'secret'> & {
  secret: string | null;
};
/** An inbound endpoint with its new token. The old token doesn't work anymore. */
export type InboundEndpointRotated = Omit<Schemas['InboundEndpointRotated'], 'token'> & { token: string };
export type InboundInput = Schemas['InboundIn'];
export type InboundPatch = Schemas['InboundPatch'];
export type InboundRequest = Schemas['InboundRequests'][number];
export type NotificationAddress = Schemas['NotificationAddress'];
export type PayloadPreview = Schemas['PayloadPreview'];
export type PayloadPreviewInput = Schemas['PayloadPreviewIn'];
export type AccountPayloadPreviewInput = Schemas['AccountPayloadPreviewIn'];
export type RecoverInput = WithDates<Schemas['RecoverIn']>;
export type Recovery = Schemas['Recovery'];
export type RotateSecretInput = Schemas['RotateSecretIn'];
export type Scope = Schemas['ApiKeyIn']['scopes'][number];
export type StatsDay = Schemas['StatsDay'];
export type Submission = Schemas['Submission'];
export type Task = Schemas['Task'];
export type TaskHistoryEntry = Schemas['TaskHistoryEntry'];
export type TaskInput = Omit<WithDates<Schemas['TaskIn']>, 'prefill'> & {
  /** Field name → initial value. */
  prefill?: object;
};
export type TaskPolicy = Schemas['TaskPolicy'];
export type TaskVote = Schemas['TaskVote'];
export type Webhook = Schemas['Webhook'];
/** A webhook with its whole signing secret. Only this result contains it. */
export type WebhookCreated = Omit<Schemas['WebhookCreated'], 'secret'> & { secret: string };
export type WebhookFilter = Schemas['WebhookFilter'];
export type WebhookHealth = Schemas['WebhookHealth'];
export type WebhookInput = WithDates<Schemas['WebhookIn']>;
export type WebhookPatch = WithDates<Schemas['WebhookPatch']>;
export type WebhookPayload = Schemas['WebhookPayload'];
export type WebhookTest = Schemas['WebhookTest'];

/** An event type of webhooks of a form. */
export type WebhookEventType = WebhookInput['events'][number];
/** An event type of the stream and of account webhooks. */
export type StreamEventType = AccountWebhookInput['events'][number];

/** A new task. */
export type TaskCreated = Task & {
  /**
   * A position of the event stream before the task's first event:
   * `events.stream('hitl.task.completed', { lastEventId: task.eventCursor
   * })` misses no event of this task. `null` if the event bus was unavailable, and for a repeat of
   * a task that an older version or the MCP server created: read the task then.
   */
  eventCursor: string | null;
};

/** An event of the stream. */
export interface StreamEvent {
  /** The id of the event. Pass it as `lastEventId` to continue after it. */
  id: string;
  type: StreamEventType | (string & {});
  timestamp: string;
  submissionId?: string;
  /** Id of the event's task, if any. */
  taskId: string | null;
  /**
   * The data with the API's keys. For `hitl.task.*`: taskId, templateId, userId and more, depending
   * on the type.
   */
  data: Record<string, unknown>;
}

/**
 * The body of a webhook. Decisions have their `formId` and `submissionId` in `data`; events of
 * tasks have `templateId`, the form.
 */
export interface WebhookEvent {
  eventType: StreamEventType | (string & {});
  timestamp: string;
  formId?: string;
  submissionId?: string;
  taskId?: string;
  data: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}

/** Options of every method. */
export interface RequestOptions {
  /** Ends the request and its retries. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the response of each attempt. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Maximum retries. Default: the client's. */
  maxRetries?: number | undefined;
}

/** Options of a wait. */
export interface WaitOptions {
  /** Maximum milliseconds to wait. Default: until the task is resolved or expires. */
  timeoutMs?: number | undefined;
  /** Ends the wait. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum retries of the creation, and of the wait until the server has responded once. Default:
   * the client's.
   */
  maxRetries?: number | undefined;
}

/** Options of methods that the server runs once per key. */
export interface CreateOptions extends RequestOptions {
  /**
   * A second request with the same key (within a day) returns the first result. Default: a random
   * key for each call.
   */
  idempotencyKey?: string | undefined;
}

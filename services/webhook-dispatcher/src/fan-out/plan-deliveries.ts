import { evaluateFilter, type BusEvent } from '@svcforms/contracts';
import { createTurns, isoTime } from '@svcforms/primitives';
import {
  deliveryExpiry,
  deliveryId,
  isAccountWebhook,
  webhookEventBody,
  type DeliveryRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';

/** The stored data that the events of a batch refer to. */
export interface Context {
  subscriptions: Subscriptions;
  /** The submissions of the events without a body, by id. */
  submissions: ReadonlyMap<string, SubmissionRecord>;
  /** The tasks of the `hitl.task.*` events that somebody subscribes to, by id. */
  tasks: ReadonlyMap<string, TaskRecord>;
  /** The origin of links in bodies. */
  origin: string;
}

/** Returns the webhooks of the event's form and account that subscribe to it. */
export type Subscriptions = (event: BusEvent) => readonly WebhookRecord[];

/** `webhooks`: those that get deliveries, of the forms and accounts of the events. */
export function subscriptionsOf(webhooks: readonly WebhookRecord[]): Subscriptions {
  const byOwner = new Map<string, WebhookRecord[]>();
  for (const webhook of webhooks) {
    const others = byOwner.get(webhook.formId);
    if (others) others.push(webhook);
    else byOwner.set(webhook.formId, [webhook]);
  }
  return ({ type, formId, accountId }) => {
    const ofForm = (byOwner.get(formId) ?? []).filter(({ events }) => events.includes(type));
    const ofAccount = byOwner.get(accountId);
    if (!ofAccount) return ofForm;
    return [
      ...ofForm,
      ...ofAccount.filter(
        ({ events, forms }) => events.includes(type) && (forms === undefined || forms.includes(formId)),
      ),
    ];
  };
}

export interface DeliveryPlan {
  deliveries: DeliveryRecord[];
  /** The webhook of each event that a filter excluded, once for each event. */
  filtered: string[];
}

/**
 * Plans one delivery for each event and each webhook that subscribes to it and whose filter it
 * passes. Deliveries to webhooks that failures have disabled are held. An event whose submission or
 * task was deleted gets none. Other work has its turn between events with filters.
 *
 * @throws TypeError if an event has neither a body nor a submission
 */
export async function planDeliveries(
  events: readonly BusEvent[],
  context: Context,
  now: number,
): Promise<DeliveryPlan> {
  const createdAt = isoTime(now);
  const expireAt = deliveryExpiry(now);
  const filtered: string[] = [];
  const deliveries: DeliveryRecord[] = [];
  const turn = createTurns();
  for (const event of events) {
    const {
      id: eventId,
      type: eventType,
      accountId,
      formId,
      submissionId,
      requestId,
      trace,
      hops,
      taskId,
    } = event;
    const webhooks = context.subscriptions(event);
    if (webhooks.length === 0) continue;
    const submission = submissionId === undefined ? undefined : context.submissions.get(submissionId);
    const task = taskId === undefined ? undefined : context.tasks.get(taskId);
    const body = webhookEventBody(event, { submission, task }, context.origin);
    if (body === null) continue;
    const hasFilter = webhooks.some(({ filter }) => filter !== undefined);
    for (const webhook of hasFilter ? withoutFiltered(webhooks, body, filtered) : webhooks) {
      deliveries.push({
        _id: deliveryId(eventId, webhook._id),
        accountId,
        formId,
        webhookId: webhook._id,
        ...(isAccountWebhook(webhook) ? { ofAccount: true } : {}),
        eventId,
        eventType,
        body,
        ...(submissionId === undefined ? {} : { submissionId }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(trace === undefined ? {} : { trace }),
        ...(hops === undefined ? {} : { hops }),
        ...(taskId === undefined ? {} : { taskId }),
        status: webhook.isEnabled ? 'pending' : 'held',
        attempts: [],
        createdAt,
        expireAt,
      });
    }
    // Most webhooks have no filter, and their events aren't parsed.
    if (hasFilter) await turn();
  }
  return { deliveries, filtered };
}

/**
 * Returns the webhooks whose filters the body passes, and adds the ids of the others to `filtered`.
 */
function withoutFiltered(
  webhooks: readonly WebhookRecord[],
  body: string,
  filtered: string[],
): readonly WebhookRecord[] {
  const parsed: unknown = JSON.parse(body);
  return webhooks.filter(({ _id, filter }) => {
    const passes = filter === undefined || evaluateFilter(filter, parsed).passes;
    if (!passes) filtered.push(_id);
    return passes;
  });
}

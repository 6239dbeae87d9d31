import {
  AppError,
  evaluateFilter,
  newId,
  prefixOf,
  validationFailed,
  valueAtPointer,
  type AccountFilterPreviewIn,
  type EventType,
  type FilterCondition,
  type FilterPreviewOut,
  type Scope,
  type WebhookFilter,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { EnterSearch, Reply } from '@svcforms/http';
import { missingScopes, type Caller } from '@svcforms/identity';
import { createTurns, isoTime, type Clock } from '@svcforms/primitives';
import {
  type FormRecord,
  type InboundEndpointRecord,
  ownForm,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { WebhooksRequest } from './own-webhook.ts';
import { createRecentEvents, isTaskType, type PastEvent } from './recent-events.ts';
import { sampleEvent } from './sample-event.ts';
import { newestForms, sampleFormOf, type SampleForm } from './sample-form.ts';

export interface PreviewFilterDeps {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
  submissions: Pick<Collection<SubmissionRecord>, 'find'>;
  tasks: Pick<Collection<TaskRecord>, 'find'>;
  endpoints: Pick<Collection<InboundEndpointRecord>, 'find'>;
  enterSearch: EnterSearch;
  baseUrl: string;
  now: Clock;
}

/** An account may have many forms, and each costs a query. */
const MAX_FORMS = 50;
const MAX_FOUND = 200;

/** Says which recent events a filter lets pass. docs/reference/webhooks.md#preview-a-filter */
export function createPreviewFilter(deps: PreviewFilterDeps) {
  const { forms, webhooks, enterSearch, baseUrl, now } = deps;
  const recentEvents = createRecentEvents(deps);

  async function readWebhook(webhookId: string | undefined, owner: string): Promise<WebhookRecord | null> {
    if (webhookId === undefined) return null;
    const webhook = await webhooks.findOne({ _id: webhookId, formId: owner });
    if (webhook) return webhook;
    throw validationFailed([{ pointer: '/webhookId', message: 'must be the id of a webhook of this path' }]);
  }

  function sampleOf(eventType: EventType, form: Pick<SampleForm, '_id' | 'fields'>): PastEvent {
    const sample = sampleEvent(eventType, form, { now: now(), origin: baseUrl });
    return { ...sample, eventType, formId: form._id, timestamp: isoTime(now()) };
  }

  return async function previewFilter(
    request: WebhooksRequest<unknown, AccountFilterPreviewIn>,
  ): Promise<Reply> {
    const { params, body, caller, note, signal } = request;
    const form = params.formId === undefined ? undefined : await ownForm(forms, caller, params.formId);
    const webhook = await readWebhook(body.webhookId, form?._id ?? caller.accountId);
    const types = [...new Set(body.events ?? webhook?.events ?? (['form.submission.new'] as const))];
    requireScopes(caller, types.some(isTaskType));
    const listed = body.forms === undefined ? webhook?.forms : (body.forms ?? undefined);
    const { accountId } = caller;
    const searched = form ? [form] : await newestForms(forms, { accountId, listed, limit: MAX_FORMS });
    const filter = body.filter ?? webhook?.filter;

    const formIds = searched.map(({ _id }) => _id);
    const release = await enterSearch(caller.id, signal);
    const recent = await recentEvents({ accountId, formIds, types, limit: body.limit, signal }).finally(
      release,
    );
    const newest = recent.slice(0, body.limit);
    const missing = types.filter((type) => !newest.some(({ eventType }) => eventType === type));
    const [sampleForm = { _id: newId('frm'), fields: [] }] = searched.map(sampleFormOf);
    const others = missing.map((type) => {
      const older = recent.find(({ eventType }) => eventType === type);
      if (older) return previewed(older, filter, false);
      return previewed(sampleOf(type, sampleForm), filter, true);
    });
    const events: FilterPreviewOut['events'] = [];
    const turn = createTurns();
    for (const event of newest) {
      events.push(previewed(event, filter, false));
      await turn();
    }
    events.push(...others);
    const passing = events.filter(({ passes }) => passes).length;
    note({ event: 'webhook.filter_previewed', formId: form?._id, events: events.length, passing });
    const data: FilterPreviewOut = { passing, events };
    return { data };
  };
}

/** The results for a filter let a caller guess the values of events. */
function requireScopes(caller: Caller, hasTasks: boolean): void {
  const needed: Scope[] = ['submissions:read', ...(hasTasks ? (['tasks:read'] as const) : [])];
  const [missing] = missingScopes(caller, needed);
  if (missing === undefined) return;
  throw new AppError('INSUFFICIENT_SCOPE', `Previewing these events also needs ${needed.join(' and ')}`, {
    members: { requiredScope: missing },
  });
}

function previewed(
  { body, ...event }: PastEvent,
  filter: WebhookFilter | undefined,
  sample: boolean,
): FilterPreviewOut['events'][number] {
  if (filter === undefined) return { ...event, sample, passes: true, decidedBy: null, found: null };
  const parsed: unknown = JSON.parse(body);
  const verdict = evaluateFilter(filter, parsed);
  return { ...event, sample, ...verdict, found: foundBy(filter, verdict.decidedBy, parsed) };
}

function foundBy(filter: WebhookFilter, decidedBy: string | null, body: unknown): string | null {
  const condition = decidedBy === null ? undefined : valueAtPointer(filter, decidedBy);
  const found = condition && valueAtPointer(body, (condition.value as FilterCondition).path);
  return found === undefined ? null : prefixOf(JSON.stringify(found.value), MAX_FOUND);
}

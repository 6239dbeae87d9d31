import type { ErasureOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import {
  isErased,
  isTestDelivery,
  type DeliveryRecord,
  type Erased,
  type Eraser,
  type FormRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { findValue, type Finder } from './find-value.ts';
import { pagesOf } from './pages-of.ts';
import { urlWithout } from './url-without.ts';

const NEWEST_FIRST = { sort: ['-createdAt', '-_id'], limit: 100 };

export interface ErasePersonDeps {
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  tasks: Collection<TaskRecord>;
  webhooks: Collection<WebhookRecord>;
  deliveries: Collection<DeliveryRecord>;
  eraser: Pick<Eraser, 'submissions' | 'tasks' | 'events' | 'tests'>;
}

type Endpoint = ErasureOut['endpoints'][number];

/**
 * Finds the data that an account has of a person by an exact field value and erases it, page by
 * page, and adds it to the report. A call that was interrupted has erased a part, which is in the
 * report; repeating it erases the rest.
 */
export function createErasePerson(deps: ErasePersonDeps) {
  const { forms, submissions, tasks, webhooks, deliveries, eraser } = deps;

  return async function erasePerson(
    accountId: string,
    value: string,
    { add }: Pick<ErasureReport, 'add'>,
  ): Promise<void> {
    const matches = findValue(value);

    for await (const page of pagesOf(tasks, { accountId }, NEWEST_FIRST)) {
      const found = page.filter((task) => matchesTask(task, matches));
      add(await eraser.tasks(found, add));
    }
    const own = await forms.find({ accountId, deletedAt: null });
    for (const { _id: formId } of own) {
      for await (const page of pagesOf(submissions, { formId }, NEWEST_FIRST)) {
        const found = page.filter(({ data }) => matches(data));
        add(await eraser.submissions(found, add));
      }
    }
    // Test events, and deliveries of submissions that older versions deleted without their
    // deliveries.
    const targets = await webhooks.find({ formId: { $in: [...own.map(({ _id }) => _id), accountId] } });
    for (const { _id: webhookId } of targets) {
      for await (const page of pagesOf(deliveries, { webhookId }, NEWEST_FIRST)) {
        const found = page.filter((delivery) => !isErased(delivery) && matches(dataIn(delivery)));
        const [tests, ofEvents] = [
          found.filter(isTestDelivery),
          found.filter((each) => !isTestDelivery(each)),
        ];
        add(await eraser.tests(tests.map(({ _id }) => _id)));
        const submissionIds = ofEvents.flatMap(submissionIdIn);
        add(await eraser.events(accountId, ofEvents.map(eventOf), submissionIds, add));
      }
    }
  };
}

export type ErasureReport = ReturnType<typeof createErasureReport>;

/**
 * Collects the report, which must not contain the value. Of what a failed call was erasing, it has
 * the submissions and tasks, but no deliveries and receivers.
 */
export function createErasureReport(value: string) {
  const submissionIds = new Set<string>();
  const taskIds = new Set<string>();
  const deliveryIds = new Set<string>();
  const endpoints = new Map<string, Endpoint>();

  function addEndpoint(endpoint: Endpoint): void {
    const key = `${endpoint.id} ${endpoint.url}`;
    const known = endpoints.get(key);
    if (!known || known.receivedAt < endpoint.receivedAt) endpoints.set(key, endpoint);
  }

  return {
    add(erased: Partial<Erased>): void {
      for (const id of erased.submissionIds ?? []) submissionIds.add(id);
      for (const id of erased.taskIds ?? []) taskIds.add(id);
      for (const id of erased.deliveryIds ?? []) deliveryIds.add(id);
      for (const endpoint of erased.receivedBy ?? [])
        addEndpoint({ ...endpoint, url: urlWithout(value, endpoint.url) });
    },
    isEmpty: () => submissionIds.size + taskIds.size + deliveryIds.size === 0,
    found: (): Omit<ErasureOut, 'erasedAt'> => ({
      submissionIds: [...submissionIds],
      taskIds: [...taskIds],
      deliveryIds: [...deliveryIds],
      endpoints: [...endpoints.values()],
    }),
  };
}

/** Searches the fields from which `taskWithoutValues` removes values. */
function matchesTask(task: TaskRecord, matches: Finder): boolean {
  const { prefill, proposal = '{}', formData = '{}', metadata, action = '{}' } = task;
  const { title, description, rejectOptions = [], comment, cancelReason, votes = [], history } = task;
  const comments = [...votes, ...history].map((each) => each.comment);
  const reasons = [cancelReason, ...history.map(({ reason }) => reason)];
  const texts = JSON.stringify([title, description, ...rejectOptions, comment, ...comments, ...reasons]);
  return [prefill, proposal, formData, metadata, action, texts].some(matches);
}

interface DeliveredBody {
  data?: unknown;
  submissionId?: string;
  timestamp?: string;
}

/** The submitted data, as JSON text. Decision events have none. */
function dataIn({ eventType, body }: DeliveryRecord): string {
  return eventType.startsWith('decision.') ? '{}' : JSON.stringify((JSON.parse(body) as DeliveredBody).data);
}

const eventOf = ({ eventId, eventType, formId, body }: DeliveryRecord) => ({
  id: eventId,
  type: eventType,
  timestamp: (JSON.parse(body) as DeliveredBody).timestamp ?? new Date(0).toISOString(),
  formId,
});

const submissionIdIn = ({ body }: DeliveryRecord) => (JSON.parse(body) as DeliveredBody).submissionId ?? [];

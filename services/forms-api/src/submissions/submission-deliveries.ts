import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import {
  deliveryId,
  endEventsOf,
  erasedEventsOfSubmission,
  type DeliveryRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { OwnSubmission } from './own-submission.ts';
import { deliveryOut } from '../webhooks/delivery-out.ts';

export interface SubmissionDeliveriesDeps {
  webhooks: Collection<WebhookRecord>;
  deliveries: Pick<Collection<DeliveryRecord>, 'find'>;
  tasks: Pick<Collection<TaskRecord>, 'findOne'>;
}

/**
 * A form and its account have at most 20 webhooks each. A submission has at most two events for
 * both; one of a task has also the end of the task (`hitl.task.*`), which only webhooks of the
 * account get.
 */
const MAX_DELIVERIES = 100;

/**
 * The deliveries of a submission, and of the end of the task that created it, to the webhooks that
 * the caller may see, newest first. Their ids are derived from its events and the webhooks, so no
 * index is needed.
 */
export function createSubmissionDeliveries({
  ownSubmission,
  webhooks,
  deliveries,
  tasks,
}: SubmissionDeliveriesDeps & { ownSubmission: OwnSubmission }) {
  /**
   * The task and its submission belong to the same form, so a caller who may see one may see both.
   */
  async function endOfMaker({ accountId, metadata: { taskId } }: SubmissionRecord) {
    const task = taskId === undefined ? null : await tasks.findOne({ _id: taskId, accountId });
    return task ? endEventsOf(task) : [];
  }

  return async ({ params, caller }: PathRequest<'submissionId'>): Promise<Reply> => {
    const { submission, form } = await ownSubmission(caller, params.submissionId);
    // Webhooks of the account concern every form, so callers from whom forms are hidden don't see
    // them.
    const owners = caller.memberOf === undefined ? [form._id, caller.accountId] : [form._id];
    const found = await webhooks.find({ formId: { $in: owners } });
    const events = [...erasedEventsOfSubmission(submission), ...(await endOfMaker(submission))];
    const ids = events.flatMap((event) => found.map(({ _id }) => deliveryId(event.id, _id)));
    const sent = ids.length === 0 ? [] : await deliveries.find({ _id: { $in: ids } });
    const newest = sent.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    return {
      data: newest.slice(0, MAX_DELIVERIES).map(deliveryOut),
      pagination: { nextCursor: null, limit: MAX_DELIVERIES },
    };
  };
}

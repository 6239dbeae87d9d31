import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import {
  deliveryId,
  erasedEventsOfSubmission,
  type DeliveryRecord,
  type FormRecord,
  type SubmissionRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { deliveryOut } from '../webhooks/delivery-out.ts';

export interface SubmissionDeliveriesDeps {
  findForm: (formId: string) => Promise<FormRecord | null>;
  submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
  webhooks: Collection<WebhookRecord>;
  deliveries: Pick<Collection<DeliveryRecord>, 'find'>;
}

/** A submission has at most two events, and a form and its account at most 20 webhooks each. */
const MAX_DELIVERIES = 100;

/**
 * The deliveries of a submission to all webhooks, newest first. Their ids are derived from its events and the webhooks, so no
 * index is needed.
 */
export function createSubmissionDeliveries({
  findForm,
  submissions,
  webhooks,
  deliveries,
}: SubmissionDeliveriesDeps) {
  return async ({ params, caller: { accountId } }: PathRequest<'submissionId'>): Promise<Reply> => {
    const submission = await submissions.findOne({ _id: params.submissionId, accountId });
    const form = submission && (await findForm(submission.formId));
    if (!submission || !form || form.deletedAt)
      throw new AppError('NOT_FOUND', 'There is no such submission');
    const found = await webhooks.find({ formId: { $in: [form._id, accountId] } });
    const ids = erasedEventsOfSubmission(submission).flatMap((event) =>
      found.map(({ _id }) => deliveryId(event.id, _id)),
    );
    const sent = ids.length === 0 ? [] : await deliveries.find({ _id: { $in: ids } });
    const newest = sent.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    return {
      data: newest.slice(0, MAX_DELIVERIES).map(deliveryOut),
      pagination: { nextCursor: null, limit: MAX_DELIVERIES },
    };
  };
}

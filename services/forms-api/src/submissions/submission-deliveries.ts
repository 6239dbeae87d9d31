import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import {
  deliveryId,
  erasedEventsOfSubmission,
  type DeliveryRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { OwnSubmission } from './own-submission.ts';
import { deliveryOut } from '../webhooks/delivery-out.ts';

export interface SubmissionDeliveriesDeps {
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
  ownSubmission,
  webhooks,
  deliveries,
}: SubmissionDeliveriesDeps & { ownSubmission: OwnSubmission }) {
  return async ({ params, caller }: PathRequest<'submissionId'>): Promise<Reply> => {
    const { submission, form } = await ownSubmission(caller, params.submissionId);
    const found = await webhooks.find({ formId: { $in: [form._id, caller.accountId] } });
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

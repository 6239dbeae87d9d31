import { AppError } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import {
  inboundSlots,
  insertOnce,
  MAX_INBOUND_ENDPOINTS,
  type InboundEndpointRecord,
} from '@svcforms/records';

interface Inserted {
  /**
   * Whether an earlier request with the same Idempotency-Key has stored it. The response of that
   * request was lost.
   */
  isRepeated: boolean;
}

/**
 * Inserts the first endpoint of a form; `formId` is the form's id.
 * @throws AppError `CONFLICT` if the form has one
 */
export async function insertOnly(
  endpoints: Collection<InboundEndpointRecord>,
  endpoint: InboundEndpointRecord,
): Promise<Inserted> {
  const present = await endpoints.find({ formId: { $in: inboundSlots(endpoint.formId) } });
  if (present.some(({ _id }) => _id === endpoint._id)) return { isRepeated: true };
  if (present.length === 0) {
    const stored = await insertIfFree(endpoints, endpoint);
    if (stored) return { isRepeated: stored !== endpoint };
  }
  throw new AppError(
    'CONFLICT',
    'The form already has an inbound endpoint. Use PATCH to update it, POST …/rotate for a new token, or POST …/inbound/endpoints to add another.',
  );
}

/**
 * Adds an endpoint to a form. Each endpoint has a slot with a unique key, because a count before an
 * insert can be outdated after it. It takes the first slot if that is free, so that it competes
 * with `insertOnly` for the first endpoint of a form. Otherwise it takes a random one, so that
 * concurrent requests rarely collide.
 * @throws AppError `CONFLICT` when no slot is free
 */
export async function insertAmong(
  endpoints: Collection<InboundEndpointRecord>,
  endpoint: InboundEndpointRecord,
): Promise<Inserted> {
  for (;;) {
    const slots = inboundSlots(endpoint.formId);
    const present = await endpoints.find({ formId: { $in: slots } });
    if (present.some(({ _id }) => _id === endpoint._id)) return { isRepeated: true };
    const free = slots.filter((slot) => present.every(({ formId }) => formId !== slot));
    const slot = free[0] === slots[0] ? free[0] : free[Math.floor(Math.random() * free.length)];
    if (slot === undefined) {
      throw new AppError(
        'CONFLICT',
        `A form can have ${MAX_INBOUND_ENDPOINTS} inbound endpoints. Delete one first.`,
      );
    }
    const inSlot = { ...endpoint, formId: slot };
    const stored = await insertIfFree(endpoints, inSlot);
    if (stored) return { isRepeated: stored !== inSlot };
  }
}

/** @returns the stored endpoint, or null if another endpoint has the slot */
async function insertIfFree(
  endpoints: Collection<InboundEndpointRecord>,
  endpoint: InboundEndpointRecord,
): Promise<InboundEndpointRecord | null> {
  try {
    return await insertOnce(endpoints, endpoint);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return null;
  }
}

import { AppError } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import {
  inboundSlots,
  insertOnce,
  MAX_INBOUND_ENDPOINTS,
  type InboundEndpointRecord,
} from '@svcforms/records';

interface Inserted {
  /** A request with the same Idempotency-Key that got no response had stored it already. */
  wasThere: boolean;
}

/**
 * Inserts the first endpoint of a form; `formId` is the form's id.
 * @throws AppError `CONFLICT` where the form has one.
 */
export async function insertOnly(
  endpoints: Collection<InboundEndpointRecord>,
  endpoint: InboundEndpointRecord,
): Promise<Inserted> {
  const present = await endpoints.find({ formId: { $in: inboundSlots(endpoint.formId) } });
  if (present.some(({ _id }) => _id === endpoint._id)) return { wasThere: true };
  if (present.length === 0) {
    const stored = await insertInSlot(endpoints, endpoint);
    if (stored) return { wasThere: stored !== endpoint };
  }
  throw new AppError(
    'CONFLICT',
    'The form has an inbound endpoint already; change it by PATCH, POST …/rotate for a new token, or POST …/inbound/endpoints for another one',
  );
}

/**
 * Inserts an endpoint beside those that the form has. Each has a slot, because what is counted before an insert may be wrong
 * after it. The first free slot is taken, so that `insertOnly` and this compete for the first endpoint of a form.
 * @throws AppError `CONFLICT` where all slots are taken.
 */
export async function insertAmong(
  endpoints: Collection<InboundEndpointRecord>,
  endpoint: InboundEndpointRecord,
): Promise<Inserted> {
  for (;;) {
    const slots = inboundSlots(endpoint.formId);
    const present = await endpoints.find({ formId: { $in: slots } });
    if (present.some(({ _id }) => _id === endpoint._id)) return { wasThere: true };
    const slot = slots.find((each) => present.every(({ formId }) => formId !== each));
    if (slot === undefined) {
      throw new AppError(
        'CONFLICT',
        `A form has at most ${MAX_INBOUND_ENDPOINTS} inbound endpoints; delete one first`,
      );
    }
    const inSlot = { ...endpoint, formId: slot };
    const stored = await insertInSlot(endpoints, inSlot);
    if (stored) return { wasThere: stored !== inSlot };
  }
}

/** @returns what is stored under its id, or null where another endpoint has the slot. */
async function insertInSlot(
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

import type { EndpointResponse } from '@svcforms/test-kit';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Leases of a killed process expire after seconds, and interrupted deliveries are retried soon.
 */
export const LOSS_SETTINGS = { SVC_DELIVERY_TIMEOUT_MS: '2000', SVC_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1' };

/** A slow response, so that a killed process has deliveries in progress. */
export async function slowResponse(): Promise<EndpointResponse> {
  await delay(20);
  return {};
}

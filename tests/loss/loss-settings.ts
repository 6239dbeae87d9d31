import type { EndpointResponse } from '@svcforms/test-kit';
import { setTimeout as delay } from 'node:timers/promises';

/** Leases of the dead come free after seconds, and a delivery that broke off is not put off for long. */
export const LOSS_SETTINGS = { SVC_DELIVERY_TIMEOUT_MS: '2000', SVC_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1' };

/** Of a endpoint that takes its time, so that whoever is killed has deliveries under way. */
export async function slowResponse(): Promise<EndpointResponse> {
  await delay(20);
  return {};
}

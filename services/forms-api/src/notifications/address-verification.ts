import type { Collection } from '@svcforms/document-store';
import {
  createRequestVerification,
  type MailCounterRecord,
  type RequestVerification,
} from '@svcforms/records';
import { createRecipients, type Recipients, type RecipientsDeps } from './recipients.ts';

/**
 * Verifies the addresses that receive notifications: when a form names them, and when a user asks
 * for another email.
 */
export interface AddressVerification {
  recipients: Recipients;
  requestVerification: RequestVerification;
}

interface AddressVerificationDeps extends Omit<RecipientsDeps, 'requestVerification'> {
  mailCounters: Collection<MailCounterRecord>;
}

export function createAddressVerification({
  mailCounters,
  ...deps
}: AddressVerificationDeps): AddressVerification {
  const { addresses, now } = deps;
  const requestVerification = createRequestVerification({ addresses, counters: mailCounters, now });
  return { recipients: createRecipients({ ...deps, requestVerification }), requestVerification };
}

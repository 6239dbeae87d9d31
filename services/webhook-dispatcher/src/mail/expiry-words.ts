import type { ExpiryRule } from '@svcforms/contracts';

/**
 * What happens to a task that nobody decides in time: the label of that time, in the words of the
 * dashboard, and the verb of a sentence.
 */
export const EXPIRY_WORDS: Readonly<Record<ExpiryRule, { label: string; verb: string }>> = {
  expire: { label: 'Expires', verb: 'expires' },
  approve: { label: 'Approved automatically', verb: 'is approved automatically' },
  reject: { label: 'Rejected automatically', verb: 'is rejected automatically' },
};

import { newId, type BusEvent } from '@svcforms/contracts';

/** Every process uses the same account. */
export const ACCOUNT = 'acc_01JD00000000000000000000AA';

export function anEvent(overrides: Partial<BusEvent> = {}): BusEvent {
  const id = newId('evt');
  const body = JSON.stringify({ id });
  const timestamp = new Date().toISOString();
  return {
    id,
    type: 'submission.created',
    accountId: ACCOUNT,
    formId: newId('frm'),
    timestamp,
    body,
    ...overrides,
  };
}

export function someEvents(count: number, overrides: Partial<BusEvent> = {}): BusEvent[] {
  return Array.from({ length: count }, () => anEvent(overrides));
}

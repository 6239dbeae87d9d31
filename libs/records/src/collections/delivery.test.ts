import { isId, newId } from '@svcforms/contracts';
import { deliveryId } from './delivery.ts';

const EVENT = 'evt_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const WEBHOOK = 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Z';

describe('the id of a delivery', () => {
  it('is the same for the same event and webhook in every version', () => {
    expect(deliveryId(EVENT, WEBHOOK)).toBe('del_01J9ZC3V6MYNP7R3FFJSFS0255');
  });

  it('differs for another event or webhook', () => {
    const webhooks = Array.from({ length: 50 }, () => newId('whk'));
    const events = Array.from({ length: 50 }, () => newId('evt'));
    const ids = events.flatMap((event) => webhooks.map((webhook) => deliveryId(event, webhook)));
    expect(new Set(ids).size).toBe(2_500);
    expect(ids.every((id) => isId('del', id))).toBe(true);
  });

  it('starts with the time of the event, so that deliveries sort by it', () => {
    expect(deliveryId(EVENT, WEBHOOK).slice(4, 14)).toBe('01J9ZC3V6M');
  });
});

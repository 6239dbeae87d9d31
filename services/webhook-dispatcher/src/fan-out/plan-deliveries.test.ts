import { eventFor, webhookRecord } from '../../test/records.ts';
import { planDeliveries, subscriptionsOf } from './plan-deliveries.ts';

it('lets other work run while it plans many long events with filters', async () => {
  const webhook = webhookRecord({
    url: 'https://hooks.example/x',
    filter: { all: [{ path: '/data/plan', op: 'eq', value: 'team' }] },
  });
  const data = { list: Array.from({ length: 200_000 }, (_, n) => n), plan: 'team' };
  const body = JSON.stringify({ data });
  const events = Array.from({ length: 60 }, () => eventFor(webhook, { body }));
  const context = {
    subscriptions: subscriptionsOf([webhook]),
    submissions: new Map(),
    tasks: new Map(),
    origin: 'https://forms.example',
  };
  let turns = 0;
  let isPlanned = false;
  const count = () => {
    turns += 1;
    if (!isPlanned) setImmediate(count);
  };
  setImmediate(count);
  const { deliveries } = await planDeliveries(events, context, Date.now());
  isPlanned = true;
  expect(deliveries.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id));
  expect(turns).toBeGreaterThan(1);
});

import { createUnackedBatches } from './unacked.ts';

const MIB = 1024 ** 2;

it('a consumer with too large unacknowledged batches takes the next one when one is acknowledged', async () => {
  const unacked = createUnackedBatches();
  const never = new Promise<void>(() => {});
  let acknowledge = () => {};
  const acknowledged = new Promise<void>((resolve) => (acknowledge = resolve));
  await unacked.add(never, 8 * MIB);
  await unacked.add(acknowledged, 8 * MIB);
  const order: string[] = [];
  const adding = unacked.add(never, 20 * MIB).then(() => order.push('room'));
  await new Promise(setImmediate);
  order.push('acknowledged');
  acknowledge();
  await adding;
  expect(order).toEqual(['acknowledged', 'room']);
});

import { createGate } from '@svcforms/test-kit';
import { runWorkers } from './run-workers.ts';

describe('workers', () => {
  it('all end before the failure of one of them is reported', async () => {
    const gate = createGate();
    const ended: string[] = [];
    const work = [
      async () => {
        throw new Error('the store is unavailable');
      },
      async () => {
        await gate.passed;
        ended.push('second worker');
      },
    ];
    const run = runWorkers(work.length, async () => work.shift()?.()).catch((error: Error) =>
      ended.push(error.message),
    );
    await new Promise(setImmediate);
    gate.open();
    await run;
    expect(ended).toEqual(['second worker', 'the store is unavailable']);
  });
});

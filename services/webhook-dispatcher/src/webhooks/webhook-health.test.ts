import { StoreError } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { WEBHOOKS, type WebhookRecord } from '@svcforms/records';
import { createGate, poll } from '@svcforms/test-kit';
import { webhookRecord } from '../../test/records.ts';
import { createWebhookHealth } from './webhook-health.ts';

describe('webhook health', () => {
  const webhooks = openTestStore().collection<WebhookRecord>(WEBHOOKS);

  /**
   * `s`: success, `f`: failure, `F`: the last failure of a delivery, `|`: flush, `(` to `)`: a
   * flush that fails.
   */
  async function after(course: string, before: Partial<WebhookRecord> = {}, url = 'http://localhost') {
    const webhook = webhookRecord({ url: 'http://localhost', ...before });
    await webhooks.insertOne(webhook);
    let gate: ReturnType<typeof createGate> | undefined;
    const health = createWebhookHealth({
      async bulkUpdate(operations) {
        if (!gate) return webhooks.bulkUpdate(operations);
        await gate.passed;
        throw new StoreError('UNAVAILABLE', 'not now');
      },
    });
    let flushing: Promise<void> | undefined;
    for (const [n, step] of course.split('').entries()) {
      if (step === '|') {
        await health.flush();
      } else if (step === '(') {
        gate = createGate();
        flushing = health.flush();
        await new Promise(setImmediate);
      } else if (step === ')') {
        gate?.open();
        await expect(flushing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        gate = undefined;
      } else {
        const isSuccess = step === 's';
        const result = isSuccess ? { status: 200 } : { status: null, error: 'timeout' };
        const attempt = { at: `t${n}`, ...result, isSuccess, isFinalFailure: step === 'F' };
        health.note({ ...webhook, url }, attempt);
      }
    }
    await health.flush();
    return (await webhooks.findOne({ _id: webhook._id })) ?? webhook;
  }

  const failing = { consecutiveFailures: 5, failingSince: 'long ago' };

  it.each([
    { course: 's', consecutiveFailures: 0, failingSince: null, lastAttemptAt: 't0', lastStatus: 200 },
    { course: 'ff', consecutiveFailures: 2, failingSince: 't0', lastAttemptAt: 't1', lastStatus: null },
    { course: 'f|f', consecutiveFailures: 2, failingSince: 't0', lastAttemptAt: 't2', lastStatus: null },
    { course: 'fsff', consecutiveFailures: 2, failingSince: 't2', lastAttemptAt: 't3', lastStatus: null },
    { course: 'ff|s', consecutiveFailures: 0, failingSince: null, lastAttemptAt: 't3', lastStatus: 200 },
    { course: 'ff()f', consecutiveFailures: 3, failingSince: 't0', lastAttemptAt: 't4', lastStatus: null },
    { course: 'f()sf', consecutiveFailures: 1, failingSince: 't4', lastAttemptAt: 't4', lastStatus: null },
    { course: 'sf()f', consecutiveFailures: 2, failingSince: 't1', lastAttemptAt: 't4', lastStatus: null },
    { course: 'ff(f)', consecutiveFailures: 3, failingSince: 't0', lastAttemptAt: 't3', lastStatus: null },
    { course: 'f(sf)', consecutiveFailures: 1, failingSince: 't3', lastAttemptAt: 't3', lastStatus: null },
  ])(
    'after "$course" shows $consecutiveFailures failures since $failingSince',
    async ({ course, ...expected }) => {
      expect(await after(course)).toMatchObject(expected);
    },
  );

  it.each([
    ['f', undefined],
    ['F', 't0'],
    ['fF', 't1'],
    ['F|F', 't0'],
    ['F(F)', 't0'],
    ['f(F)', 't2'],
    ['Fs', undefined],
    ['F|s', undefined],
    ['F|sF', 't3'],
  ])('after "%s" shows the first delivery that failed since the last success: %s', async (course, at) => {
    expect((await after(course)).givenUpAt).toBe(at);
  });

  it.each([
    ['f', 'timeout'],
    ['f|s', undefined],
    ['s|f', 'timeout'],
    ['sf', 'timeout'],
  ])('after "%s" shows the error of the last attempt: %s', async (course, error) => {
    expect((await after(course)).lastError).toBe(error);
  });

  it.each(['f', 'F', 's', 'sF'])('leaves out "%s" at an earlier URL', async (course) => {
    const before = { failingSince: 'long ago', warnedAt: 'since', lastAttemptAt: null };
    const shown = await after(course, before, 'http://earlier.example');
    expect(shown).toMatchObject(before);
    expect(shown).not.toHaveProperty('givenUpAt');
  });

  it('leaves out failures from before the webhook was enabled again', async () => {
    const since = { startedOverAt: 't1', failingSince: null, consecutiveFailures: 0 };
    expect(await after('F', since)).toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      lastAttemptAt: 't0',
      lastStatus: null,
    });
    expect(await after('F', since)).not.toHaveProperty('givenUpAt');
    expect(await after('f|f', since)).toMatchObject({ consecutiveFailures: 1, failingSince: 't2' });
    expect(await after('sf', { ...since, startedOverAt: 't2' })).toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      lastAttemptAt: 't1',
    });
  });

  it('keeps the last attempt if an earlier flush ends after a later one has begun', async () => {
    const webhook = webhookRecord({ url: 'http://localhost' });
    await webhooks.insertOne(webhook);
    const gate = createGate();
    let batches = 0;
    const health = createWebhookHealth({
      async bulkUpdate(operations) {
        batches += 1;
        if (batches === 1) await gate.passed;
        return webhooks.bulkUpdate(operations);
      },
    });
    health.note(webhook, { at: 't0', status: 200, isSuccess: true });
    const flushes = [health.flush()];
    await poll(() => batches === 1);
    health.note(webhook, { at: 't1', status: 410, isSuccess: false });
    flushes.push(health.flush());
    await new Promise(setImmediate);
    gate.open();
    await Promise.all(flushes);
    expect(await webhooks.findOne({ _id: webhook._id })).toMatchObject({
      lastAttemptAt: 't1',
      lastStatus: 410,
    });
  });

  it('adds to earlier failures and keeps the time of the first', async () => {
    expect(await after('ff', failing)).toMatchObject({ consecutiveFailures: 7, failingSince: 'long ago' });
    expect(await after('sf', failing)).toMatchObject({ consecutiveFailures: 1, failingSince: 't1' });
    expect(await after('s(f)', failing)).toMatchObject({ consecutiveFailures: 1, failingSince: 't2' });
  });
});

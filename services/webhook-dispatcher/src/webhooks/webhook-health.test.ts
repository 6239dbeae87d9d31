import { StoreError } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { WEBHOOKS, type WebhookRecord } from '@svcforms/records';
import { createGate, poll } from '@svcforms/test-kit';
import { webhookRecord } from '../../test/records.ts';
import { createWebhookHealth } from './webhook-health.ts';

describe('webhook health', () => {
  const webhooks = openTestStore().collection<WebhookRecord>(WEBHOOKS);

  /** `s`: success, `f`: failure, `|`: flush, `x`: failed flush. */
  async function after(course: string, before: Partial<WebhookRecord> = {}) {
    const webhook = webhookRecord({ url: 'http://localhost', ...before });
    await webhooks.insertOne(webhook);
    let isAway = false;
    const health = createWebhookHealth({
      async bulkUpdate(operations) {
        if (isAway) throw new StoreError('UNAVAILABLE', 'not now');
        return webhooks.bulkUpdate(operations);
      },
    });
    for (const [n, step] of course.split('').entries()) {
      if (step === '|') {
        await health.flush();
      } else if (step === 'x') {
        isAway = true;
        await expect(health.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        isAway = false;
      } else {
        health.note(webhook, { at: `t${n}`, status: step === 's' ? 200 : null, isSuccess: step === 's' });
      }
    }
    await health.flush();
    const { consecutiveFailures, failingSince, lastAttemptAt, lastStatus } =
      (await webhooks.findOne({ _id: webhook._id })) ?? webhook;
    return { consecutiveFailures, failingSince, lastAttemptAt, lastStatus };
  }

  const failing = { consecutiveFailures: 5, failingSince: 'long ago' };

  it.each([
    { course: 's', consecutiveFailures: 0, failingSince: null, lastAttemptAt: 't0', lastStatus: 200 },
    { course: 'ff', consecutiveFailures: 2, failingSince: 't0', lastAttemptAt: 't1', lastStatus: null },
    { course: 'f|f', consecutiveFailures: 2, failingSince: 't0', lastAttemptAt: 't2', lastStatus: null },
    { course: 'fsff', consecutiveFailures: 2, failingSince: 't2', lastAttemptAt: 't3', lastStatus: null },
    { course: 'ff|s', consecutiveFailures: 0, failingSince: null, lastAttemptAt: 't3', lastStatus: 200 },
    { course: 'ffxf', consecutiveFailures: 3, failingSince: 't0', lastAttemptAt: 't3', lastStatus: null },
    { course: 'fxsf', consecutiveFailures: 1, failingSince: 't3', lastAttemptAt: 't3', lastStatus: null },
    { course: 'sfxf', consecutiveFailures: 2, failingSince: 't1', lastAttemptAt: 't3', lastStatus: null },
  ])(
    'after "$course" shows $consecutiveFailures failures since $failingSince',
    async ({ course, ...expected }) => {
      expect(await after(course)).toEqual(expected);
    },
  );

  it('leaves out failures from before the webhook was enabled again', async () => {
    const since = { startedOverAt: 't1', failingSince: null, consecutiveFailures: 0 };
    expect(await after('f', since)).toEqual({
      consecutiveFailures: 0,
      failingSince: null,
      lastAttemptAt: 't0',
      lastStatus: null,
    });
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
  });
});

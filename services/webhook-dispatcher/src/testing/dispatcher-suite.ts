import { createSecretBox, generateEncryptionKey, verifySvcSignature } from '@svcforms/signing';
import { webhookSecretContext, newSubmission, submissionEventBody } from '@svcforms/records';
import { newId } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { EnginePair } from './pairs.ts';
import { secretBox } from './records.ts';
import { openStage, type Stage } from './stage.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MINUTE_MS = 60_000;

/** Describes what a dispatcher does, on any pair of engines. */
export function describeDispatcher(open: () => Promise<EnginePair>): void {
  jest.setTimeout(60_000);
  let pair: EnginePair;
  let stage: Stage;

  beforeAll(async () => void (pair = await open()), 120_000);
  beforeEach(async () => void (stage = await openStage(pair)));
  afterEach(() => stage.close());
  afterAll(() => pair.close());

  describe('a delivery', () => {
    it('carries the event, signed in both ways, and is recorded with its attempt.', async () => {
      const webhook = await stage.addWebhook('/hook', {}, SECRET);
      await stage.startDispatcher();
      const [event] = await stage.publish(webhook);
      const [delivery] = await stage.settled(webhook, 1);
      const [request] = stage.listener.received();
      const { headers, rawBody: body } = request!;

      expect(body.toString()).toBe(event!.body);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'SvcForms-Webhooks/1',
        'svc-event-id': event!.id,
        'svc-delivery-id': delivery!._id,
        'webhook-id': event!.id,
      });
      const now = Math.floor(Date.now() / 1000);
      expect(
        verifySvcSignature({ header: String(headers['svc-signature']), body, secrets: [SECRET], now }),
      ).toMatchObject({ ok: true });
      expect(() => new StandardWebhook(SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
      expect(delivery).toMatchObject({
        webhookId: webhook._id,
        eventId: event!.id,
        eventType: 'form.submission.new',
        requestId: 'req-1',
        attempts: [{ status: 200, responseBody: '' }],
      });
      expect(delivery).not.toHaveProperty('owner');
      expect(delivery).not.toHaveProperty('dueAt');
      expect(Date.parse(delivery!.expireAt) - Date.parse(delivery!.createdAt)).toBe(30 * 24 * 60 * MINUTE_MS);
    });

    it('goes to every enabled webhook of the form that is subscribed to the event, and to no other.', async () => {
      const first = await stage.addWebhook('/first');
      const { accountId, formId } = first;
      await stage.addWebhook('/second', {
        accountId,
        formId,
        events: ['submission.created', 'form.submission.new'],
      });
      await stage.addWebhook('/other-event', { accountId, formId, events: ['decision.approved'] });
      await stage.addWebhook('/disabled', { accountId, formId, isEnabled: false });
      await stage.addWebhook('/other-form', { accountId });
      await stage.startDispatcher();
      await stage.publish(first);
      await poll(() => stage.listener.received().length >= 2);
      await stage.settled(first, 1);
      expect(
        stage.listener
          .received()
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(['/first', '/second']);
      expect(await stage.deliveries.count({})).toBe(2);
    });

    it('is made once for an event that comes twice.', async () => {
      const webhook = await stage.addWebhook('/hook');
      await stage.startDispatcher(undefined, {
        bus: {
          ...pair.bus,
          consume: (durable, options, handler) =>
            pair.bus.consume(durable, options, async (batch) => {
              await handler(batch);
              await handler(batch);
            }),
        },
      });
      await stage.publish(webhook, 20);
      await stage.settled(webhook, 20);
      expect(stage.listener.received()).toHaveLength(20);
    });

    it('of an event without a body carries the one of the stored submission.', async () => {
      const webhook = await stage.addWebhook('/hook');
      const submission = newSubmission({
        accountId: webhook.accountId,
        formId: webhook.formId,
        data: JSON.stringify({ text: 'ö'.repeat(500_000) }),
        metadata: { submittedVia: 'web' },
        requestId: 'req-1',
        now: Date.now(),
      });
      await stage.submissions.insertOne(submission);
      await stage.startDispatcher();
      const [event] = await stage.publish(webhook, 1, { body: null, submissionId: submission._id });
      await stage.settled(webhook, 1);
      expect(stage.listener.received()[0]!.rawBody.toString()).toBe(submissionEventBody(submission, event!));
    });

    it('is not made for an event whose submission is gone.', async () => {
      const webhook = await stage.addWebhook('/hook');
      await stage.startDispatcher();
      await stage.publish(webhook, 1, { body: null, submissionId: newId('sub') });
      await stage.publish(webhook);
      await stage.settled(webhook, 1);
      expect(stage.listener.received()).toHaveLength(1);
      expect(await stage.deadLetters.count({})).toBe(0);
    });
  });

  describe('a delivery that fails', () => {
    it('is tried again with the same bytes and ids, later by the schedule, and freshly signed.', async () => {
      const webhook = await stage.addWebhook('/hook', {}, SECRET);
      const statuses = [500, 302, 200];
      stage.listener.answer(() => ({ status: statuses.shift() ?? 200, body: 'answer' }));
      await stage.startDispatcher({ retryScheduleSeconds: [1, 1] }, { random: () => 0.5 });
      await stage.publish(webhook);
      const [delivery] = await stage.settled(webhook, 1);
      const requests = stage.listener.received();

      expect(delivery!.attempts.map(({ status }) => status)).toEqual([500, 302, 200]);
      expect(delivery!.attempts.map(({ responseBody }) => responseBody)).toEqual([
        'answer',
        'answer',
        'answer',
      ]);
      const times = delivery!.attempts.map(({ at }) => Date.parse(at));
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1000);
      expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(1000);
      expect(new Set(requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
      expect(new Set(requests.map(({ eventId, deliveryId }) => eventId + deliveryId)).size).toBe(1);
      const verdicts = requests.map(({ headers, rawBody: body }) =>
        verifySvcSignature({
          header: String(headers['svc-signature']),
          body,
          secrets: [SECRET],
          now: Math.floor(Date.now() / 1000),
        }),
      );
      const signedAt = verdicts.map((verdict) => verdict.ok && verdict.timestamp);
      expect(new Set(signedAt).size).toBe(3);
      expect(signedAt).not.toContain(false);
    });

    it('has failed for good after the last attempt of the schedule.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => ({ status: 500 }));
      await stage.startDispatcher({ retryScheduleSeconds: [0.05, 0.05] });
      await stage.publish(webhook);
      const [delivery] = await stage.settled(webhook, 1, ['failed']);
      expect(delivery!.attempts).toHaveLength(3);
      expect(delivery).not.toHaveProperty('dueAt');
    });

    it('is recorded with the reason when nobody answers, and when the target is forbidden.', async () => {
      const silent = await stage.addWebhook('/silent');
      const blocked = await stage.addWebhook('/', { url: 'http://10.0.0.1/' });
      const closed = await stage.addWebhook('/', { url: 'http://127.0.0.1:9/' });
      stage.listener.answer(() => 'hang');
      await stage.startDispatcher({ retryScheduleSeconds: [], deliveryTimeoutMs: 200 });
      for (const webhook of [silent, blocked, closed]) await stage.publish(webhook);
      for (const [webhook, error] of [
        [silent, 'timeout'],
        [blocked, 'blocked_target'],
        [closed, 'connect'],
      ] as const) {
        const [delivery] = await stage.settled(webhook, 1, ['failed']);
        expect(delivery!.attempts).toMatchObject([{ error, responseBody: '' }]);
      }
    });

    it('is not tried before the time that Retry-After names.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
      await stage.startDispatcher();
      await stage.publish(webhook);
      const delivery = await poll(() =>
        stage.deliveries.findOne({ webhookId: webhook._id, status: 'pending' }),
      );
      expect(Date.parse(delivery.dueAt!) - Date.parse(delivery.attempts[0]!.at)).toBeGreaterThanOrEqual(
        60 * MINUTE_MS,
      );
    });

    it('on 429 keeps the other deliveries of its webhook back, without attempts.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      await stage.startDispatcher({ limits: { perWebhook: 1, perAccount: 8, global: 8 } });
      await stage.publish(webhook, 10);
      await poll(async () => (await stage.deliveries.find({})).some(({ attempts }) => attempts.length > 0));
      const neighbour = await stage.addWebhook('/neighbour');
      stage.listener.answer(() => ({ status: 200 }));
      await stage.publish(neighbour, 10);
      await stage.settled(neighbour, 10);
      expect(stage.listener.received('/hook')).toHaveLength(1);
    });

    it('with 410 ends its webhook: it is disabled, and nothing more is sent.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => ({ status: 410 }));
      await stage.startDispatcher({ limits: { perWebhook: 1, perAccount: 8, global: 8 } });
      await stage.publish(webhook, 30);
      await stage.settled(webhook, 30, ['failed']);
      expect(stage.listener.received()).toHaveLength(1);
      expect(await stage.webhooks.findOne({ _id: webhook._id })).toMatchObject({
        isEnabled: false,
        disabledReason: 'gone',
        disabledAt: expect.any(String),
      });
    });

    it.each([
      ['disabled', (_id: string) => stage.webhooks.updateOne({ _id }, { $set: { isEnabled: false } })],
      ['deleted', (_id: string) => stage.webhooks.deleteOne({ _id })],
    ])('is tried no more after its webhook was %s.', async (_how, end) => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      let passed = 0;
      await stage.startDispatcher(
        { limits: { perWebhook: 1, perAccount: 8, global: 8 } },
        { now: () => Date.now() + passed },
      );
      await stage.publish(webhook, 30);
      await poll(() => stage.listener.hanging() === 1);
      await end(webhook._id);
      passed = 1000;
      stage.listener.answer(() => ({ status: 500 }));
      stage.listener.release();
      const all = await stage.settled(webhook, 30, ['failed', 'delivered']);
      expect(stage.listener.received()).toHaveLength(1);
      expect(all.filter(({ attempts }) => attempts.length > 0)).toHaveLength(1);
    });

    it('is one of ours when the secret can not be read: nothing is sent, and a person is told.', async () => {
      const webhook = await stage.addWebhook('/hook', {
        secret: createSecretBox([generateEncryptionKey()]).seal(SECRET, webhookSecretContext('whk_x')),
      });
      const { log } = await stage.startDispatcher();
      await stage.publish(webhook);
      const [delivery] = await stage.settled(webhook, 1, ['failed']);
      expect(delivery!.attempts).toHaveLength(4);
      expect(delivery!.attempts[0]).toMatchObject({ error: 'not_sent' });
      expect(stage.listener.received()).toHaveLength(0);
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(4);
    });
  });

  describe('a webhook whose listener hangs', () => {
    /** 16 in places, 256 ahead: the others wait in the store. */
    const limits = { perWebhook: 16, perAccount: 32, global: 64 };

    it('keeps its own places only: a neighbour gets everything while a thousand wait at it.', async () => {
      const dead = await stage.addWebhook('/dead');
      const neighbour = await stage.addWebhook('/neighbour', { accountId: dead.accountId });
      stage.listener.answer(({ path }) => (path === '/dead' ? 'hang' : {}));
      await stage.startDispatcher({ limits });
      await stage.publish(dead, 1_000);
      await poll(async () => (await stage.deliveries.count({ waiting: { $exists: true } })) === 728);
      await stage.publish(neighbour, 200);
      await stage.settled(neighbour, 200);
      expect(stage.listener.hanging()).toBe(16);
      expect(stage.listener.received('/dead')).toHaveLength(16);
    });

    it('gets what waited as soon as it answers again.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      await stage.startDispatcher({ limits });
      await stage.publish(webhook, 1_000);
      await poll(async () => (await stage.deliveries.count({ waiting: { $exists: true } })) === 728);
      await poll(() => stage.listener.hanging() === 16);
      stage.listener.answer(() => ({ status: 200 }));
      stage.listener.release();
      await stage.settled(webhook, 1_000);
      expect(stage.listener.received()).toHaveLength(1_000);
    });
  });

  describe('several dispatchers', () => {
    it('share the work, and never attempt the same delivery at once, nor twice without need.', async () => {
      const webhooks = await Promise.all(['/a', '/b', '/c'].map((path) => stage.addWebhook(path)));
      const failedOnce = new Set<string>();
      stage.listener.answer(({ deliveryId, path }) => {
        if (path !== '/b' || failedOnce.has(deliveryId)) return { status: 200 };
        failedOnce.add(deliveryId);
        return { status: 503 };
      });
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const actors = await Promise.all([
        stage.startDispatcher({ limits }),
        stage.startDispatcher({ limits }),
      ]);
      for (const webhook of webhooks) await stage.publish(webhook, 150);
      for (const webhook of webhooks) await stage.settled(webhook, 150);
      expect(stage.listener.overlaps()).toEqual([]);
      expect(stage.listener.received()).toHaveLength(450 + failedOnce.size);
      const attemptsOf = actors.map(({ log }) =>
        log.filter(({ fields }) => fields['event'] === 'delivery.attempted'),
      );
      expect(attemptsOf.flat()).toHaveLength(450 + failedOnce.size);
      for (const attempts of attemptsOf) expect(attempts.length).toBeGreaterThan(0);
    });

    it('take over what a dead one had, and what waited at it.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const dead = await stage.startDispatcher({ limits });
      await stage.publish(webhook, 100);
      await poll(async () => (await stage.deliveries.count({ webhookId: webhook._id })) === 100);
      await poll(() => stage.listener.hanging() === 2);
      await dead.faults.crash();
      const attempted = stage.listener.received().map(({ deliveryId }) => deliveryId);
      stage.listener.answer(() => ({ status: 200 }));
      await stage.startDispatcher({ limits }, { now: () => Date.now() + MINUTE_MS });
      await stage.settled(webhook, 100);
      const again = stage.listener.received().slice(attempted.length);
      expect(again).toHaveLength(100);
      expect(again.map(({ deliveryId }) => deliveryId)).toEqual(expect.arrayContaining(attempted));
    });
  });

  describe('a dispatcher whose lease was taken over', () => {
    it('writes nothing any more about that delivery.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      const slow = await stage.startDispatcher();
      await stage.publish(webhook);
      await poll(() => stage.listener.hanging() === 1);
      const other = await stage.startDispatcher({}, { now: () => Date.now() + MINUTE_MS });
      await poll(() => stage.listener.hanging() === 2);
      stage.listener.release();
      const [delivery] = await stage.settled(webhook, 1);
      await Promise.all([slow.stop(), other.stop()]);
      expect((await stage.deliveries.findOne({ _id: delivery!._id }))?.attempts).toHaveLength(1);
    });
  });

  describe('a dispatcher that is started again', () => {
    it('as the only process of its store goes on at once with what was under way.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const before = await stage.startDispatcher({ limits, soleProcess: true });
      await stage.publish(webhook, 100);
      await poll(async () => (await stage.deliveries.count({ webhookId: webhook._id })) === 100);
      await before.faults.crash();
      stage.listener.answer(() => ({ status: 200 }));
      await stage.startDispatcher({ limits, soleProcess: true });
      await stage.settled(webhook, 100);
    });

    it('after an orderly stop has lost nothing and repeats nothing.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const before = await stage.startDispatcher({ limits });
      await stage.publish(webhook, 100);
      await poll(async () => (await stage.deliveries.count({ webhookId: webhook._id })) === 100);
      await poll(() => stage.listener.hanging() === 2);
      const stopped = before.stop();
      await poll(async () => (await stage.deliveries.count({ status: 'delivering' })) === 2);
      stage.listener.answer(() => ({ status: 200 }));
      stage.listener.release();
      await stopped;
      expect(await stage.deliveries.count({ status: 'delivered' })).toBe(2);
      expect(await stage.deliveries.count({ status: 'pending', owner: { $exists: false } })).toBe(98);
      await stage.startDispatcher({ limits });
      await stage.settled(webhook, 100);
      expect(stage.listener.received()).toHaveLength(100);
    });
  });

  describe('while the store is away', () => {
    it('nothing is lost: events wait in the bus, results in memory.', async () => {
      const webhook = await stage.addWebhook('/hook');
      stage.listener.answer(() => 'hang');
      const { faults, log } = await stage.startDispatcher();
      await stage.publish(webhook, 5);
      await poll(() => stage.listener.hanging() === 5);
      faults.away();
      stage.listener.answer(() => ({ status: 200 }));
      stage.listener.release();
      await stage.publish(webhook, 5);
      await poll(() => log.filter(({ fields }) => fields['event'] === 'store.away').length === 2);
      faults.back();
      await stage.settled(webhook, 10);
      expect(stage.listener.received()).toHaveLength(10);
      expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });

  describe('an event that nothing can be made of', () => {
    it('becomes a dead letter, and the others of its batch are delivered.', async () => {
      const webhook = await stage.addWebhook('/hook');
      const { submissionId: _, ...broken } = (await stage.publish(webhook, 1))[0]!;
      await pair.bus.publish({ ...broken, id: newId('evt'), body: null });
      await stage.publish(webhook, 5);
      const { log } = await stage.startDispatcher();
      await stage.settled(webhook, 6);
      const [letter] = await poll(async () => {
        const letters = await stage.deadLetters.find({});
        return letters.length > 0 && letters;
      });
      expect(JSON.parse(letter!.event)).toMatchObject({ formId: webhook.formId, body: null });
      expect(log.filter(({ level }) => level === 'error')).toMatchObject([
        { fields: { event: 'event.dead' } },
      ]);
    });
  });

  describe('what is known of a webhook', () => {
    it('counts failures since the last success, and since when it fails.', async () => {
      const webhook = await stage.addWebhook('/hook');
      const state = () => stage.webhooks.findOne({ _id: webhook._id });
      stage.listener.answer(() => ({ status: 500 }));
      await stage.startDispatcher({ retryScheduleSeconds: [] });
      await stage.publish(webhook, 3);
      const deliveries = await stage.settled(webhook, 3, ['failed']);
      const first = deliveries.map(({ attempts }) => attempts[0]!.at).toSorted()[0];
      expect(
        await poll(async () => ((await state())?.consecutiveFailures === 3 ? state() : null)),
      ).toMatchObject({
        failingSince: first,
        lastStatus: 500,
        lastAttemptAt: expect.any(String),
      });
      stage.listener.answer(() => ({ status: 204 }));
      await stage.publish(webhook);
      expect(await poll(async () => ((await state())?.lastStatus === 204 ? state() : null))).toMatchObject({
        failingSince: null,
        consecutiveFailures: 0,
      });
    });

    it('is written at the latest when the dispatcher stops.', async () => {
      const webhook = await stage.addWebhook('/hook');
      const dispatcher = await stage.startDispatcher();
      await stage.publish(webhook);
      await stage.settled(webhook, 1);
      await dispatcher.stop();
      expect(await stage.webhooks.findOne({ _id: webhook._id })).toMatchObject({ lastStatus: 200 });
    });
  });

  describe('the log', () => {
    it('has one line an attempt, with every id, and never a body or a secret.', async () => {
      const webhook = await stage.addWebhook('/hook', {}, SECRET);
      const statuses = [500, 200];
      stage.listener.answer(() => ({ status: statuses.shift() ?? 200, body: 'listener-text' }));
      const { log } = await stage.startDispatcher();
      const [event] = await stage.publish(webhook);
      const [delivery] = await stage.settled(webhook, 1);
      const attempts = log.filter(({ fields }) => fields['event'] === 'delivery.attempted');
      expect(attempts.map(({ fields }) => fields)).toMatchObject([
        { attempt: 1, outcome: 'retry', status: 500, nextAttemptAt: expect.any(String) },
        { attempt: 2, outcome: 'delivered', status: 200 },
      ]);
      for (const { fields, level } of attempts) {
        expect(level).toBe('info');
        expect(fields).toMatchObject({
          deliveryId: delivery!._id,
          webhookId: webhook._id,
          formId: webhook.formId,
          accountId: webhook.accountId,
          eventId: event!.id,
          requestId: 'req-1',
          durationMs: expect.any(Number),
        });
      }
      const text = JSON.stringify(log);
      for (const secret of [SECRET, 'listener-text', 'Zoë', secretBox.seal('', '').slice(0, 10)]) {
        expect(text).not.toContain(secret);
      }
    });
  });
}

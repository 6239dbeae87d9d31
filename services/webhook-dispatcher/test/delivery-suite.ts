import { newId } from '@svcforms/contracts';
import {
  newSubmission,
  submissionEventBody,
  webhookSecretContext,
  type DeliveryRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey, verifySvcSignature } from '@svcforms/signing';
import { poll } from '@svcforms/test-kit';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { repeating } from './faults.ts';
import { secretBox } from './records.ts';
import type { Ground } from './fixture.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MINUTE_MS = 60_000;

/**
 * What becomes of an event: the deliveries, their attempts, and what is written down about them.
 */
export function describeDeliveries(on: Ground): void {
  describe('a delivery', () => {
    it('carries the event, signed in both ways, and is recorded with its attempt.', async () => {
      const webhook = await on.stage.addWebhook('/hook', {}, SECRET);
      await on.stage.startDispatcher();
      const [event] = await on.stage.publish(webhook);
      const [delivery] = await on.stage.settled(webhook, 1);
      const [request] = on.stage.webhookEndpoint.received();
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
      const first = await on.stage.addWebhook('/first');
      const { accountId, formId } = first;
      await on.stage.addWebhook('/second', {
        accountId,
        formId,
        events: ['submission.created', 'form.submission.new'],
      });
      await on.stage.addWebhook('/other-event', { accountId, formId, events: ['decision.approved'] });
      await on.stage.addWebhook('/disabled', { accountId, formId, isEnabled: false });
      await on.stage.addWebhook('/other-form', { accountId });
      await on.stage.startDispatcher();
      await on.stage.publish(first);
      await poll(() => on.stage.webhookEndpoint.received().length >= 2);
      await on.stage.settled(first, 1);
      expect(
        on.stage.webhookEndpoint
          .received()
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(['/first', '/second']);
      expect(await on.stage.deliveries.count({})).toBe(2);
    });

    it('is in the store when its endpoint is told.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      const found: Promise<DeliveryRecord | null>[] = [];
      on.stage.webhookEndpoint.answer(({ deliveryId }) => {
        found.push(on.stage.deliveries.findOne({ _id: deliveryId }));
        return {};
      });
      await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      await on.stage.settled(webhook, 1);
      expect(await Promise.all(found)).toMatchObject([{ status: 'delivering', attempts: [] }]);
    });

    it('is made once for an event that comes twice.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      await on.stage.startDispatcher(undefined, { bus: repeating(on.pair.bus) });
      await on.stage.publish(webhook, 40);
      await on.stage.settled(webhook, 40);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(40);
    });

    it('is made once for an event of a while ago that was published once more.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      await on.stage.startDispatcher(undefined, { bus: repeating(on.pair.bus, { asNew: true }) });
      const timestamp = new Date(Date.now() - 5_000).toISOString();
      await on.stage.publish(webhook, 40, { timestamp });
      await on.stage.settled(webhook, 40);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(40);
    });

    it('of an event without a body carries the one of the stored submission.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      const submission = newSubmission({
        accountId: webhook.accountId,
        formId: webhook.formId,
        data: JSON.stringify({ text: 'ö'.repeat(500_000) }),
        metadata: { submittedVia: 'web' },
        requestId: 'req-1',
        now: Date.now(),
      });
      await on.stage.submissions.insertOne(submission);
      await on.stage.startDispatcher();
      const [event] = await on.stage.publish(webhook, 1, { body: null, submissionId: submission._id });
      await on.stage.settled(webhook, 1);
      expect(on.stage.webhookEndpoint.received()[0]!.rawBody.toString()).toBe(
        submissionEventBody(submission, event!),
      );
    });

    it('is not made for an event whose submission is gone.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      await on.stage.startDispatcher();
      await on.stage.publish(webhook, 1, { body: null, submissionId: newId('sub') });
      await on.stage.publish(webhook);
      await on.stage.settled(webhook, 1);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(1);
      expect(await on.stage.deadLetters.count({})).toBe(0);
    });
  });

  describe('a delivery that fails', () => {
    it('is tried again with the same bytes and ids, later by the schedule, and freshly signed.', async () => {
      const webhook = await on.stage.addWebhook('/hook', {}, SECRET);
      const statuses = [500, 302, 200];
      on.stage.webhookEndpoint.answer(() => ({ status: statuses.shift() ?? 200, body: 'answer' }));
      await on.stage.startDispatcher({ retryScheduleSeconds: [1, 1] }, { random: () => 0.5 });
      await on.stage.publish(webhook);
      const [delivery] = await on.stage.settled(webhook, 1);
      const requests = on.stage.webhookEndpoint.received();

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
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => ({ status: 500 }));
      // Were they only found by the regular look each second, this would take longer than a test
      // may.
      await on.stage.startDispatcher({ retryScheduleSeconds: Array.from({ length: 30 }, () => 0.01) });
      await on.stage.publish(webhook);
      const [delivery] = await on.stage.settled(webhook, 1, ['failed']);
      expect(delivery!.attempts).toHaveLength(31);
      expect(delivery).not.toHaveProperty('dueAt');
    });

    it('is recorded with the reason when nobody answers, and when the target is forbidden.', async () => {
      const silent = await on.stage.addWebhook('/silent');
      const blocked = await on.stage.addWebhook('/', { url: 'http://10.0.0.1/' });
      const closed = await on.stage.addWebhook('/', { url: 'http://127.0.0.1:9/' });
      on.stage.webhookEndpoint.answer(() => 'hang');
      await on.stage.startDispatcher({ retryScheduleSeconds: [], deliveryTimeoutMs: 200 });
      for (const webhook of [silent, blocked, closed]) await on.stage.publish(webhook);
      for (const [webhook, error] of [
        [silent, 'timeout'],
        [blocked, 'blocked_target'],
        [closed, 'connect'],
      ] as const) {
        const [delivery] = await on.stage.settled(webhook, 1, ['failed']);
        expect(delivery!.attempts).toMatchObject([{ error, responseBody: '' }]);
      }
    });

    it('is not tried before the time that Retry-After names.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
      await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      const delivery = await poll(() =>
        on.stage.deliveries.findOne({ webhookId: webhook._id, status: 'pending' }),
      );
      expect(Date.parse(delivery.dueAt!) - Date.parse(delivery.attempts[0]!.at)).toBeGreaterThanOrEqual(
        60 * MINUTE_MS,
      );
    });

    it('on 429 keeps the other deliveries of its webhook back, without attempts.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      await on.stage.startDispatcher({ limits: { perWebhook: 1, perAccount: 8, global: 8 } });
      await on.stage.publish(webhook, 10);
      await poll(async () =>
        (await on.stage.deliveries.find({})).some(({ attempts }) => attempts.length > 0),
      );
      const neighbour = await on.stage.addWebhook('/neighbour');
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      await on.stage.publish(neighbour, 10);
      await on.stage.settled(neighbour, 10);
      expect(on.stage.webhookEndpoint.received('/hook')).toHaveLength(1);
    });

    it('on 429 keeps them back in every process, also in one that was not there.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      const first = await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      await poll(async () => (await on.stage.webhooks.findOne({ _id: webhook._id }))?.pausedUntil);
      await first.stop();

      let passed = 0;
      const second = await on.stage.startDispatcher({}, { now: () => Date.now() + passed });
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      await on.stage.publish(webhook, 10);
      const ofWebhook = (more: object) => on.stage.deliveries.find({ webhookId: webhook._id, ...more });
      await poll(
        async () => (await ofWebhook({ dueAt: { $exists: true }, owner: { $exists: false } })).length > 1,
        {
          what: 'a delivery that is put off',
        },
      );
      expect(on.stage.webhookEndpoint.received('/hook')).toHaveLength(1);
      expect((await ofWebhook({})).flatMap(({ attempts }) => attempts)).toHaveLength(1);
      passed = MINUTE_MS;
      await poll(async () => (await ofWebhook({ status: 'delivered' })).length === 10, {
        what: 'the deliveries after the pause',
      });
      await second.stop();
    });

    it('on 429 keeps them back no longer when the pause is taken away.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      await poll(async () => (await on.stage.webhooks.findOne({ _id: webhook._id }))?.pausedUntil);
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      await on.stage.publish(webhook, 10);
      await poll(async () => (await on.stage.deliveries.count({ webhookId: webhook._id })) === 11);
      await on.stage.webhooks.updateOne({ _id: webhook._id }, { $unset: { pausedUntil: true } });
      await poll(async () => on.stage.webhookEndpoint.received('/hook').length === 11, {
        what: 'what was kept back',
      });
    });

    it('with 410 ends its webhook: it is disabled, and nothing more is sent.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => ({ status: 410 }));
      await on.stage.startDispatcher({ limits: { perWebhook: 1, perAccount: 8, global: 8 } });
      await on.stage.publish(webhook, 30);
      await on.stage.settled(webhook, 30, ['failed']);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(1);
      expect(await on.stage.webhooks.findOne({ _id: webhook._id })).toMatchObject({
        isEnabled: false,
        disabledReason: 'gone',
        disabledAt: expect.any(String),
      });
    });

    it.each([
      ['disabled', (_id: string) => on.stage.webhooks.updateOne({ _id }, { $set: { isEnabled: false } })],
      ['deleted', (_id: string) => on.stage.webhooks.deleteOne({ _id })],
    ])('is tried no more after its webhook was %s.', async (_how, end) => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      let passed = 0;
      await on.stage.startDispatcher(
        { limits: { perWebhook: 1, perAccount: 8, global: 8 } },
        { now: () => Date.now() + passed },
      );
      await on.stage.publish(webhook, 30);
      await poll(() => on.stage.webhookEndpoint.hanging() === 1);
      await end(webhook._id);
      passed = 1000;
      on.stage.webhookEndpoint.answer(() => ({ status: 500 }));
      on.stage.webhookEndpoint.release();
      const all = await on.stage.settled(webhook, 30, ['failed', 'delivered']);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(1);
      expect(all.filter(({ attempts }) => attempts.length > 0)).toHaveLength(1);
    });

    it('is one of ours when the secret can not be read: nothing is sent, and a person is told.', async () => {
      const webhook = await on.stage.addWebhook('/hook', {
        secret: createSecretBox([generateEncryptionKey()]).seal(SECRET, webhookSecretContext('whk_x')),
      });
      const { log } = await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      const [delivery] = await on.stage.settled(webhook, 1, ['failed']);
      expect(delivery!.attempts).toHaveLength(4);
      expect(delivery!.attempts[0]).toMatchObject({ error: 'not_sent' });
      expect(on.stage.webhookEndpoint.received()).toHaveLength(0);
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(4);
    });
  });

  describe('an event that nothing can be made of', () => {
    it('becomes a dead letter, and the others of its batch are delivered.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      const { submissionId: _, ...broken } = (await on.stage.publish(webhook, 1))[0]!;
      await on.pair.bus.publish({ ...broken, id: newId('evt'), body: null });
      await on.stage.publish(webhook, 5);
      const { log } = await on.stage.startDispatcher();
      await on.stage.settled(webhook, 6);
      const [letter] = await poll(async () => {
        const letters = await on.stage.deadLetters.find({});
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
      const webhook = await on.stage.addWebhook('/hook');
      const state = () => on.stage.webhooks.findOne({ _id: webhook._id });
      on.stage.webhookEndpoint.answer(() => ({ status: 500 }));
      await on.stage.startDispatcher({ retryScheduleSeconds: [] });
      await on.stage.publish(webhook, 3);
      const deliveries = await on.stage.settled(webhook, 3, ['failed']);
      const first = deliveries.map(({ attempts }) => attempts[0]!.at).toSorted()[0];
      expect(
        await poll(async () => ((await state())?.consecutiveFailures === 3 ? state() : null)),
      ).toMatchObject({
        failingSince: first,
        lastStatus: 500,
        lastAttemptAt: expect.any(String),
      });
      on.stage.webhookEndpoint.answer(() => ({ status: 204 }));
      await on.stage.publish(webhook);
      expect(await poll(async () => ((await state())?.lastStatus === 204 ? state() : null))).toMatchObject({
        failingSince: null,
        consecutiveFailures: 0,
      });
    });

    it('is written at the latest when the dispatcher stops.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      const dispatcher = await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      await on.stage.settled(webhook, 1);
      await dispatcher.stop();
      expect(await on.stage.webhooks.findOne({ _id: webhook._id })).toMatchObject({ lastStatus: 200 });
    });
  });

  describe('the log', () => {
    it('has one line an attempt, with every id, and never a body or a secret.', async () => {
      const webhook = await on.stage.addWebhook('/hook', {}, SECRET);
      const statuses = [500, 200];
      on.stage.webhookEndpoint.answer(() => ({ status: statuses.shift() ?? 200, body: 'endpoint-text' }));
      const { log } = await on.stage.startDispatcher();
      const [event] = await on.stage.publish(webhook);
      const [delivery] = await on.stage.settled(webhook, 1);
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
      for (const secret of [SECRET, 'endpoint-text', 'Zoë', secretBox.seal('', '').slice(0, 10)]) {
        expect(text).not.toContain(secret);
      }
    });
  });
}

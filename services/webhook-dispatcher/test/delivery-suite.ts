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
import { repeatingBus } from './faults.ts';
import { secretBox } from './records.ts';
import type { SuiteContext } from './fixture.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MINUTE_MS = 60_000;

/**
 * Deliveries, their attempts, and what is recorded about them.
 */
export function describeDeliveries(on: SuiteContext): void {
  describe('a delivery', () => {
    it('sends the event with both signatures, and stores the attempt', async () => {
      const webhook = await on.fixture.addWebhook('/hook', {}, SECRET);
      await on.fixture.startDispatcher();
      const [event] = await on.fixture.publish(webhook);
      const [delivery] = await on.fixture.finished(webhook, 1);
      const [request] = on.fixture.webhookEndpoint.received();
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

    it('is sent to each enabled webhook of the form that is subscribed to the event type, and to no other', async () => {
      const first = await on.fixture.addWebhook('/first');
      const { accountId, formId } = first;
      await on.fixture.addWebhook('/second', {
        accountId,
        formId,
        events: ['submission.created', 'form.submission.new'],
      });
      await on.fixture.addWebhook('/other-event', { accountId, formId, events: ['decision.approved'] });
      await on.fixture.addWebhook('/disabled', { accountId, formId, isEnabled: false });
      await on.fixture.addWebhook('/other-form', { accountId });
      await on.fixture.startDispatcher();
      await on.fixture.publish(first);
      await poll(() => on.fixture.webhookEndpoint.received().length >= 2);
      await on.fixture.finished(first, 1);
      expect(
        on.fixture.webhookEndpoint
          .received()
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(['/first', '/second']);
      expect(await on.fixture.deliveries.count({})).toBe(2);
    });

    it('is stored before its endpoint receives it', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const found: Promise<DeliveryRecord | null>[] = [];
      on.fixture.webhookEndpoint.respond(({ deliveryId }) => {
        found.push(on.fixture.deliveries.findOne({ _id: deliveryId }));
        return {};
      });
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      expect(await Promise.all(found)).toMatchObject([{ status: 'delivering', attempts: [] }]);
    });

    it('is sent once when the bus repeats its event', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await on.fixture.startDispatcher(undefined, { bus: repeatingBus(on.pair.bus) });
      await on.fixture.publish(webhook, 40);
      await on.fixture.finished(webhook, 40);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(40);
    });

    it('is sent once when an older event was published twice', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await on.fixture.startDispatcher(undefined, { bus: repeatingBus(on.pair.bus, { asNew: true }) });
      const timestamp = new Date(Date.now() - 5_000).toISOString();
      await on.fixture.publish(webhook, 40, { timestamp });
      await on.fixture.finished(webhook, 40);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(40);
    });

    it('of an event without a body contains the stored submission', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const submission = newSubmission({
        accountId: webhook.accountId,
        formId: webhook.formId,
        data: JSON.stringify({ text: 'ö'.repeat(500_000) }),
        metadata: { submittedVia: 'web' },
        requestId: 'req-1',
        now: Date.now(),
      });
      await on.fixture.submissions.insertOne(submission);
      await on.fixture.startDispatcher();
      const [event] = await on.fixture.publish(webhook, 1, { body: null, submissionId: submission._id });
      await on.fixture.finished(webhook, 1);
      expect(on.fixture.webhookEndpoint.received()[0]!.rawBody.toString()).toBe(
        submissionEventBody(submission, event!),
      );
    });

    it('is not created for an event whose submission was deleted', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 1, { body: null, submissionId: newId('sub') });
      await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
      expect(await on.fixture.deadLetters.count({})).toBe(0);
    });
  });

  describe('a failing delivery', () => {
    it('is retried on schedule with the same bytes and ids and a new signature', async () => {
      const webhook = await on.fixture.addWebhook('/hook', {}, SECRET);
      const statuses = [500, 302, 200];
      on.fixture.webhookEndpoint.respond(() => ({ status: statuses.shift() ?? 200, body: 'answer' }));
      await on.fixture.startDispatcher({ retryScheduleSeconds: [1, 1] }, { random: () => 0.5 });
      await on.fixture.publish(webhook);
      const [delivery] = await on.fixture.finished(webhook, 1);
      const requests = on.fixture.webhookEndpoint.received();

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

    it('has failed after the last attempt of the schedule', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      // If only the sweep each second found them, the test would time out.
      await on.fixture.startDispatcher({ retryScheduleSeconds: Array.from({ length: 30 }, () => 0.01) });
      await on.fixture.publish(webhook);
      const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
      expect(delivery!.attempts).toHaveLength(31);
      expect(delivery).not.toHaveProperty('dueAt');
    });

    it('stores the reason when there is no response and when the target is blocked', async () => {
      const silent = await on.fixture.addWebhook('/silent');
      const blocked = await on.fixture.addWebhook('/', { url: 'http://10.0.0.1/' });
      const closed = await on.fixture.addWebhook('/', { url: 'http://127.0.0.1:9/' });
      on.fixture.webhookEndpoint.respond(() => 'hang');
      await on.fixture.startDispatcher({ retryScheduleSeconds: [], deliveryTimeoutMs: 200 });
      for (const webhook of [silent, blocked, closed]) await on.fixture.publish(webhook);
      for (const [webhook, error] of [
        [silent, 'timeout'],
        [blocked, 'blocked_target'],
        [closed, 'connect'],
      ] as const) {
        const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
        expect(delivery!.attempts).toMatchObject([{ error, responseBody: '' }]);
      }
    });

    it('is not retried before the time in Retry-After', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      const delivery = await poll(() =>
        on.fixture.deliveries.findOne({ webhookId: webhook._id, status: 'pending' }),
      );
      expect(Date.parse(delivery.dueAt!) - Date.parse(delivery.attempts[0]!.at)).toBeGreaterThanOrEqual(
        60 * MINUTE_MS,
      );
    });

    it('pauses its webhook after 429, without attempts of other deliveries', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      await on.fixture.startDispatcher({ limits: { perWebhook: 1, perAccount: 8, global: 8 } });
      await on.fixture.publish(webhook, 10);
      await poll(async () =>
        (await on.fixture.deliveries.find({})).some(({ attempts }) => attempts.length > 0),
      );
      const neighbor = await on.fixture.addWebhook('/neighbor');
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.publish(neighbor, 10);
      await on.fixture.finished(neighbor, 10);
      expect(on.fixture.webhookEndpoint.received('/hook')).toHaveLength(1);
    });

    it('pauses its webhook after 429 in every process, even in one that starts later', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      const first = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await poll(async () => (await on.fixture.webhooks.findOne({ _id: webhook._id }))?.pausedUntil);
      await first.stop();

      let passed = 0;
      const second = await on.fixture.startDispatcher({}, { now: () => Date.now() + passed });
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.publish(webhook, 10);
      const ofWebhook = (more: object) => on.fixture.deliveries.find({ webhookId: webhook._id, ...more });
      await poll(
        async () => (await ofWebhook({ dueAt: { $exists: true }, owner: { $exists: false } })).length > 1,
        {
          what: 'a postponed delivery',
        },
      );
      expect(on.fixture.webhookEndpoint.received('/hook')).toHaveLength(1);
      expect((await ofWebhook({})).flatMap(({ attempts }) => attempts)).toHaveLength(1);
      passed = MINUTE_MS;
      await poll(async () => (await ofWebhook({ status: 'delivered' })).length === 10, {
        what: 'the deliveries after the pause',
      });
      await second.stop();
    });

    it('ends the pause soon if the clock is set back by a day', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      let setBy = 0;
      await on.fixture.startDispatcher({}, { now: () => Date.now() + setBy });
      await on.fixture.publish(webhook);
      await poll(async () => (await on.fixture.webhooks.findOne({ _id: webhook._id }))?.pausedUntil);
      setBy = -24 * 3_600_000;
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.publish(webhook, 10);
      const delivered = { webhookId: webhook._id, status: 'delivered' } as const;
      await poll(async () => (await on.fixture.deliveries.count(delivered)) === 10, {
        what: 'the deliveries after the change of the clock',
      });
    });

    it('resumes the webhook when the pause is removed', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await poll(async () => (await on.fixture.webhooks.findOne({ _id: webhook._id }))?.pausedUntil);
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.publish(webhook, 10);
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: webhook._id })) === 11);
      await on.fixture.webhooks.updateOne({ _id: webhook._id }, { $unset: { pausedUntil: true } });
      await poll(async () => on.fixture.webhookEndpoint.received('/hook').length === 11, {
        what: 'the deliveries of the pause',
      });
    });

    it('disables its webhook after 410, and nothing more is sent', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => ({ status: 410 }));
      await on.fixture.startDispatcher({ limits: { perWebhook: 1, perAccount: 8, global: 8 } });
      await on.fixture.publish(webhook, 30);
      await on.fixture.finished(webhook, 30, ['failed']);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
      expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).toMatchObject({
        isEnabled: false,
        disabledReason: 'gone',
        disabledAt: expect.any(String),
        lastAttemptAt: expect.any(String),
        lastStatus: 410,
        consecutiveFailures: 1,
        failingSince: expect.any(String),
      });
    });

    it.each([
      ['a first attempt', 3],
      ['the last attempt of the schedule', 0],
    ])('goes to the new URL after %s got 410 of the URL before', async (_which, retries) => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(({ path }) => (path === '/hook' ? 'hang' : { status: 200 }));
      await on.fixture.startDispatcher({
        retryScheduleSeconds: Array.from({ length: retries }, () => 0.05),
      });
      await on.fixture.publish(webhook);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      const url = `${webhook.url}-new`;
      await on.fixture.webhooks.updateOne({ _id: webhook._id }, { $set: { url } });
      on.fixture.webhookEndpoint.release({ status: 410 });
      const [delivery] = await on.fixture.finished(webhook, 1);
      expect(delivery!.attempts.map(({ status }) => status)).toEqual([410, 200]);
      expect(on.fixture.webhookEndpoint.received().map(({ path }) => path)).toEqual(['/hook', '/hook-new']);
      expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).toMatchObject({ url, isEnabled: true });
    });

    describe('whose webhook gets another URL during an attempt', () => {
      /** Publishes an event, changes the URL while the endpoint has the request, and responds. */
      async function respondLate(response: { status: number; headers?: Record<string, string> }) {
        const webhook = await on.fixture.addWebhook('/hook');
        on.fixture.webhookEndpoint.respond(({ path }) =>
          path === '/hook' ? 'hang' : { status: path === '/hook-new' ? 200 : 500 },
        );
        await on.fixture.startDispatcher({ retryScheduleSeconds: [] });
        await on.fixture.publish(webhook);
        await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
        const url = `${webhook.url}-new`;
        await on.fixture.webhooks.updateOne({ _id: webhook._id }, { $set: { url } });
        on.fixture.webhookEndpoint.release(response);
        await on.fixture.finished(webhook, 1, ['failed']);
        return webhook;
      }

      it('leaves the webhook healthy after a failure of the URL before', async () => {
        const { _id } = await respondLate({ status: 500 });
        const neighbor = await on.fixture.addWebhook('/neighbor');
        await on.fixture.publish(neighbor);
        // Its failure is written later.
        await poll(
          async () => (await on.fixture.webhooks.findOne({ _id: neighbor._id }))?.consecutiveFailures === 1,
        );
        const webhook = await on.fixture.webhooks.findOne({ _id });
        expect(webhook).toMatchObject({ consecutiveFailures: 0, failingSince: null, lastStatus: null });
        expect(webhook).not.toHaveProperty('givenUpAt');
      });

      it('sends others to the new URL after 429 of the URL before', async () => {
        const webhook = await respondLate({ status: 429, headers: { 'retry-after': '3600' } });
        await on.fixture.publish(webhook);
        await poll(() => on.fixture.webhookEndpoint.received('/hook-new').length === 1);
        expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).not.toHaveProperty('pausedUntil');
      });
    });

    it('fails after 410 of a URL whose webhook was deleted since', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      await on.fixture.webhooks.deleteOne({ _id: webhook._id });
      on.fixture.webhookEndpoint.release({ status: 410 });
      const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
      expect(delivery!.attempts.map(({ status }) => status)).toEqual([410]);
    });

    it.each([
      ['disabled', (_id: string) => on.fixture.webhooks.updateOne({ _id }, { $set: { isEnabled: false } })],
      ['deleted', (_id: string) => on.fixture.webhooks.deleteOne({ _id })],
    ])('is not retried after its webhook was %s', async (_how, end) => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      let passed = 0;
      await on.fixture.startDispatcher(
        { limits: { perWebhook: 1, perAccount: 8, global: 8 } },
        { now: () => Date.now() + passed },
      );
      await on.fixture.publish(webhook, 30);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      await end(webhook._id);
      passed = 1000;
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      on.fixture.webhookEndpoint.release();
      const all = await on.fixture.finished(webhook, 30, ['failed', 'delivered']);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
      expect(all.filter(({ attempts }) => attempts.length > 0)).toHaveLength(1);
    });

    it("is not sent when the secret can't be decrypted, and logs an error", async () => {
      const webhook = await on.fixture.addWebhook('/hook', {
        secret: createSecretBox([generateEncryptionKey()]).seal(SECRET, webhookSecretContext('whk_x')),
      });
      const { log } = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
      expect(delivery!.attempts).toHaveLength(4);
      expect(delivery!.attempts[0]).toMatchObject({ error: 'not_sent' });
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(0);
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(4);
    });
  });

  describe("an event that can't be processed", () => {
    it('becomes a dead letter and is counted, and the other events of its batch are delivered', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const { submissionId: _, ...broken } = (await on.fixture.publish(webhook, 1))[0]!;
      await on.pair.bus.publish({ ...broken, id: newId('evt'), body: null });
      await on.fixture.publish(webhook, 5);
      const { log, metrics } = await on.fixture.startDispatcher();
      await on.fixture.finished(webhook, 6);
      const [letter] = await poll(async () => {
        const letters = await on.fixture.deadLetters.find({});
        return letters.length > 0 && letters;
      });
      expect(JSON.parse(letter!.event)).toMatchObject({ formId: webhook.formId, body: null });
      expect(log.filter(({ level }) => level === 'error')).toMatchObject([
        { fields: { event: 'event.dead' } },
      ]);
      const metric = metrics?.find(({ name }) => name === 'svc_events_dead_total');
      expect(await metric?.read()).toEqual([{ value: 1 }]);
    });
  });

  describe('webhook health', () => {
    it('counts failures since the last success and stores the time of the first one', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const state = () => on.fixture.webhooks.findOne({ _id: webhook._id });
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      await on.fixture.startDispatcher({ retryScheduleSeconds: [] });
      await on.fixture.publish(webhook, 3);
      const deliveries = await on.fixture.finished(webhook, 3, ['failed']);
      const first = deliveries.map(({ attempts }) => attempts[0]!.at).toSorted()[0];
      expect(
        await poll(async () => ((await state())?.consecutiveFailures === 3 ? state() : null)),
      ).toMatchObject({
        failingSince: first,
        lastStatus: 500,
        lastAttemptAt: expect.any(String),
      });
      on.fixture.webhookEndpoint.respond(() => ({ status: 204 }));
      await on.fixture.publish(webhook);
      expect(await poll(async () => ((await state())?.lastStatus === 204 ? state() : null))).toMatchObject({
        failingSince: null,
        consecutiveFailures: 0,
      });
    });

    it('is written when the dispatcher stops', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const dispatcher = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      await dispatcher.stop();
      expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).toMatchObject({ lastStatus: 200 });
    });
  });

  describe('the log', () => {
    it('has one line per attempt with all ids and without a body or secret', async () => {
      const webhook = await on.fixture.addWebhook('/hook', {}, SECRET);
      const statuses = [500, 200];
      on.fixture.webhookEndpoint.respond(() => ({ status: statuses.shift() ?? 200, body: 'endpoint-text' }));
      const { log } = await on.fixture.startDispatcher();
      const [event] = await on.fixture.publish(webhook);
      const [delivery] = await on.fixture.finished(webhook, 1);
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
          submissionId: event!.submissionId,
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

import { newId } from '@svcforms/contracts';
import { HOUR_MS } from '@svcforms/primitives';
import type { WebhookRecord } from '@svcforms/records';
import { poll, startMailServer, tempFolder } from '@svcforms/test-kit';
import { createMailer, type Mailer } from '../src/mail/mailer.ts';
import type { SuiteContext } from './fixture.ts';

const ENDPOINT_ADVICE = ['Check the endpoint', 'When the endpoint works again'] as const;

/** Webhooks whose endpoint fails for long. */
export function describeFailing(on: SuiteContext): void {
  const stateOf = async ({ _id }: WebhookRecord) => (await on.fixture.webhooks.findOne({ _id }))!;
  const until = (webhook: WebhookRecord, what: (state: WebhookRecord) => boolean) =>
    poll(async () => {
      const state = await stateOf(webhook);
      return what(state) && state;
    });

  /** Creates a failing webhook and a clock that the test controls. */
  async function failing({
    disableMinFailures = 4,
    replicas = 1,
    schedule = [0.01],
    values = {},
    mailer,
  }: {
    disableMinFailures?: number;
    replicas?: number;
    schedule?: number[];
    values?: Partial<WebhookRecord>;
    mailer?: Mailer;
  } = {}) {
    const webhook = await on.fixture.addWebhook('/hook', values);
    await on.fixture.forms.insertOne({
      _id: webhook.formId,
      accountId: webhook.accountId,
      name: 'Contact',
      fields: [],
      settings: {},
      createdAt: webhook.createdAt,
      updatedAt: webhook.createdAt,
      version: 1,
    });
    await on.fixture.users.insertOne({
      _id: newId('usr'),
      accountId: webhook.accountId,
      email: `${newId('usr').toLowerCase()}@example.com`,
      name: 'Owner',
      role: 'owner',
      passwordHash: '',
      createdAt: webhook.createdAt,
    });
    on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
    const clock = { passed: 0 };
    const config = {
      retryScheduleSeconds: schedule,
      // The check runs every 100 ms.
      disablePolicy: { disableAfterMs: 9_000, disableMinFailures },
    };
    const dispatchers = [];
    for (let n = 0; n < replicas; n++)
      dispatchers.push(
        await on.fixture.startDispatcher(config, {
          now: () => Date.now() + clock.passed,
          ...(mailer && { mailer }),
        }),
      );
    return { webhook, clock, dispatchers };
  }

  const kindsOf = async (webhook: WebhookRecord) => {
    const mails = await on.fixture.mails.find({ accountId: webhook.accountId });
    return mails
      .map(({ subject }) => (subject.kind === 'webhook' ? subject.notice.kind : subject.kind))
      .toSorted();
  };

  describe('a failing webhook', () => {
    it('warns its owner after a third of the time and is disabled at its end, with one email for each', async () => {
      const { webhook, clock, dispatchers } = await failing({ replicas: 2 });
      await on.fixture.publish(webhook, 2);
      await on.fixture.finished(webhook, 2, ['failed']);
      await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      expect(await stateOf(webhook)).toMatchObject({ isEnabled: true });
      expect(await kindsOf(webhook)).toEqual([]);

      clock.passed = 3_000;
      await until(webhook, ({ warnedAt }) => warnedAt !== undefined);
      expect(await stateOf(webhook)).toMatchObject({ isEnabled: true });
      await poll(async () => (await kindsOf(webhook)).length === 1);

      clock.passed = 9_000;
      expect(await until(webhook, ({ isEnabled }) => !isEnabled)).toMatchObject({
        disabledReason: 'failures',
        disabledAt: expect.any(String),
        consecutiveFailures: 4,
        lastStatus: 500,
      });
      await poll(async () => (await on.fixture.mails.count({ status: 'sent' })) === 2);
      clock.passed = 60_000;
      await on.fixture.publish(webhook);
      await poll(async () => (await on.fixture.deliveries.count({ status: 'held' })) === 1);
      expect(await kindsOf(webhook)).toEqual(['webhook_disabled', 'webhook_failing']);
      expect(await stateOf(webhook)).not.toHaveProperty('notices');
      expect(
        dispatchers.flatMap(({ log }) => log).filter(({ fields }) => fields['event'] === 'webhook.disabled'),
      ).toHaveLength(1);
    });

    it.each([
      [
        'its payload',
        { payload: { format: 'template', template: '{{ data | nope }}' } },
        "nothing was sent: the payload couldn't be rendered",
        ['Correct the payload', 'When its payload is correct'],
      ],
      [
        'its URL',
        { url: 'http://10.0.0.1:8080/' },
        "nothing was sent: the URL leads to an address that isn't allowed",
        ['Correct the URL', 'When its URL is correct'],
      ],
      ['the connection', { url: 'http://127.0.0.1:1/' }, 'no response', ENDPOINT_ADVICE],
      ['the response', {}, '500', ENDPOINT_ADVICE],
    ] as const)('is reported to its owner with what failed: %s', async (_, values, status, advice) => {
      const server = await startMailServer();
      const mailer = createMailer({ smtpUrl: server.url, folder: tempFolder(), from: 'forms@example.com' });
      const { webhook, clock } = await failing({ values, mailer });
      await on.fixture.publish(webhook, 2);
      await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      clock.passed = 9_000;
      const mails = await server.waitFor(2);
      for (const { text } of mails) expect(text).toContain(`Last status: ${status}\n`);
      const text = (subject: string) => mails.find((mail) => mail.subject.includes(subject))?.text;
      expect(text('is failing')).toContain(advice[0]);
      expect(text('was disabled')).toContain(advice[1]);
    });

    it.each([
      ['had too few failures in a row', { disableMinFailures: 5 }, 2, ['failed']],
      ['has no delivery that has failed', { schedule: [0.01, HOUR_MS] }, 2, ['pending']],
    ] as const)('stays enabled when it %s', async (_, options, count, statuses) => {
      const { webhook, clock } = await failing({
        ...options,
        schedule: [...('schedule' in options ? options.schedule : [0.01])],
      });
      await on.fixture.publish(webhook, count);
      await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      clock.passed = 10_000;
      await until(webhook, ({ warnedAt }) => warnedAt !== undefined);
      const healthy = await on.fixture.addWebhook('/healthy');
      on.fixture.webhookEndpoint.respond(({ path }) => ({ status: path === '/healthy' ? 200 : 500 }));
      await on.fixture.publish(healthy);
      await on.fixture.finished(healthy, 1);
      await until(healthy, ({ lastStatus }) => lastStatus === 200);
      expect(await stateOf(webhook)).toMatchObject({ isEnabled: true });
      await on.fixture.finished(webhook, count, statuses);
    });

    it('recovers after one success, and its failures are reset', async () => {
      const { webhook, clock } = await failing();
      await on.fixture.publish(webhook, 2);
      await until(
        webhook,
        ({ givenUpAt, consecutiveFailures }) => givenUpAt !== undefined && consecutiveFailures === 4,
      );
      clock.passed = 3_000;
      await until(webhook, ({ warnedAt }) => warnedAt !== undefined);
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.publish(webhook);
      const state = await until(webhook, ({ lastStatus }) => lastStatus === 200);
      expect(state).toMatchObject({ isEnabled: true, failingSince: null, consecutiveFailures: 0 });
      expect(state).not.toHaveProperty('givenUpAt');
      expect(state).not.toHaveProperty('warnedAt');
      clock.passed = 60_000;
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      await on.fixture.publish(webhook, 2);
      const again = await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      expect(again).toMatchObject({ isEnabled: true });
      expect(again).not.toHaveProperty('warnedAt');
    });
  });

  describe('a webhook that failures have disabled', () => {
    it('has its new deliveries and its backlog held for 30 days, and nothing is sent', async () => {
      const { webhook } = await failing({
        schedule: [0.3],
        values: { isEnabled: true },
      });
      await on.fixture.publish(webhook, 3);
      await poll(() => on.fixture.webhookEndpoint.received().length === 3);
      const disabledAt = new Date().toISOString();
      await on.fixture.webhooks.updateOne(
        { _id: webhook._id },
        { $set: { isEnabled: false, disabledReason: 'failures', disabledAt } },
      );
      const before = on.fixture.webhookEndpoint.received().length;
      await on.fixture.publish(webhook, 2);
      const held = await on.fixture.finished(webhook, 5, ['held']);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(before);
      for (const delivery of held) {
        expect(delivery).not.toHaveProperty('dueAt');
        expect(delivery).not.toHaveProperty('waiting');
        expect(Date.parse(delivery.expireAt) - Date.parse(delivery.createdAt)).toBe(30 * 24 * HOUR_MS);
      }
    });
  });

  describe('a webhook whose endpoint returns 410', () => {
    it('sends its owner one email', async () => {
      const { webhook } = await failing();
      on.fixture.webhookEndpoint.respond(() => ({ status: 410 }));
      await on.fixture.publish(webhook, 5);
      await on.fixture.finished(webhook, 5, ['failed']);
      await poll(async () => (await on.fixture.mails.count({ status: 'sent' })) === 1);
      expect(await kindsOf(webhook)).toEqual(['webhook_gone']);
      await on.fixture.publish(webhook, 5);
      expect(await kindsOf(webhook)).toEqual(['webhook_gone']);
    });
  });
}

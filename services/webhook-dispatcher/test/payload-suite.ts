import { newId, type WebhookPayload } from '@svcforms/contracts';
import { createEraser, ERASURES, type ErasureRecord, type WebhookRecord } from '@svcforms/records';
import { verifySvcSignature } from '@svcforms/signing';
import { poll } from '@svcforms/test-kit';
import type { SuiteContext } from './fixture.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Minutes of work, if nothing stopped it. */
const ENDLESS = '{% for a in (1..9999) %}{% for b in (1..9999) %}{% assign c = b %}{% endfor %}{% endfor %}';

/** Webhooks with a payload setting: what is sent, and what happens if it can't be made. */
export function describePayloads(on: SuiteContext): void {
  const template = (text: string): { payload: WebhookPayload } => ({
    payload: { format: 'template', template: text },
  });
  const requestsTo = (path: string) =>
    on.fixture.webhookEndpoint.received().filter((request) => request.path === path);
  const deliveryTo = ({ _id: webhookId }: WebhookRecord) => on.fixture.deliveries.findOne({ webhookId });
  /** Waits for this many attempts, which sent nothing. */
  const failedAttempts = (webhook: WebhookRecord, count: number) =>
    poll(async () => {
      const delivery = await deliveryTo(webhook);
      return (delivery?.attempts.length ?? 0) >= count && delivery;
    });

  describe('a payload setting', () => {
    it.each([
      ['of a form', false],
      ['of an account', true],
    ])('makes the body of a webhook %s, which is what is signed', async (_, isOfAccount) => {
      const accountId = newId('acc');
      const owner = await on.fixture.addWebhook('/envelope', { accountId });
      const { formId, createdAt } = owner;
      const fields = [{ name: 'name', type: 'text' as const, label: 'Your name' }];
      await on.fixture.forms.insertOne({
        _id: formId,
        accountId,
        name: 'Contact',
        fields,
        settings: {},
        createdAt,
        updatedAt: createdAt,
        version: 1,
      });
      const values = { accountId, formId: isOfAccount ? accountId : formId };
      await on.fixture.addWebhook('/data', { ...values, payload: { format: 'data' } });
      await on.fixture.addWebhook('/slack', { ...values, payload: { format: 'slack' } });
      await on.fixture.addWebhook(
        '/template',
        {
          ...values,
          ...template(
            '{"{{ fields[0].label }}": "{{ data.name }}", "in": "{{ form.name }}", "id": "{{ event.id }}"}',
          ),
        },
        SECRET,
      );
      await on.fixture.startDispatcher();
      const [event] = await on.fixture.publish(owner);
      await poll(() => on.fixture.webhookEndpoint.received().length === 4, { what: 'four requests' });

      const { data } = JSON.parse(event!.body!) as { data: { name: string } };
      expect(requestsTo('/envelope')[0]?.rawBody.toString()).toBe(event!.body);
      expect(requestsTo('/data')[0]?.rawBody.toString()).toBe(JSON.stringify(data));
      const slack = requestsTo('/slack')[0]!.rawBody.toString();
      expect(slack).toContain('New submission: Contact');
      expect(slack).toContain('*Your name*\\nZoë &lt;/script&gt;');
      const { rawBody, headers } = requestsTo('/template')[0]!;
      expect(JSON.parse(rawBody.toString())).toEqual({
        'Your name': data.name,
        in: 'Contact',
        id: event!.id,
      });
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'svc-event-id': event!.id });
      const now = Math.floor(Date.now() / 1000);
      expect(
        verifySvcSignature({
          header: String(headers['svc-signature']),
          body: rawBody,
          secrets: [SECRET],
          now,
        }),
      ).toMatchObject({ ok: true });
    });

    it.each([
      ['no template', '{{ data | nope }}', 'line 1, column 1: undefined filter: nope'],
      [
        'no JSON',
        '{"a":\n {{ data.nothing }}}',
        'line 2, column 2 of the rendered body: the body isn’t JSON: expected a value',
      ],
      [
        'too large',
        `"{% for i in (1..99999) %}${'x'.repeat(19_000)}{% endfor %}"`,
        'the body is larger than 1 MiB',
      ],
    ])(
      'that gives %s fails the attempt before a request, and counts for the webhook',
      async (_, text, message) => {
        const webhook = await on.fixture.addWebhook('/broken', template(text));
        const dispatcher = await on.fixture.startDispatcher();
        await on.fixture.publish(webhook);
        const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
        expect(delivery!.attempts).toHaveLength(4);
        expect(delivery!.attempts[0]).toEqual({
          at: expect.any(String),
          error: 'template',
          message: expect.stringContaining(message) as string,
          durationMs: expect.any(Number),
          responseBody: '',
        });
        expect(delivery!.attempts.map(({ durationMs }) => durationMs % 1)).toEqual([0, 0, 0, 0]);
        expect(on.fixture.webhookEndpoint.received()).toEqual([]);
        const state = await poll(async () => {
          const stored = await on.fixture.webhooks.findOne({ _id: webhook._id });
          return stored?.consecutiveFailures === 4 && stored;
        });
        expect(state).toMatchObject({ isEnabled: true, lastStatus: null, givenUpAt: expect.any(String) });
        const lines = dispatcher.log.filter(({ fields }) => fields['event'] === 'delivery.attempted');
        expect(lines[0]).toMatchObject({ level: 'info', fields: { error: 'template', outcome: 'retry' } });
      },
    );

    it('is read again on each attempt, so that a corrected one helps, with the same event id', async () => {
      const webhook = await on.fixture.addWebhook('/fixed', template('{{ data | nope }}'));
      await on.fixture.startDispatcher({ retryScheduleSeconds: Array.from({ length: 200 }, () => 0.1) });
      const [event] = await on.fixture.publish(webhook);
      await failedAttempts(webhook, 1);
      await on.fixture.webhooks.updateOne({ _id: webhook._id }, { $set: template('{"v": 1}') });
      await on.fixture.finished(webhook, 1);
      expect(requestsTo('/fixed').map(({ rawBody, eventId }) => [rawBody.toString(), eventId])).toEqual([
        ['{"v": 1}', event!.id],
      ]);
      expect((await deliveryTo(webhook))?.body).toBe(event!.body);
    });

    it('that never ends doesn’t delay other webhooks, with templates or without', async () => {
      const slow = await on.fixture.addWebhook('/slow', template(ENDLESS));
      const plain = await on.fixture.addWebhook('/plain');
      const other = await on.fixture.addWebhook('/other', template('{"id": "{{ event.id }}"}'));
      await on.fixture.startDispatcher({ retryScheduleSeconds: Array.from({ length: 100 }, () => 0.01) });
      await on.fixture.publish(slow, 30);
      await failedAttempts(slow, 1);
      const startedAt = performance.now();
      await Promise.all([on.fixture.publish(plain, 20), on.fixture.publish(other, 20)]);
      await Promise.all([on.fixture.finished(plain, 20), on.fixture.finished(other, 20)]);
      // All renderings of the slow webhook one after the other would take six seconds for a round.
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      expect(await on.fixture.deliveries.count({ webhookId: slow._id, status: 'delivered' })).toBe(0);
    });

    describe('whose template waits for its turn', () => {
      /**
       * Resolves while the delivery waits for the slow templates of its account, for about three
       * seconds.
       */
      async function waiting() {
        const slow = await on.fixture.addWebhook('/slow', template(ENDLESS));
        const { accountId } = slow;
        const webhook = await on.fixture.addWebhook('/hook', { accountId, ...template('{"v": 1}') }, SECRET);
        await on.fixture.startDispatcher({ retryScheduleSeconds: [] });
        await on.fixture.publish(slow, 15);
        await poll(async () => (await on.fixture.deliveries.count({ webhookId: slow._id })) === 15);
        const [event] = await on.fixture.publish(webhook);
        await poll(() => deliveryTo(webhook), { what: 'the delivery' });
        const change = (values: Partial<WebhookRecord>) =>
          on.fixture.webhooks.updateOne({ _id: webhook._id }, { $set: values });
        /** Waits until the delivery has had its turn. */
        const passed = async () => {
          await on.fixture.finished(slow, 15, ['failed']);
          const later = await on.fixture.addWebhook('/later', { accountId, ...template('{"v": 0}') });
          await on.fixture.publish(later);
          await on.fixture.finished(later, 1);
        };
        return { webhook, event: event!, change, passed };
      }

      it.each([
        ['disabled', (_id: string) => on.fixture.webhooks.updateOne({ _id }, { $set: { isEnabled: false } })],
        ['deleted', (_id: string) => on.fixture.webhooks.deleteOne({ _id })],
      ])('sends nothing to a webhook that was %s meanwhile', async (_, end) => {
        const { webhook, passed } = await waiting();
        await end(webhook._id);
        await passed();
        const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
        expect(delivery!.attempts).toEqual([]);
        expect(requestsTo('/hook')).toEqual([]);
      });

      it('sends to the URL and with the template that the webhook has by then', async () => {
        const { webhook, change, passed } = await waiting();
        await change({ url: `${webhook.url}-new`, ...template('{"v": 2}') });
        await passed();
        await on.fixture.finished(webhook, 1);
        expect(requestsTo('/hook')).toEqual([]);
        expect(requestsTo('/hook-new').map(({ rawBody }) => rawBody.toString())).toEqual(['{"v": 2}']);
      });

      it('respects a pause that began meanwhile', async () => {
        const { webhook, change, passed } = await waiting();
        await change({ pausedUntil: new Date(Date.now() + 60_000).toISOString() });
        await passed();
        const delivery = await poll(async () => {
          const found = await deliveryTo(webhook);
          return found?.status === 'pending' && found;
        });
        expect(delivery.attempts).toEqual([]);
        expect(requestsTo('/hook')).toEqual([]);
      });

      it('sends nothing of a submission that was erased meanwhile', async () => {
        const { webhook, event, passed } = await waiting();
        const eraser = createEraser({ store: on.pair.store, forgetReplies: async () => {}, now: Date.now });
        await eraser.events(event.accountId, [event], []);
        await passed();
        expect(requestsTo('/hook')).toEqual([]);
        expect(await deliveryTo(webhook)).toMatchObject({ status: 'failed', body: '', attempts: [] });
        await on.pair.store.collection<ErasureRecord>(ERASURES).deleteMany({});
      });
    });

    it('is sent once for each delivery that a rate limit postponed', async () => {
      const limited = { rateLimitPerSecond: 10, ...template('{"v": {{ data.name | size }}}') };
      const webhook = await on.fixture.addWebhook('/limited', limited);
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 21);
      await on.fixture.finished(webhook, 21);
      expect(requestsTo('/limited')).toHaveLength(21);
    });

    it('leaves nothing of an erased submission, also not in the errors of its template', async () => {
      const webhook = await on.fixture.addWebhook('/erased', template('{{ data.name }}'));
      await on.fixture.startDispatcher();
      const [event] = await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1, ['failed']);
      const eraser = createEraser({ store: on.pair.store, forgetReplies: async () => {}, now: Date.now });
      await eraser.events(event!.accountId, [event!], []);
      await on.pair.store.collection<ErasureRecord>(ERASURES).deleteMany({});
      const stored = await deliveryTo(webhook);
      expect(stored).toMatchObject({ body: '', attempts: [{ error: 'template' }, {}, {}, {}] });
      expect(JSON.stringify(stored)).not.toMatch(/Zoë|message/);
    });
  });
}

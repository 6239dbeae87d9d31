import { headersText, webhookSecretContext, type HeaderValues, type WebhookRecord } from '@svcforms/records';
import { createSecretBox, generateEncryptionKey, generateSigningKey } from '@svcforms/signing';
import { newId } from '@svcforms/contracts';
import { isSignedWithKey, poll } from '@svcforms/test-kit';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { secretBox } from './records.ts';
import type { SuiteContext } from './fixture.ts';

const HEADERS = { 'X-Api-Key': 'k3y-0f-th3-3ndp01nt', Authorization: 'Bearer abc' };

/** The custom headers of a webhook with this id, as forms-api stores them. */
const stored = (
  _id: string,
  values: HeaderValues,
  box = secretBox,
): Pick<WebhookRecord, '_id' | 'headers'> => ({
  _id,
  headers: {
    shown: Object.keys(values).map((name) => ({ name, last4: null })),
    sealed: box.seal(headersText(values), webhookSecretContext(_id)),
  },
});

/** What webhooks add to their requests: custom headers and public-key signatures. */
export function describeRequests(on: SuiteContext): void {
  describe('the custom headers of a webhook', () => {
    it('are sent with every attempt, in their letter case, and decrypted once', async () => {
      const webhook = await on.fixture.addWebhook('/hook', stored(newId('whk'), HEADERS));
      const opened: string[] = [];
      const open: typeof secretBox.open = (sealed, context) => {
        opened.push(sealed);
        return secretBox.open(sealed, context);
      };
      await on.fixture.startDispatcher({}, { secretBox: { ...secretBox, open } });
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      await on.fixture.publish(webhook, 2);
      await on.fixture.finished(webhook, 2, ['failed']);
      const requests = on.fixture.webhookEndpoint.received();
      expect(requests).toHaveLength(8);
      for (const { headers } of requests) {
        expect(headers).toMatchObject({ 'x-api-key': HEADERS['X-Api-Key'], authorization: 'Bearer abc' });
        expect(headers).toHaveProperty('svc-delivery-id');
      }
      expect(opened.filter((sealed) => sealed === webhook.headers?.sealed)).toHaveLength(1);
    });

    it('change with the webhook', async () => {
      const webhook = await on.fixture.addWebhook('/hook', stored(newId('whk'), HEADERS));
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      const { headers } = stored(webhook._id, { 'X-Api-Key': 'another' });
      await on.fixture.webhooks.updateOne({ _id: webhook._id }, { $set: { headers: headers! } });
      await poll(async () => {
        await on.fixture.publish(webhook);
        return on.fixture.webhookEndpoint.received().some((each) => each.headers['x-api-key'] === 'another');
      });
      const last = on.fixture.webhookEndpoint.received().at(-1)!;
      expect(last.headers).not.toHaveProperty('authorization');
    });

    it("stop the delivery when they can't be decrypted, and no log line contains them", async () => {
      const id = newId('whk');
      const other = createSecretBox([generateEncryptionKey()]);
      const unknownKey = await on.fixture.addWebhook('/hook', stored(id, HEADERS, other));
      const sealed = secretBox.seal('k3y-0f-th3-3ndp01nt', webhookSecretContext(`${id}2`));
      const noHeaders = await on.fixture.addWebhook('/hook', {
        _id: `${id}2`,
        headers: { shown: [], sealed },
      });
      const { log } = await on.fixture.startDispatcher();
      for (const webhook of [unknownKey, noHeaders]) {
        await on.fixture.publish(webhook);
        const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
        expect(delivery!.attempts).toHaveLength(4);
        expect(delivery!.attempts[0]).toMatchObject({ error: 'not_sent' });
      }
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(0);
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(8);
      const text = JSON.stringify(log, (_, value: unknown) =>
        value instanceof Error ? `${value.message} ${value.stack}` : value,
      );
      expect(text).not.toContain('k3y');
    });
  });

  describe('the public-key signature of a webhook', () => {
    const withKey = (_id: string, box = secretBox): Pick<WebhookRecord, '_id' | 'signingKey'> => {
      const { privateKey, ...key } = generateSigningKey();
      return { _id, signingKey: { ...key, privateKey: box.seal(privateKey, webhookSecretContext(_id)) } };
    };

    it('is on every attempt beside those of all valid secrets, and its key is decrypted once', async () => {
      const [SECRET, OLD] = [
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      ];
      const id = newId('whk');
      const until = new Date(Date.now() + 3600_000).toISOString();
      const previousSecrets = [{ secret: secretBox.seal(OLD, webhookSecretContext(id)), until }];
      const webhook = await on.fixture.addWebhook('/hook', { ...withKey(id), previousSecrets }, SECRET);
      const opened: string[] = [];
      const open: typeof secretBox.open = (sealed, context) => {
        opened.push(sealed);
        return secretBox.open(sealed, context);
      };
      await on.fixture.startDispatcher({}, { secretBox: { ...secretBox, open } });
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      await on.fixture.publish(webhook, 2);
      await on.fixture.finished(webhook, 2, ['failed']);
      const requests = on.fixture.webhookEndpoint.received();
      expect(requests).toHaveLength(8);
      for (const request of requests) {
        const { headers, rawBody } = request;
        const signatures = String(headers['webhook-signature']).split(' ');
        expect(signatures.map((each) => each.split(',')[0])).toEqual(['v1', 'v1', 'v1a']);
        expect(isSignedWithKey(request, webhook.signingKey!.publicKey)).toBe(true);
        for (const secret of [SECRET, OLD]) {
          const sent = headers as Record<string, string>;
          expect(() => new StandardWebhook(secret).verify(rawBody, sent)).not.toThrow();
        }
      }
      expect(opened.filter((sealed) => sealed === webhook.signingKey?.privateKey)).toHaveLength(1);
    });

    it("stops the delivery when its key can't be decrypted", async () => {
      const other = createSecretBox([generateEncryptionKey()]);
      const webhook = await on.fixture.addWebhook('/hook', withKey(newId('whk'), other));
      const { log } = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      const [delivery] = await on.fixture.finished(webhook, 1, ['failed']);
      expect(delivery!.attempts[0]).toMatchObject({ error: 'not_sent' });
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(0);
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(4);
    });
  });
}

import type { AuditEntryOut, WebhookCreatedOut } from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import { HOUR_MS } from '@svcforms/primitives';
import { validSecrets, webhookSecretContext, WEBHOOKS, type WebhookRecord } from '@svcforms/records';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

async function webhookWithSecret(secret: string) {
  const form = await api.createForm();
  const { id } = await api.createWebhook(form.id, { secret });
  const path = `/api/forms/${form.id}/webhooks/${id}/rotate-secret`;
  const webhooks = api.store.collection<WebhookRecord>(WEBHOOKS);
  return {
    path,
    auditedChanges: async () => {
      const query = `?target=${id}&action=webhook.secret_rotated`;
      const { body } = await api.client.get<AuditEntryOut[]>(`/api/audit-log${query}`, { expect: 200 });
      return body.data.map(({ changes }) => changes);
    },
    /** As after the encryption key was lost. */
    loseSecret: () => {
      const lost = createSecretBox([generateEncryptionKey()]).seal(secret, webhookSecretContext(id));
      return webhooks.updateOne({ _id: id }, { $set: { secret: lost } });
    },
    rotate: async (body?: object, headers?: Record<string, string>) =>
      (
        await api.client.post<WebhookCreatedOut>(path, {
          ...(body && { body }),
          ...(headers && { headers }),
          expect: 200,
        })
      ).body.data,
    /** Those that sign a delivery after this time. */
    secretsIn: async (ms: number) => {
      const record = await webhooks.findOne({ _id: id });
      if (!record) throw new Error('no webhook');
      const context = webhookSecretContext(id);
      return validSecrets(record, api.clock.now + ms).map((sealed) => api.secretBox.open(sealed, context));
    },
  };
}

describe('rotating the secret of a webhook', () => {
  it('shows the new secret once, and also signs with the old one for a day by default', async () => {
    const { rotate, secretsIn } = await webhookWithSecret('the first secret');
    const { secret, secretLast4, ...webhook } = await rotate();
    expect(secret).toMatch(/^whsec_.{44}$/);
    expect(secretLast4).toBe(secret?.slice(-4));
    expect(webhook).not.toHaveProperty('previousSecrets');
    expect(await secretsIn(24 * HOUR_MS - 1)).toEqual([secret, 'the first secret']);
    expect(await secretsIn(24 * HOUR_MS)).toEqual([secret]);
  });

  it('keeps each secret for the time of its own rotation, newest first', async () => {
    const { rotate, secretsIn } = await webhookWithSecret('the first secret');
    await rotate({ secret: 'the second secret', overlapHours: 168 });
    await rotate({ secret: 'the third secret', overlapHours: 1 });
    expect(await secretsIn(0)).toEqual(['the third secret', 'the second secret', 'the first secret']);
    expect(await secretsIn(HOUR_MS)).toEqual(['the third secret', 'the first secret']);
    await rotate({ secret: 'the fourth secret', overlapHours: 0 });
    expect(await secretsIn(0)).toEqual(['the fourth secret', 'the second secret', 'the first secret']);
    expect(await secretsIn(168 * HOUR_MS)).toEqual(['the fourth secret']);
  });

  it('drops secrets that no encryption key decrypts, keeps the others, and says so in the audit log', async () => {
    const { rotate, secretsIn, loseSecret, auditedChanges } = await webhookWithSecret('the first secret');
    await rotate({ secret: 'the second secret' });
    await loseSecret();
    await rotate({ secret: 'the third secret' });
    expect(await secretsIn(0)).toEqual(['the third secret', 'the first secret']);
    const [last, before] = await auditedChanges();
    expect(last).toEqual({ undecryptableSecrets: { from: 1, to: 0 } });
    expect(before).toEqual({});
  });

  it('is done once for an Idempotency-Key, and the repeated response has no secret', async () => {
    const { rotate, secretsIn } = await webhookWithSecret('the first secret');
    const { secret } = await rotate({}, { 'idempotency-key': 'rotation-1' });
    expect((await rotate({}, { 'idempotency-key': 'rotation-1' })).secret).toBeNull();
    expect(await secretsIn(0)).toEqual([secret, 'the first secret']);
  });

  it('loses no secret when several rotate at once', async () => {
    const { rotate, secretsIn } = await webhookWithSecret('the first secret');
    const made = await Promise.all([rotate(), rotate(), rotate()]);
    const secrets = [...made.map(({ secret }) => secret), 'the first secret'];
    expect(new Set(await secretsIn(0))).toEqual(new Set(secrets));
    expect(await secretsIn(0)).toHaveLength(4);
  });

  it('ends no secret that another request has just got', async () => {
    const { path, rotate, secretsIn } = await webhookWithSecret('the first secret');
    let other: string | null | undefined;
    const store = beforeFirst(
      api.store,
      { collection: WEBHOOKS.name, method: 'findOneAndUpdate' },
      async () => (other = (await rotate({ overlapHours: 0 })).secret),
    );
    const slow = (await api.start({ store })).client(api.key);
    const refused = await slow.post(path, { body: { overlapHours: 0 } });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(await secretsIn(0)).toEqual([other]);
  });

  it('is refused while ten are valid, unless the oldest one ends immediately', async () => {
    const { path, rotate } = await webhookWithSecret('the first secret');
    for (let n = 0; n < 9; n++) await rotate();
    const refused = await api.client.post(path, { body: {} });
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'CONFLICT' });
    await rotate({ overlapHours: 0 });
  });

  it.each([
    [{ overlapHours: 169 }, '/overlapHours'],
    [{ overlapHours: -1 }, '/overlapHours'],
    [{ overlapHours: '24' }, '/overlapHours'],
    [{ secret: 'fifteen chars--' }, '/secret'],
    [{ overlap: 1 }, '/overlap'],
  ])('is refused with the pointer of the fault: %j', async (body, pointer) => {
    const { path } = await webhookWithSecret('the first secret');
    const response = await api.client.post(path, { body });
    expect(response.status).toBe(422);
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
    expect((await api.stranger.post(path, { body: {} })).status).toBe(404);
  });
});

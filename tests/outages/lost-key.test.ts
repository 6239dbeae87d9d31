import { signInbound } from '@svcforms/signing';
import {
  atEnd,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  startNats,
  startWebhookEndpoint,
} from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { startServices, type Stack } from '../backup/stacks.ts';
import { serviceSettings } from '../start/service-settings.ts';

jest.setTimeout(120_000);

const INBOUND_SECRET = 'a secret of the inbound endpoint';
const NEW_INBOUND_SECRET = 'its secret after the loss';

/** Posts signed values and returns the status. */
async function sendSigned({ inbound }: Stack, endpoint: { formId: string; token: string }, secret: string) {
  const rawBody = JSON.stringify({ email: 'ada@example.com' });
  const headers = {
    authorization: `Bearer ${endpoint.token}`,
    'x-svcforms-signature-256': signInbound(rawBody, secret),
  };
  return (await inbound.post(`/api/inbound/${endpoint.formId}`, { rawBody, headers })).status;
}

describeWith(['nats', 'mongo'], 'services whose encryption key is lost', () => {
  it('continue with another one once the webhook and the inbound endpoint have new secrets', async () => {
    const apiKey = newApiKey();
    const nats = await startNats();
    atEnd(() => nats.remove());
    const settings = await serviceSettings(nats.url, apiKey);
    const webhookEndpoint = await startWebhookEndpoint();
    const before = await startServices(settings, apiKey);
    const { form, inbound, webhook } = await createFormWithWebhook(before.forms, webhookEndpoint.url, {
      inbound: { secret: INBOUND_SECRET },
    });
    expect(await sendSigned(before, inbound, INBOUND_SECRET)).toBe(202);
    await webhookEndpoint.waitFor(1);
    await before.stop();

    const env = { ...settings, SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const after = await startServices(env, apiKey);
    expect(await sendSigned(after, inbound, INBOUND_SECRET)).not.toBe(202);
    const path = `/api/forms/${form.id}`;
    await after.forms.post(`${path}/webhooks/${webhook.id}/rotate-secret`, {
      body: { overlapHours: 0 },
      expect: 200,
    });
    await after.forms.patch(`${path}/inbound/endpoints/${inbound.id}`, {
      body: { secret: NEW_INBOUND_SECRET },
      expect: 200,
    });

    expect(await sendSigned(after, inbound, NEW_INBOUND_SECRET)).toBe(202);
    await webhookEndpoint.waitFor(2);
    await after.stop();
  });
});

import type { AuditEntryOut, InboundCreatedOut } from '@svcforms/contracts';
import type { Client } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const entriesOf = async (target: string, client: Client = api.client) =>
  (await client.get<AuditEntryOut[]>(`/api/audit-log?include=resource&target=${target}`, { expect: 200 }))
    .body.data;
const resourceOf = async (target: string, client?: Client) => (await entriesOf(target, client))[0]?.resource;

/** A form with a webhook and an inbound endpoint. */
async function populate() {
  const form = await api.createForm({ name: 'Contact' });
  const webhook = await api.createWebhook(form.id, { url: 'https://hooks.example/a-secret/path?key=1' });
  const { body } = await api.client.post<InboundCreatedOut>(`/api/forms/${form.id}/inbound/endpoints`, {
    body: { name: 'Shop' },
    expect: 201,
  });
  return { form, webhook, inbound: body.data };
}

describe('the resource of an entry of the audit log', () => {
  it('is the target as it is now, with its form', async () => {
    const { form, webhook, inbound } = await populate();
    const body = { name: 'Renamed', fields: form.fields };
    await api.client.put(`/api/forms/${form.id}`, { body, expect: 200 });
    const ofForm = { formId: form.id, formName: 'Renamed' };
    expect((await entriesOf(form.id)).at(-1)).toMatchObject({
      target: { name: 'Contact' },
      resource: { ...ofForm, name: 'Renamed', webhookId: null },
    });
    const ofWebhook = { ...ofForm, name: 'hooks.example', webhookId: webhook.id };
    expect(await resourceOf(webhook.id)).toEqual(ofWebhook);
    expect(await resourceOf(inbound.id)).toEqual({ ...ofForm, name: 'Shop', webhookId: null });
  });

  it('is only there on request', async () => {
    const { body } = await api.client.get<AuditEntryOut[]>('/api/audit-log?limit=1', { expect: 200 });
    expect(body.data[0]).not.toHaveProperty('resource');
    await api.client.get('/api/audit-log?include=other', { expect: 422 });
  });

  it('has no path of a URL, which may be a credential', async () => {
    const { webhook } = await populate();
    expect(JSON.stringify(await entriesOf(webhook.id))).not.toContain('a-secret');
  });

  it('of an account webhook has no form', async () => {
    const { body } = await api.client.post<{ id: string }>('/api/webhooks', {
      body: { url: 'https://hooks.example/x', events: ['form.submission.new'] },
      expect: 201,
    });
    expect(await resourceOf(body.data.id)).toMatchObject({ formId: null, webhookId: body.data.id });
  });

  it('is null once the target, or its form, was deleted', async () => {
    const { form, webhook, inbound } = await populate();
    await api.client.delete(`/api/forms/${form.id}/webhooks/${webhook.id}`, { expect: 204 });
    expect(await resourceOf(webhook.id)).toBeNull();
    await api.client.delete(`/api/forms/${form.id}`, { expect: 204 });
    expect(await resourceOf(inbound.id)).toBeNull();
    expect(await resourceOf(form.id)).toBeNull();
  });

  it('is null without the scope that reads it', async () => {
    const { form, webhook, inbound } = await populate();
    const auditor = await api.clientWith(['audit:read']);
    for (const { id } of [form, webhook, inbound]) expect(await resourceOf(id, auditor)).toBeNull();
    const ofForms = await api.clientWith(['audit:read', 'forms:read']);
    expect(await resourceOf(form.id, ofForms)).toMatchObject({ name: 'Contact' });
    expect(await resourceOf(webhook.id, ofForms)).toBeNull();
    const ofInbound = await api.clientWith(['audit:read', 'forms:inbound:manage']);
    expect(await resourceOf(inbound.id, ofInbound)).toMatchObject({ name: 'Shop', formName: null });
  });
});

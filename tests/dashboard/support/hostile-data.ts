import type { DeliveryOut, FormField } from '@svcforms/contracts';
import { addWebhook, createForm, openInbound, poll, sendInbound } from '@svcforms/test-kit';
import type { Ids } from './screens.ts';
import type { Fixture } from './fixture.ts';

/** Each payload sets `window.ran` if the page doesn't treat it as text. The last is a long word. */
const PAYLOADS = [
  '<img src=x onerror="window.ran=1">',
  '"><svg onload=window.ran=1>',
  "'><script>window.ran=1</script>",
  '<a href="javascript:window.ran=1" autofocus onfocus="window.ran=1">x</a>',
  '[x](javascript:window.ran=1) ![x](x" onerror="window.ran=1)',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '<form action="javascript:window.ran=1"><input name=parentNode><button>x</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.ran=1&gt;">',
  '{{constructor.constructor("window.ran=1")()}}${window.ran=1}',
  '<style>@import "//elsewhere.example/x";*{background:url(//elsewhere.example/x)}</style>',
  'javascript:window.ran=1',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
] as const;
const ALL = PAYLOADS.join('\n\n');

/** Fills everything that users or other systems can write with script payloads. */
export async function seedHostileData({ client, startEndpoint }: Fixture): Promise<Ids> {
  const endpoint = await startEndpoint(() => ({ status: 500, body: ALL }));
  const fields = PAYLOADS.map((text, n): FormField => ({
    name: `f${n}`,
    type: n % 3 === 0 ? 'select' : 'text',
    label: text,
    help: text,
    placeholder: text,
    ...(n % 3 === 0 ? { options: [{ value: text, label: text }] } : { defaultValue: text }),
  }));
  const form = await createForm(client, {
    name: ALL.slice(0, 200),
    description: ALL,
    fields,
    settings: {
      submitLabel: PAYLOADS[0],
      thankYou: { title: PAYLOADS[0], message: ALL },
      popup: {
        enabled: true,
        trigger: 'click',
        selector: PAYLOADS[1],
        decline: { enabled: true, text: '<img src=x onerror=window.ran=1>' },
      },
    },
  });
  for (const name of PAYLOADS) await createForm(client, { name });
  const data = Object.fromEntries(PAYLOADS.map((text, n) => [`f${n}`, text]));
  const inbound = await openInbound(client, form.id, { fieldMapping: { [PAYLOADS[0]]: 'f1' } });
  await client.post(`/api/forms/${form.id}/inbound/endpoints`, {
    body: { name: PAYLOADS[0], fieldMapping: { [`${PAYLOADS[1]}.x`]: 'f2' } },
    expect: 201,
  });
  const webhook = await addWebhook(client, form.id, {
    url: `${endpoint.url}?${encodeURIComponent(ALL)}`,
    events: ['form.submission.new', 'submission.created'],
  });
  await client.patch(`/api/forms/${form.id}/webhooks/${webhook.id}`, {
    body: { description: ALL.slice(0, 200) },
    expect: 200,
  });
  const { data: accountWebhook } = (
    await client.post<{ id: string }>('/api/webhooks', {
      body: {
        url: `${endpoint.url}?${encodeURIComponent(ALL)}`,
        events: ['form.submission.new'],
        forms: [form.id],
        description: ALL.slice(0, 200),
      },
      expect: 201,
    })
  ).body;
  const { body } = await sendInbound(client, inbound, { ...data, [ALL]: ALL });
  await sendInbound(client, { ...inbound, token: ALL.replaceAll('\n', ' ') }, data, { expect: 401 });
  const deliveries = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries`;
  const attempted = (path: string) =>
    poll(
      async () =>
        (await client.get<DeliveryOut[]>(path)).body.data.find(({ attempts }) => attempts.length > 0),
      { what: 'an attempt of the delivery' },
    );
  const delivery = await attempted(deliveries);
  const accountDelivery = await attempted(`/api/webhooks/${accountWebhook.id}/deliveries`);
  const task = await client.post<{ id: string }>('/api/mcp/tasks', {
    body: {
      templateId: form.id,
      title: ALL.slice(0, 500),
      description: ALL,
      prefill: data,
      decisionMode: 'approval',
      editableFields: Object.keys(data),
      rejectOptions: [...PAYLOADS],
      metadata: { note: ALL },
    },
    expect: 201,
  });
  await client.post('/api/keys', { body: { name: ALL.slice(0, 200), scopes: ['forms:read'] }, expect: 201 });
  await client.post('/api/users', {
    body: {
      name: ALL.slice(0, 200),
      email: `hostile${Date.now()}@example.com`,
      role: 'reviewer',
      password: 'a good password',
    },
    expect: 201,
  });
  return {
    formId: form.id,
    submissionId: body.data.submissionId,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    accountWebhookId: accountWebhook.id,
    accountDeliveryId: accountDelivery.id,
    inboundId: inbound.id,
    taskId: task.body.data.id,
  };
}

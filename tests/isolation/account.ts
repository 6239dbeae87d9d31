import {
  newId,
  type AccountWebhookCreatedOut,
  type DeliveryOut,
  type InvitationCreatedOut,
  type KeyOut,
  type NotificationAddressOut,
  type UserOut,
} from '@svcforms/contracts';
import {
  createFormWithWebhook,
  poll,
  sendInbound,
  type Client,
  type OpenedInbound,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';

/**
 * An account with one of everything, and the ids by the names of path parameters, with `account`
 * before those of account webhooks.
 */
export interface PopulatedAccount {
  client: Client;
  ids: Readonly<Record<string, string>>;
  inbound: OpenedInbound;
}

export async function populateAccount(client: Client, endpointUrl: string): Promise<PopulatedAccount> {
  const { form, inbound, webhook } = await createFormWithWebhook(client, endpointUrl, {
    form: { settings: { notifications: { emails: [`${randomUUID()}@example.com`] } } },
  });
  const accountWebhook = await client.post<AccountWebhookCreatedOut>('/api/webhooks', {
    body: { url: `${endpointUrl}/account`, events: ['form.submission.new'], forms: [form.id] },
    expect: 201,
  });
  const { body: accepted } = await sendInbound(client, inbound, { email: 'ada@example.com' });
  const deliveries = `/api/forms/${form.id}/webhooks/${webhook.id}/deliveries`;
  const firstOf = (path: string) =>
    poll(async () => (await client.get<DeliveryOut[]>(path)).body.data[0], { what: 'the delivery' });
  const delivery = await firstOf(deliveries);
  const accountDelivery = await firstOf(`/api/webhooks/${accountWebhook.body.data.id}/deliveries`);
  const task = await client.post<{ id: string }>('/api/mcp/tasks', {
    body: { templateId: form.id, prefill: { email: 'ada@example.com' } },
    expect: 201,
  });
  const user = await client.post<UserOut>('/api/users', {
    body: {
      email: `${randomUUID()}@example.com`,
      name: 'Grace',
      role: 'reviewer',
      password: 'correct horse battery',
    },
    expect: 201,
  });
  const group = await client.post<{ id: string }>('/api/groups', {
    body: { name: randomUUID(), members: [user.body.data.id] },
    expect: 201,
  });
  const invitation = await client.post<InvitationCreatedOut>('/api/invitations', {
    body: { email: `${randomUUID()}@example.com`, role: 'reviewer' },
    expect: 201,
  });
  const key = await client.post<KeyOut>('/api/keys', {
    body: { name: 'k', scopes: ['forms:read'] },
    expect: 201,
  });
  const addresses = await client.get<NotificationAddressOut[]>('/api/notification-addresses', {
    expect: 200,
  });
  return {
    client,
    inbound,
    ids: {
      formId: form.id,
      submissionId: accepted.data.submissionId,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      accountWebhookId: accountWebhook.body.data.id,
      accountDeliveryId: accountDelivery.id,
      taskId: task.body.data.id,
      userId: user.body.data.id,
      groupId: group.body.data.id,
      invitationId: invitation.body.data.id,
      keyId: key.body.data.id,
      addressId: addresses.body.data[0]?.id ?? '',
      inboundId: inbound.id,
      // API keys have no sessions; services/forms-api tests that users reach only their own.
      sessionId: newId('ses'),
      // A user has to connect an agent; tests/oauth tests that other accounts don't reach it.
      agentId: newId('agt'),
    },
  };
}

import {
  EVENT_TYPES,
  type AccountWebhookCreatedOut,
  type EventTypeOut,
  type TaskOut,
} from '@svcforms/contracts';
import { createForm, openInbound, poll, sendInbound } from '@svcforms/test-kit';
import { eventOf } from '../event.ts';
import { payloadError } from '../payload-check.ts';
import type { Product } from '../stack.ts';

/** The catalog of events. docs/reference/webhooks.md#event-catalog */
export function eventCatalogScenarios(product: () => Product): void {
  describe('the event catalog', () => {
    it('describes every event with examples that match their schema', async () => {
      const { client, visitor } = product();
      const { body } = await client.get<EventTypeOut[]>('/api/event-types', { expect: 200 });
      expect(body.data.map(({ type }) => type)).toEqual(EVENT_TYPES);
      for (const { type, description, version, example, minimalExample, schema } of body.data) {
        expect({ description, version }).toEqual({ description: expect.stringMatching(/\.$/), version: '1' });
        expect(schema).toMatchObject({ $schema: expect.stringContaining('2020-12'), type: 'object' });
        for (const payload of [example, minimalExample]) {
          expect(payload).toMatchObject({ eventType: type });
          expect(payloadError(payload)).toBeNull();
        }
      }
      await visitor.get('/api/event-types', { expect: 401 });
    });

    it('matches every payload that is sent, in tests too, and its version', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { id: formId } = await createForm(client);
      const created = await client.post<AccountWebhookCreatedOut>('/api/webhooks', {
        body: { url: webhookEndpoint.url, events: EVENT_TYPES, forms: [formId] },
        expect: 201,
      });
      const webhook = `/api/webhooks/${created.body.data.id}`;
      const inbound = await openInbound(client, formId);
      await sendInbound(client, inbound, { email: 'ada@example.com' });

      const createTask = async (more: object = {}) => {
        const task = { templateId: formId, prefill: { email: 'ada@example.com' }, ...more };
        return (await client.post<TaskOut>('/api/mcp/tasks', { body: task, expect: 201 })).body.data.id;
      };
      const ends = {
        approved: await createTask({ title: 'Refund' }),
        rejected: await createTask(),
        cancelled: await createTask(),
      };
      for (const outcome of ['approved', 'rejected'] as const)
        await client.post(`/api/mcp/tasks/${ends[outcome]}/decision`, { body: { outcome }, expect: 200 });
      await client.post(`/api/mcp/tasks/${ends.cancelled}/cancel`, {
        body: { reason: 'Not needed' },
        expect: 200,
      });
      for (const eventType of EVENT_TYPES)
        await client.post(`${webhook}/test`, { body: { eventType }, expect: 200 });

      const typesOf = (isTest: boolean) =>
        new Set(
          webhookEndpoint.requests
            .filter(({ headers }) => (headers['svc-test'] === 'true') === isTest)
            .map((request) => eventOf(request).eventType),
        );
      expect(typesOf(true)).toEqual(new Set(EVENT_TYPES));
      // A task expires after a minute at the earliest; tests/tasks waits for it with a clock of its
      // own.
      const sent = EVENT_TYPES.filter((type) => type !== 'hitl.task.expired');
      await poll(() => typesOf(false).size === sent.length, { what: 'every event' });
      expect(typesOf(false)).toEqual(new Set(sent));
      for (const request of webhookEndpoint.requests)
        expect(request.headers['svc-payload-version']).toBe('1');
      await client.delete(webhook, { expect: 204 });
    });
  });
}

import type { SubmissionOut, TaskOut } from '@svcforms/contracts';
import { addWebhook, createForm, readEvents, type ReceivedRequest } from '@svcforms/test-kit';
import { verify } from '../event.ts';
import type { Product } from '../stack.ts';

const DECISION_EVENTS = ['decision.requested', 'decision.approved', 'decision.rejected'] as const;
const bodyOf = ({ rawBody }: ReceivedRequest) => JSON.parse(rawBody.toString()) as Record<string, unknown>;
const typeOf = (request: ReceivedRequest) => String(bodyOf(request)['eventType']);

/**
 * The resolution of a task reaches webhooks, stream and callback:
 * docs/reference/tasks.md#resolution
 */
export function taskScenarios(product: () => Product): void {
  describe('a task', () => {
    it.each([
      ['approval', 'approved', ['decision.requested', 'decision.approved']],
      ['approval', 'rejected', ['decision.requested', 'decision.rejected']],
      ['form', 'submitted', ['decision.requested']],
    ])(
      'in %s mode that is %s sends the same resolution to webhooks, stream and callback',
      async (mode, outcome, types) => {
        const { client, startEndpoint, baseUrl, apiKey } = product();
        const [webhookEndpoint, receiver] = [await startEndpoint(), await startEndpoint()];
        const form = await createForm(client);
        const webhook = await addWebhook(client, form.id, {
          url: webhookEndpoint.url,
          events: DECISION_EVENTS,
        });
        const reader = await readEvents(`${baseUrl}/api/mcp/events/hitl.task.*`, { token: apiKey });
        const created = await client.post<TaskOut>('/api/mcp/tasks', {
          body: {
            templateId: form.id,
            decisionMode: mode,
            prefill: { email: 'ada@example.com' },
            callbackUrl: `${receiver.url}/done`,
            callbackSecret: 'a secret for callbacks',
            metadata: { run: 7 },
          },
          expect: 201,
        });
        const task = created.body.data;
        const response = await client.post<TaskOut>(`/api/mcp/tasks/${task.id}/decision`, {
          body: { outcome },
          expect: 200,
        });
        const { submissionId = '', settledAt, decidedBy } = response.body.data;

        const frames = await reader.waitFor(2, 'both frames');
        const ids = {
          taskId: task.id,
          hitlTaskId: task.id,
          templateId: form.id,
          userId: expect.stringMatching(/^usr_/),
        };
        expect(frames.map(({ event, data }) => [event, JSON.parse(data) as unknown])).toEqual([
          [
            'hitl.task.created',
            {
              type: 'hitl.task.created',
              timestamp: task.createdAt,
              data: { ...ids, priority: 'normal', expiresAt: task.expiresAt },
            },
          ],
          [
            'hitl.task.completed',
            {
              type: 'hitl.task.completed',
              timestamp: settledAt,
              submissionId,
              data: {
                ...ids,
                submissionId,
                completedAt: settledAt,
                submission: { email: 'ada@example.com' },
              },
            },
          ],
        ]);

        const [callback] = await receiver.waitFor(1, 'the callback');
        expect(callback && bodyOf(callback)).toEqual({
          eventType: 'hitl.task.completed',
          timestamp: settledAt,
          taskId: task.id,
          data: {
            taskId: task.id,
            status: 'completed',
            completedAt: settledAt,
            formData: { email: 'ada@example.com' },
            metadata: {
              outcome,
              submissionId,
              templateId: form.id,
              decidedBy,
              resolvedBy: 'human',
              custom: { run: 7 },
            },
          },
        });
        expect(callback && verify(callback, 'a secret for callbacks')).toEqual({
          svcSignature: 'ok',
          standardWebhooks: 'ok',
        });

        const requests = await webhookEndpoint.waitFor(types.length, 'the decision events');
        const bodies = new Map(requests.map((request) => [typeOf(request), bodyOf(request)]));
        expect([...bodies.keys()].toSorted()).toEqual(types.toSorted());
        expect(bodies.get('decision.requested')).toEqual({
          eventType: 'decision.requested',
          timestamp: task.createdAt,
          data: { formId: form.id },
        });
        if (outcome !== 'submitted') {
          expect(bodies.get(`decision.${outcome}`)).toEqual({
            eventType: `decision.${outcome}`,
            timestamp: settledAt,
            data: { formId: form.id, submissionId, decision: { outcome, taskId: task.id } },
          });
        }
        for (const request of requests) {
          expect(request.headers['svc-task-id']).toBe(task.id);
          expect(verify(request, webhook.secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
        }

        const submission = await client.get<SubmissionOut>(`/api/submissions/${submissionId}`, {
          expect: 200,
        });
        expect(submission.body.data).toMatchObject({
          data: { email: 'ada@example.com' },
          metadata: { submittedVia: 'task', taskId: task.id },
        });
        expect([webhookEndpoint.requests.length, receiver.requests.length]).toEqual([types.length, 1]);
        reader.close();
      },
    );

    it('that is created again, and a notification of MCP, get a status that the OpenAPI document lists', async () => {
      const { client } = product();
      const form = await createForm(client, { fields: [] });
      const { paths } = (await client.get('/openapi.json', { expect: 200 })).body as unknown as {
        paths: Record<string, { post: { responses: Record<string, { content?: object }> } }>;
      };
      const documented = (path: string, { status, text }: { status: number; text: string }) => {
        const response = paths[path]?.post.responses[status];
        expect({ status, response }).toEqual({ status, response: expect.any(Object) as object });
        expect(response?.content === undefined).toBe(text === '');
      };

      const body = { templateId: form.id, dedupeKey: form.id };
      await client.post('/api/mcp/tasks', { body, expect: 201 });
      documented('/api/mcp/tasks', await client.post('/api/mcp/tasks', { body, expect: 200 }));
      const notified = await client.post('/api/mcp', {
        body: { jsonrpc: '2.0', method: 'notifications/initialized' },
        headers: { accept: 'application/json, text/event-stream' },
        expect: 202,
      });
      documented('/api/mcp', notified);
    });

    it('reaches a stream within moments, without buffering on the way', async () => {
      const { client, baseUrl, apiKey } = product();
      const form = await createForm(client, { fields: [] });
      const reader = await readEvents(`${baseUrl}/api/mcp/events/hitl.task.completed`, { token: apiKey });
      const delays: number[] = [];
      for (let n = 1; n <= 20; n++) {
        const { body } = await client.post<TaskOut>('/api/mcp/tasks', {
          body: { templateId: form.id },
          expect: 201,
        });
        const path = `/api/mcp/tasks/${body.data.id}/decision`;
        const decided = await client.post<TaskOut>(path, { body: { outcome: 'approved' }, expect: 200 });
        const frame = (await reader.waitFor(n)).at(-1);
        delays.push((frame?.receivedAt ?? Infinity) - Date.parse(decided.body.data.settledAt ?? ''));
      }
      expect(Math.max(...delays)).toBeLessThan(1_000);
      expect(delays.toSorted((a, b) => a - b)[10]).toBeLessThan(250);
      reader.close();
    });
  });
}

import type { DeliveryOut, TaskOut } from '@svcforms/contracts';
import { signInbound } from '@svcforms/signing';
import { poll, readEvents, sendInbound, type ReceivedRequest } from '@svcforms/test-kit';
import { eventOf, verify } from '../e2e/event.ts';
import { SECRETS, type Fixture } from './fixture.ts';
import type { Stack } from './stacks.ts';

const SIGNED = { svcSignature: 'ok', standardWebhooks: 'ok' };
const repeated = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

/** Everything that was in progress must continue in a product restored from a backup. */
export function restoredScenarios(
  restored: () => { fixture: Fixture; stack: Stack; keepsPositions: boolean },
): void {
  const arrived = (path: string, submissionId: string) => {
    const { fixture } = restored();
    return fixture.webhookEndpoint.requests.find(
      (request) => request.path === path && eventOf(request).submissionId === submissionId,
    );
  };

  it('keeps the form, its webhooks, its inbound endpoint and its submissions', async () => {
    const { fixture, stack } = restored();
    const { forms } = stack;
    const form = `/api/forms/${fixture.form.id}`;
    expect((await forms.get(form, { expect: 200 })).body.data).toEqual(fixture.form);
    const webhooks = (await forms.get<{ id: string }[]>(`${form}/webhooks`, { expect: 200 })).body.data;
    expect(webhooks.map(({ id }) => id).toSorted()).toEqual(Object.values(fixture.webhookIds).toSorted());
    const { body } = await forms.get<{ id: string }[]>(`${form}/submissions?via=inbound`, { expect: 200 });
    expect(body.data.map(({ id }) => id).toSorted()).toEqual(fixture.submissionIds.toSorted());
    const login = { email: 'owner@example.com', password: 'owner password' };
    await forms.post('/api/auth/login', { body: login, expect: 200 });
  });

  it('delivers pending retries and unread events once', async () => {
    const { fixture, stack } = restored();
    for (const path of ['/late', '/prompt']) {
      const ids = fixture.expectedAt(path);
      await poll(() => fixture.accepted(path).length >= ids.length, {
        what: `${ids.length} submissions at ${path}`,
      });
      for (const id of ids) {
        expect(verify(arrived(path, id) as ReceivedRequest, SECRETS.webhook)).toEqual(SIGNED);
      }
    }
    const due = fixture.expectedAt('/late').length;
    const deliveries = `/api/forms/${fixture.form.id}/webhooks/${fixture.webhookIds.late}/deliveries?status=delivered`;
    await poll(async () => (await stack.forms.get<DeliveryOut[]>(deliveries)).body.data.length === due, {
      what: 'the delivery records',
    });
  });

  it('accepts a signed submission and delivers it signed', async () => {
    const { fixture, stack } = restored();
    const data = { email: 'ada@example.com', message: 'after' };
    const headers = { 'x-svcforms-signature-256': signInbound(JSON.stringify(data), fixture.inboundSecret) };
    const response = await sendInbound(stack.inbound, fixture.inbound, data, { headers });
    const request = await poll(() => arrived('/prompt', response.body.data.submissionId), {
      what: 'the new submission',
    });
    expect(verify(request, SECRETS.webhook)).toEqual(SIGNED);
    const unsigned = await sendInbound(stack.inbound, fixture.inbound, data, { expect: 401 });
    expect(unsigned.body.code).toBe('INVALID_SIGNATURE');
  });

  it('resumes an event stream and resolves the open task', async () => {
    const { fixture, stack, keepsPositions } = restored();
    const reader = await readEvents(`${stack.streamsUrl}/api/mcp/events/hitl.task.completed`, {
      token: fixture.apiKey,
      lastEventId: fixture.lastEventId,
    });
    const open = await stack.tasks.get<TaskOut>(`/api/mcp/tasks/${fixture.task.id}`, { expect: 200 });
    // Versions without the digest stored the fixture.
    expect(open.body.data).toEqual({ ...fixture.task, valuesDigest: expect.any(String) as string });
    const decision = { outcome: 'approved', comment: 'go' };
    const path = `/api/mcp/tasks/${fixture.task.id}/decision`;
    const { body } = await stack.tasks.post<TaskOut>(path, { body: decision, expect: 200 });
    expect(body.data).toMatchObject({ status: 'approved', submissionId: expect.stringMatching(/^sub_/) });
    const completed = await poll(
      () => reader.frames.find(({ data }) => data.includes(fixture.task.id) && data.includes('completedAt')),
      { what: 'the frame of the decision' },
    );
    expect(completed.event).toBe('hitl.task.completed');
    expect(reader.frames[0]?.event === 'stream.reset').toBe(!keepsPositions);
    reader.close();
  });

  it('sends the signed callback of that task', async () => {
    const { fixture } = restored();
    const request = await fixture.webhookEndpoint.waitFor(({ path }) => path === '/done', 'the callback');
    expect(verify(request, SECRETS.callback)).toEqual(SIGNED);
    expect(JSON.parse(request.rawBody.toString())).toMatchObject({
      data: { metadata: { outcome: 'approved', custom: { run: 7 } } },
    });
  });

  it('resolves the expiring task by its expiry', async () => {
    const { fixture, stack } = restored();
    const probe = async () => {
      const { body } = await stack.tasks.get<TaskOut>(`/api/mcp/tasks/${fixture.expiring.id}`);
      return body.data.status === 'approved' && body.data;
    };
    const resolved = await poll(probe, { what: 'the task to expire', timeoutMs: 60_000, everyMs: 200 });
    expect(resolved).toMatchObject({ resolvedBy: 'expiry', expiresAt: fixture.expiring.expiresAt });
  });

  it('delivers no event twice', () => {
    const { fixture } = restored();
    expect({
      prompt: repeated(fixture.accepted('/prompt')),
      late: repeated(fixture.accepted('/late')),
    }).toEqual({
      prompt: [],
      late: [],
    });
    expect(fixture.accepted('/done')).toHaveLength(1);
  });
}

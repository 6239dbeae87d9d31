import type { DeliveryOut, TaskOut } from '@svcforms/contracts';
import { signInbound } from '@svcforms/signing';
import { poll, readEvents, sendInbound, type ReceivedRequest } from '@svcforms/test-kit';
import { eventOf, verify } from '../e2e/event.ts';
import { SECRETS, type Life } from './life.ts';
import type { Side } from './sides.ts';

const SIGNED = { svcSignature: 'ok', standardWebhooks: 'ok' };
const repeated = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

/** Everything that a product had going on, at one that was made of its backup. */
export function itGoesOn(stage: () => { life: Life; side: Side; keepsPositions: boolean }): void {
  const arrived = (path: string, submissionId: string) => {
    const { life } = stage();
    return life.webhookEndpoint.requests.find(
      (request) => request.path === path && eventOf(request).submissionId === submissionId,
    );
  };

  it('has the form, its webhooks, its inbound endpoint and its submissions', async () => {
    const { life, side } = stage();
    const { forms } = side;
    const form = `/api/forms/${life.form.id}`;
    expect((await forms.get(form, { expect: 200 })).body.data).toEqual(life.form);
    const webhooks = (await forms.get<{ id: string }[]>(`${form}/webhooks`, { expect: 200 })).body.data;
    expect(webhooks.map(({ id }) => id).toSorted()).toEqual(Object.values(life.webhookIds).toSorted());
    const { body } = await forms.get<{ id: string }[]>(`${form}/submissions?via=inbound`, { expect: 200 });
    expect(body.data.map(({ id }) => id).toSorted()).toEqual(life.submissionIds.toSorted());
    const login = { email: 'owner@example.com', password: 'owner password' };
    await forms.post('/api/auth/login', { body: login, expect: 200 });
  });

  it('delivers what waited for its retry, and what nobody had read, once', async () => {
    const { life, side } = stage();
    for (const path of ['/late', '/prompt']) {
      const ids = life.arriving(path);
      await poll(() => life.taken(path).length >= ids.length, {
        what: `${ids.length} submissions at ${path}`,
      });
      for (const id of ids) {
        expect(verify(arrived(path, id) as ReceivedRequest, SECRETS.webhook)).toEqual(SIGNED);
      }
    }
    const due = life.submissionIds.length;
    const deliveries = `/api/forms/${life.form.id}/webhooks/${life.webhookIds.late}/deliveries?status=delivered`;
    await poll(async () => (await side.forms.get<DeliveryOut[]>(deliveries)).body.data.length === due, {
      what: 'the deliveries to be written down',
    });
  });

  it('takes a signed submission, and delivers it signed', async () => {
    const { life, side } = stage();
    const data = { email: 'ada@example.com', message: 'after' };
    const headers = { 'x-svcforms-signature-256': signInbound(JSON.stringify(data), life.inboundSecret) };
    const answer = await sendInbound(side.inbound, life.inbound, data, { headers });
    const request = await poll(() => arrived('/prompt', answer.body.data.submissionId), {
      what: 'the new submission',
    });
    expect(verify(request, SECRETS.webhook)).toEqual(SIGNED);
    const unsigned = await sendInbound(side.inbound, life.inbound, data, { expect: 401 });
    expect(unsigned.body.code).toBe('INVALID_SIGNATURE');
  });

  it('shows a reader of the stream where it can go on, and the decision of the open task', async () => {
    const { life, side, keepsPositions } = stage();
    const reader = await readEvents(`${side.streamsUrl}/api/mcp/events/hitl.task.completed`, {
      token: life.apiKey,
      lastEventId: life.lastEventId,
    });
    const open = await side.tasks.get<TaskOut>(`/api/mcp/tasks/${life.task.id}`, { expect: 200 });
    expect(open.body.data).toEqual(life.task);
    const decision = { outcome: 'approved', comment: 'go' };
    const path = `/api/mcp/tasks/${life.task.id}/decision`;
    const { body } = await side.tasks.post<TaskOut>(path, { body: decision, expect: 200 });
    expect(body.data).toMatchObject({ status: 'approved', submissionId: expect.stringMatching(/^sub_/) });
    const completed = await poll(
      () => reader.frames.find(({ data }) => data.includes(life.task.id) && data.includes('completedAt')),
      { what: 'the frame of the decision' },
    );
    expect(completed.event).toBe('hitl.task.completed');
    expect(reader.frames[0]?.event === 'stream.reset').toBe(!keepsPositions);
    reader.close();
  });

  it('tells the callback of that task, signed', async () => {
    const { life } = stage();
    const request = await life.webhookEndpoint.waitFor(({ path }) => path === '/done', 'the callback');
    expect(verify(request, SECRETS.callback)).toEqual(SIGNED);
    expect(JSON.parse(request.rawBody.toString())).toMatchObject({
      data: { metadata: { outcome: 'approved', custom: { run: 7 } } },
    });
  });

  it('lets time decide the task that expires', async () => {
    const { life, side } = stage();
    const probe = async () => {
      const { body } = await side.tasks.get<TaskOut>(`/api/mcp/tasks/${life.expiring.id}`);
      return body.data.status === 'approved' && body.data;
    };
    const settled = await poll(probe, { what: 'the task to expire', timeoutMs: 60_000, everyMs: 200 });
    expect(settled).toMatchObject({ resolvedBy: 'expiry', expiresAt: life.expiring.expiresAt });
  });

  it('has told nobody anything twice', () => {
    const { life } = stage();
    expect({ prompt: repeated(life.taken('/prompt')), late: repeated(life.taken('/late')) }).toEqual({
      prompt: [],
      late: [],
    });
    expect(life.taken('/done')).toHaveLength(1);
  });
}

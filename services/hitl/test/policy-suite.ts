import { newId, type TaskHistoryOut, type TaskOut } from '@svcforms/contracts';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import { poll, type Client } from '@svcforms/test-kit';
import { eventsIn, type HitlFixture } from './fixture.ts';

type Policy = { approvals?: number | 'all'; users?: string[]; groups?: string[] };

/** Tasks whose policy says who decides them, and how many. docs/reference/tasks.md#policies */
export function describePolicies(fixture: () => HitlFixture): void {
  describeVoting(fixture);
  describeCreators(fixture);
  describeDemands(fixture);
  describeEdits(fixture);
  describeLeaving(fixture);
  describeDelegation(fixture);
  describeFollowUps(fixture);
  describeSkippedEscalations(fixture);
}

/** Three reviewers, and a task that needs two of them. */
async function setUp({ addPerson, createTask }: HitlFixture, more: object = {}, policy: Policy = {}) {
  const people = [await addPerson(), await addPerson(), await addPerson()] as const;
  const users = people.map(({ id }) => id);
  const task = await createTask({ policy: { approvals: 2, users, ...policy }, ...more });
  return { people, users, task };
}

const historyOf = async ({ client }: HitlFixture, { id }: Pick<TaskOut, 'id'>) =>
  (await client.get<TaskHistoryOut[]>(`/api/mcp/tasks/${id}/history`, { expect: 200 })).body.data;

const eventsOf = async (fixture: HitlFixture, task: Pick<TaskOut, 'id'>) =>
  (await historyOf(fixture, task)).map(({ event }) => event);

function describeVoting(fixture: () => HitlFixture): void {
  describe('votes', () => {
    it('leave a task awaiting until the last approval, and show it to everybody', async () => {
      const { client, decide, readEvents } = fixture();
      const { people, users, task } = await setUp(fixture());
      const [ada, grace, mary] = people;
      const reader = await readEvents('*', { lastEventId: task.cursor });
      expect(task).toMatchObject({
        policy: { approvals: 2, users, groups: [] },
        votes: [],
        progress: { required: 2, approved: 0, remaining: 2, eligible: 3, isBlocked: false },
      });

      const first = await decide(task, 'approved', ada.client, { comment: 'Fine' });
      expect(first.status).toBe(200);
      const vote = {
        by: ada.id,
        byName: 'reviewer',
        outcome: 'approved',
        comment: 'Fine',
        via: ada.client.keyId,
      };
      expect(first.body.data).toMatchObject({ status: 'awaiting', votes: [vote] });
      expect(first.body.data).not.toHaveProperty('outcome');
      const read = (await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data;
      expect(read).toEqual(first.body.data);
      expect(read.progress).toEqual({
        required: 2,
        approved: 1,
        remaining: 1,
        eligible: 3,
        waitingFor: [grace, mary].map(({ id }) => ({ id, name: 'reviewer' })),
        isBlocked: false,
      });

      const again = await decide(task, 'approved', ada.client);
      expect(again.body.data).toMatchObject({ status: 'awaiting', votes: [vote] });

      const last = await decide(task, 'approved', mary.client);
      expect(last.body.data).toMatchObject({
        status: 'approved',
        outcome: 'approved',
        decidedBy: mary.client.keyId,
        votes: [vote, { by: mary.id, outcome: 'approved' }],
      });
      expect(last.body.data).not.toHaveProperty('progress');
      await reader.waitFor(4);
      expect(eventsIn(reader).map(({ type }) => type)).toEqual([
        'hitl.task.created',
        'decision.requested',
        'decision.approved',
        'hitl.task.completed',
      ]);
      expect(await eventsOf(fixture(), task)).toEqual(['created', 'voted', 'decided']);
      const late = await decide(task, 'approved', grace.client);
      expect(late).toMatchObject({ status: 409, body: { code: 'TASK_ALREADY_SETTLED' } });
    });

    it('have one row each in the audit log, even if somebody repeats one', async () => {
      const { decide, store } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada, grace] = people;
      for (const { client } of [ada, ada, grace])
        expect((await decide(task, 'approved', client)).status).toBe(200);
      const rows = await store
        .collection<AuditRecord>(AUDIT_LOG)
        .find({ 'target.id': task.id }, { sort: ['createdAt', '_id'] });
      expect(rows.map(({ action, actor }) => [action, actor.id])).toEqual([
        ['task.created', fixture().keyId],
        ['task.voted', ada.client.keyId],
        ['task.decided', grace.client.keyId],
      ]);
    });

    it('reject the task with one rejection, even by somebody who approved it', async () => {
      const { decide } = fixture();
      const { people, task } = await setUp(fixture(), {}, { approvals: 'all' });
      const [ada, grace] = people;
      await decide(task, 'approved', ada.client);
      await decide(task, 'approved', grace.client);
      const { data } = (await decide(task, 'rejected', ada.client)).body;
      expect(data).toMatchObject({ status: 'rejected', outcome: 'rejected' });
      expect(data.votes?.map(({ by, outcome }) => [by, outcome])).toEqual([
        [grace.id, 'approved'],
        [ada.id, 'rejected'],
      ]);
    });

    it('need all of the group with "all"', async () => {
      const { addPerson, addGroup, createTask, decide } = fixture();
      const people = [await addPerson(), await addPerson(), await addPerson()];
      const group = await addGroup(people.map(({ id }) => id));
      const task = await createTask({ policy: { approvals: 'all', groups: [group._id] } });
      const statuses: string[] = [];
      for (const { client } of people)
        statuses.push((await decide(task, 'approved', client)).body.data.status);
      expect(statuses).toEqual(['awaiting', 'awaiting', 'approved']);
    });

    it('resolve a task once when 50 are cast at the same time on two processes', async () => {
      const { startReplica, tasks, submissions, readEvents, addPerson, createTask, accountId } = fixture();
      const other = await startReplica();
      const people = await Promise.all(Array.from({ length: 10 }, () => addPerson()));
      const task = await createTask({ policy: { approvals: 6, users: people.map(({ id }) => id) } });
      const reader = await readEvents('*', { lastEventId: task.cursor });
      const casts = Array.from({ length: 50 }, (_, n) => {
        const { client, key } = people[n % people.length] as (typeof people)[number];
        const by = n % 2 === 0 ? client : other.client(key);
        return by.post<TaskOut>(`/api/mcp/tasks/${task.id}/decision`, { body: { outcome: 'approved' } });
      });
      const responses = await Promise.all(casts);
      const resolved = responses.filter(({ body }) => body.data?.status === 'approved');
      expect(resolved).toHaveLength(1);
      for (const { status, body } of responses) {
        if (status === 200) continue;
        expect([status, body.code]).toEqual([409, 'TASK_ALREADY_SETTLED']);
      }
      const record = await tasks.findOne({ _id: task.id });
      expect(new Set(record?.votes?.map(({ by }) => by)).size).toBe(6);
      expect(record?.votes).toHaveLength(6);
      await reader.waitFor(4);
      expect(eventsIn(reader).filter(({ type }) => type === 'hitl.task.completed')).toHaveLength(1);
      expect(await submissions.find({ accountId, _id: record?.submissionId ?? '' })).toHaveLength(1);
      expect((await eventsOf(fixture(), task)).filter((event) => event === 'decided')).toHaveLength(1);
      await other.stop();
    });

    it('count once for one person with two keys', async () => {
      const { decide, clientOf } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada] = people;
      await decide(task, 'approved', ada.client);
      const second = await decide(task, 'approved', await clientOf(ada.client.keyId));
      expect(second.body.data).toMatchObject({ status: 'awaiting', progress: { approved: 1 } });
    });

    it('release the claim of the voter, and respect those of others', async () => {
      const { decide } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada, grace] = people;
      await ada.client.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
      expect((await decide(task, 'approved', grace.client)).body.code).toBe('TASK_CLAIMED');
      expect((await decide(task, 'approved', ada.client)).body.data).not.toHaveProperty('claim');
      expect((await decide(task, 'approved', grace.client)).body.data.status).toBe('approved');
    });

    it('let one person of the policy submit a form', async () => {
      const { addPerson, createTask, decide } = fixture();
      const [ada, other] = [await addPerson(), await addPerson()];
      const task = await createTask({ decisionMode: 'form', policy: { users: [ada.id] } });
      expect((await decide(task, 'submitted', other.client)).body.code).toBe('NOT_A_REVIEWER');
      expect((await decide(task, 'submitted', ada.client)).body.data).toMatchObject({
        status: 'submitted',
        votes: [{ by: ada.id, outcome: 'submitted' }],
      });
    });

    it('change nothing about tasks without a policy', async () => {
      const { createTask, decide, tasks } = fixture();
      const task = await createTask();
      for (const name of ['policy', 'votes', 'progress']) expect(task).not.toHaveProperty(name);
      const stored = Object.keys((await tasks.findOne({ _id: task.id })) ?? {});
      for (const name of ['creators', 'followUpAt', 'revision']) expect(stored).not.toContain(name);
      const { data } = (await decide(task, 'approved')).body;
      expect(data.status).toBe('approved');
      for (const name of ['policy', 'votes', 'progress']) expect(data).not.toHaveProperty(name);
    });
  });
}

function describeCreators(fixture: () => HitlFixture): void {
  describe('the creator of a task with a policy', () => {
    const refusal = async (task: TaskOut, by: Client) => {
      const claimed = await by.post(`/api/mcp/tasks/${task.id}/claim`);
      expect(claimed.status).toBe(403);
      const { status, body } = await fixture().decide(task, 'approved', by);
      expect([status, body.code]).toEqual([403, 'NOT_A_REVIEWER']);
      return (body as unknown as { reason: string }).reason;
    };

    it('never votes: the key, its user, and other keys of that user', async () => {
      const { addPerson, clientOf, createTask, decide } = fixture();
      const [ada, grace] = [await addPerson('owner'), await addPerson()];
      const agent = await clientOf(ada.client.keyId, ['tasks:create', 'tasks:read', 'tasks:decide']);
      const policy = { approvals: 1, users: [ada.id, grace.id] };
      const task = await createTask({ policy }, agent);
      expect(task.progress?.waitingFor.map(({ id }) => id)).toEqual([grace.id]);
      expect(await refusal(task, agent)).toBe('creator');
      expect(await refusal(task, ada.client)).toBe('creator');
      expect(await refusal(task, await clientOf(ada.id))).toBe('creator');
      expect((await decide(task, 'approved', grace.client)).body.data.status).toBe('approved');
    });

    it('and keys of nobody never vote', async () => {
      const { keyWith, addPerson, createTask, client } = fixture();
      const ada = await addPerson();
      const task = await createTask({ policy: { users: [ada.id] } });
      expect(await refusal(task, client)).toBe('creator');
      expect(await refusal(task, (await keyWith(['tasks:decide'])).client)).toBe('not_a_person');
      expect(await refusal(task, (await addPerson('owner')).client)).toBe('not_listed');
    });

    it("doesn't count for a policy without users and groups either", async () => {
      const { addPerson, createTask, decide } = fixture();
      const [ada, grace] = [await addPerson('admin'), await addPerson()];
      const task = await createTask({ policy: { approvals: 1 } }, ada.client);
      expect(await refusal(task, ada.client)).toBe('creator');
      expect((await decide(task, 'approved', grace.client)).body.data.status).toBe('approved');
    });
  });
}

function describeDemands(fixture: () => HitlFixture): void {
  describe('a policy', () => {
    it('that needs more people than there are is refused, and the creator is none of them', async () => {
      const { addPerson, addGroup, createTask, form } = fixture();
      const [ada, grace] = [await addPerson(), await addPerson()];
      const group = await addGroup([ada.id, grace.id]);
      const bodyOf = (policy: Policy) => ({ templateId: form._id, prefill: { amount: 1 }, policy });
      const refused = async (policy: Policy, by: Client = fixture().client) => {
        const { status, body } = await by.post('/api/mcp/tasks', { body: bodyOf(policy) });
        expect(status).toBe(422);
        return body.errors?.map(({ pointer }) => pointer);
      };
      expect(await refused({ approvals: 3, users: [ada.id], groups: [group._id] })).toEqual([
        '/policy/approvals',
      ]);
      expect(await refused({ approvals: 2, groups: [group._id] }, ada.client)).toEqual(['/policy/approvals']);
      expect(await refused({ approvals: 'all', users: [ada.id] }, ada.client)).toEqual(['/policy/approvals']);
      expect(await refused({ approvals: 1, groups: [(await addGroup([]))._id] })).toEqual([
        '/policy/approvals',
      ]);
      expect((await createTask({ policy: { approvals: 2, groups: [group._id] } })).votes).toEqual([]);
    });

    it.each([
      [{ policy: { approvals: 0 } }, '/policy/approvals'],
      [{ policy: { approvals: 11 } }, '/policy/approvals'],
      [{ policy: { approvals: 'most' } }, '/policy/approvals'],
      [{ policy: { users: [newId('usr')] } }, '/policy/users/0'],
      [{ policy: { groups: [newId('grp')] } }, '/policy/groups/0'],
      [{ policy: { who: [] } }, '/policy/who'],
      [{ policy: {}, onExpiry: 'approve' }, '/onExpiry'],
      [{ policy: { approvals: 2 }, decisionMode: 'form' }, '/policy/approvals'],
      [{ remindAfterSeconds: 0 }, '/remindAfterSeconds'],
      [{ remindAfterSeconds: 60, expiresInSeconds: 60 }, '/remindAfterSeconds'],
      [{ escalateAfterSeconds: 5 }, '/escalateTo'],
      [{ escalateTo: newId('grp') }, '/escalateAfterSeconds'],
      [{ escalateAfterSeconds: 5, escalateTo: newId('grp') }, '/escalateTo'],
    ])('like %j is refused with a pointer', async (input, pointer) => {
      const body = { templateId: fixture().form._id, prefill: { amount: 1 }, ...input };
      const response = await fixture().client.post('/api/mcp/tasks', { body, expect: 422 });
      expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
    });

    it('of the form refuses what its votes could not decide', async () => {
      const { addPerson, addForm, client, form } = fixture();
      const [ada, grace, mary] = [await addPerson(), await addPerson(), await addPerson()];
      const policy = { approvals: 2, users: [ada.id, grace.id] };
      const { _id: templateId } = await addForm(form.fields, { tasks: { policy } });
      const create = (input: object) =>
        client.post('/api/mcp/tasks', { body: { templateId, prefill: { amount: 1 }, ...input } });
      for (const [input, ...pointers] of [
        [{ decisionMode: 'form' }, '/decisionMode'],
        [{ onExpiry: 'approve' }, '/onExpiry'],
        [{ assignee: mary.id }, '/assignee'],
      ] as const) {
        const { status, body } = await create(input);
        expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([422, pointers]);
      }
      expect((await create({ assignee: ada.id, onExpiry: 'reject' })).status).toBe(201);
    });

    it('of another account is unknown', async () => {
      const { addUser, addGroup, client, form } = fixture();
      const stranger = await addUser('owner', newId('acc'));
      const group = await addGroup([stranger._id], stranger.accountId);
      const policy = { users: [stranger._id], groups: [group._id] };
      const body = { templateId: form._id, prefill: { amount: 1 }, policy };
      const { errors } = (await client.post('/api/mcp/tasks', { body, expect: 422 })).body;
      expect(errors?.map(({ pointer }) => pointer)).toEqual(['/policy/users/0', '/policy/groups/0']);
    });

    it('comes from the form by default, and only callers with tasks:manage replace it', async () => {
      const { addPerson, addGroup, addForm, keyWith, createTask, form } = fixture();
      const [ada, grace] = [await addPerson(), await addPerson()];
      const policy = { approvals: 2, users: [ada.id, grace.id] };
      const strict = await addForm(form.fields, { tasks: { policy, remindAfterSeconds: 600 } });
      const agent = await keyWith(['tasks:create', 'tasks:read']);
      const task = await createTask({ templateId: strict._id }, agent.client);
      expect(task.policy).toEqual({ ...policy, groups: [] });
      expect(Date.parse(task.remindAt ?? '') - Date.parse(task.createdAt)).toBe(600_000);
      const weaker = { templateId: strict._id, prefill: { amount: 1 }, policy: { approvals: 1 } };
      const refused = await agent.client.post('/api/mcp/tasks', { body: weaker });
      expect(refused).toMatchObject({ status: 403, body: { requiredScope: 'tasks:manage' } });
      expect((await createTask(weaker)).policy).toEqual({ approvals: 1, users: [], groups: [] });
      const chosen = {
        templateId: strict._id,
        prefill: { amount: 1 },
        escalateAfterSeconds: 1,
        escalateTo: (await addGroup([(await addPerson()).id]))._id,
      };
      expect(await agent.client.post('/api/mcp/tasks', { body: chosen })).toMatchObject({
        status: 403,
        body: {
          requiredScope: 'tasks:manage',
          message: expect.stringMatching(/omit escalateAfterSeconds and escalateTo$/),
        },
      });
      expect((await createTask(chosen)).escalation?.to).toBe(chosen.escalateTo);
      // It ends before the reminder.
      const short = await createTask({ templateId: strict._id, expiresInSeconds: 60 });
      expect(short).not.toHaveProperty('remindAt');
    });

    it('is not escalated to a group that was deleted meanwhile', async () => {
      const { addGroup, addPerson, groups, createTask, startReplica, until } = fixture();
      const group = await addGroup([(await addPerson()).id]);
      const task = await createTask({ escalateAfterSeconds: 30, escalateTo: group._id });
      await groups.deleteOne({ _id: group._id });
      const ahead = await startReplica({ now: () => Date.now() + 45_000 });
      await until(task, ({ escalation }) => escalation === undefined, 'the escalation to be skipped');
      await ahead.stop();
      expect(await eventsOf(fixture(), task)).toEqual(['created']);
    });

    it('has no escalation to a default group that was deleted since', async () => {
      const { addForm, createTask, form } = fixture();
      const tasks = { escalateAfterSeconds: 60, escalateTo: newId('grp') };
      const task = await createTask({ templateId: (await addForm(form.fields, { tasks }))._id });
      expect(task).not.toHaveProperty('escalation');
    });

    it('belongs to the question of a dedupeKey', async () => {
      const { addPerson, addGroup, createTask, client, form } = fixture();
      const users = [(await addPerson()).id, (await addPerson()).id];
      const groups = [(await addGroup([]))._id, (await addGroup([]))._id];
      const dedupeKey = newId('evt');
      const { id } = await createTask({ dedupeKey, policy: { users, groups } });
      const again = async (more: object) =>
        client.post<TaskOut>('/api/mcp/tasks', {
          body: { templateId: form._id, prefill: { amount: 120 }, dedupeKey, ...more },
        });
      const reversed = { approvals: 1, users: users.toReversed(), groups: groups.toReversed() };
      expect((await again({ policy: reversed })).body.data.id).toBe(id);
      for (const other of [
        {},
        { policy: { users, groups, approvals: 2 } },
        { policy: { users: [users[0]], groups } },
        { policy: { users } },
      ])
        expect((await again(other)).body.code).toBe('DEDUPE_KEY_REUSED');
    });
  });
}

function describeEdits(fixture: () => HitlFixture): void {
  describe('a vote with changed values', () => {
    it('voids the approvals of the values before, and the next people vote on the new ones', async () => {
      const { decide, submissions } = fixture();
      const { people, task } = await setUp(fixture(), { editableFields: ['amount'] }, { approvals: 2 });
      const [ada, grace, mary] = people;
      await decide(task, 'approved', ada.client);
      const edit = await decide(task, 'approved', grace.client, { fields: { amount: 90 } });
      expect(edit.body.data).toMatchObject({
        status: 'awaiting',
        prefill: { amount: 120 },
        formData: { amount: 90 },
        votes: [{ by: grace.id }],
        progress: { approved: 1, remaining: 1 },
      });
      expect(await eventsOf(fixture(), task)).toEqual(['created', 'voted', 'voted', 'votes_reset']);
      // The same values are no change.
      const last = await decide(task, 'approved', mary.client, { fields: { amount: 90 } });
      expect(last.body.data).toMatchObject({ status: 'approved', formData: { amount: 90 } });
      const stored = await submissions.findOne({ _id: last.body.data.submissionId ?? '' });
      expect(JSON.parse(stored?.data ?? '')).toEqual({ amount: 90 });
    });

    it('is about the values that the voter saw, if the vote has their digest', async () => {
      const { client, decide } = fixture();
      const { people, task } = await setUp(fixture(), { editableFields: ['amount'] }, { approvals: 2 });
      const [ada, grace, mary] = people;
      const seen = (of: TaskOut) => ({ valuesDigest: of.valuesDigest });
      const edit = await decide(task, 'approved', ada.client, { fields: { amount: 90 }, ...seen(task) });
      expect(edit.status).toBe(200);
      for (const outcome of ['approved', 'rejected']) {
        const late = await decide(task, outcome, grace.client, seen(task));
        expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
        expect(late.body.message).toContain('changed the values');
      }
      const read = (await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data;
      expect(read).toMatchObject({ status: 'awaiting', votes: [{ by: ada.id }] });
      expect(read.valuesDigest).toBe(edit.body.data.valuesDigest);
      // An approval of the same values by somebody else in between changes nothing about them.
      const last = await decide(task, 'approved', mary.client, seen(read));
      expect(last.body.data).toMatchObject({ status: 'approved', formData: { amount: 90 } });
      expect(last.body.data).not.toHaveProperty('valuesDigest');
    });

    it('never counts for the values of another one that is cast at the same time', async () => {
      const { addPerson, createTask, decide, tasks } = fixture();
      const people = await Promise.all(Array.from({ length: 6 }, () => addPerson()));
      const users = people.map(({ id }) => id);
      const more = { editableFields: ['amount'], policy: { approvals: 6, users } };
      const task = await createTask(more);
      const responses = await Promise.all(
        people.map(({ client }, n) =>
          decide(task, 'approved', client, {
            valuesDigest: task.valuesDigest,
            ...(n === 3 && { fields: { amount: 90 } }),
          }),
        ),
      );
      const editor = people[3]?.id;
      // Votes before the change are void, and those after it were about other values.
      expect((await tasks.findOne({ _id: task.id }))?.votes?.map(({ by }) => by)).toEqual([editor]);
      for (const { status, body } of responses)
        expect([200, 'CONFLICT']).toContain(status === 200 ? 200 : body.code);
    });

    it('needs an editable field, and leaves nothing in a callback of a cancellation', async () => {
      const { decide, client, listen } = fixture();
      const receiver = await listen();
      const callback = { callbackUrl: receiver.url };
      const { people, task } = await setUp(fixture(), { editableFields: ['amount'], ...callback });
      const [ada] = people;
      expect((await decide(task, 'approved', ada.client, { fields: { reason: 'x' } })).status).toBe(422);
      await decide(task, 'approved', ada.client, { fields: { amount: 90 } });
      await client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
      const [request] = await receiver.waitFor(1);
      expect(JSON.parse(request?.rawBody.toString() ?? '')).toMatchObject({
        eventType: 'hitl.task.cancelled',
        data: { formData: {} },
      });
    });
  });
}

function describeLeaving(fixture: () => HitlFixture): void {
  describe('people who leave', () => {
    it('don’t count anymore, and a policy that nobody can meet anymore is visible and ends', async () => {
      const { client, decide, users, startReplica, owner, tasks } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada, grace] = people;
      await decide(task, 'approved', ada.client);
      await users.deleteOne({ _id: ada.id });
      await users.deleteOne({ _id: grace.id });
      expect((await decide(task, 'approved', ada.client)).body.code).toBe('NOT_A_REVIEWER');
      const blocked = (await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data;
      expect(blocked.progress).toMatchObject({ approved: 0, remaining: 2, eligible: 1, isBlocked: true });
      expect(blocked.votes).toEqual([]);
      expect(await eventsOf(fixture(), task)).toEqual(['created', 'voted']);

      const later = await startReplica({ now: () => Date.now() + 6 * 60_000 });
      await poll(async () => (await eventsOf(fixture(), task)).includes('blocked'), {
        what: 'the entry in the activity',
      });
      await later.stop();
      const record = await tasks.findOne({ _id: task.id });
      expect(record?.notices).toMatchObject([
        { kind: 'blocked', to: expect.arrayContaining([owner._id]) as string[] },
      ]);
      await client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
    });

    it('have no vote in a task that is rejected when it expires', async () => {
      const { decide, users, startReplica, until } = fixture();
      const more = { onExpiry: 'reject', expiresInSeconds: 60 };
      const { people, task } = await setUp(fixture(), more, { approvals: 'all' });
      const [ada, grace] = people;
      await decide(task, 'approved', ada.client);
      await decide(task, 'approved', grace.client);
      await users.deleteOne({ _id: ada.id });
      const later = await startReplica({ now: () => Date.now() + 61_000 });
      const ended = await until(task, ({ status }) => status === 'rejected', 'the rejection');
      await later.stop();
      expect(ended.resolvedBy).toBe('expiry');
      expect(ended.votes?.map(({ by }) => by)).toEqual([grace.id]);
    });

    it('leave the default of a form to the people who remain, and never to everybody else', async () => {
      const { addPerson, addGroup, addForm, groups, users, createTask, decide, client, form } = fixture();
      const [ada, grace, other] = [await addPerson(), await addPerson(), await addPerson()];
      const group = await addGroup([grace.id]);
      const formWith = (policy: Policy) => addForm(form.fields, { tasks: { policy } });
      const one = await formWith({ users: [ada.id], groups: [group._id] });
      const two = await formWith({ approvals: 2, users: [ada.id], groups: [group._id] });
      const onlyGroup = await formWith({ groups: [group._id] });
      const before = await createTask({ templateId: onlyGroup._id });
      await groups.deleteOne({ _id: group._id });

      const task = await createTask({ templateId: one._id });
      expect((await decide(task, 'approved', other.client)).body.code).toBe('NOT_A_REVIEWER');
      expect((await decide(task, 'approved', ada.client)).body.data.status).toBe('approved');
      const create = ({ _id: templateId }: { _id: string }) =>
        client.post('/api/mcp/tasks', { body: { templateId, prefill: { amount: 1 } } });
      for (const left of [two, onlyGroup]) {
        const { status, body } = await create(left);
        expect([status, body.errors]).toEqual([
          422,
          [
            {
              pointer: '/policy/approvals',
              message: expect.stringContaining('The form has this policy') as string,
            },
          ],
        ]);
      }
      await users.deleteOne({ _id: ada.id });
      expect((await create(one)).status).toBe(422);

      // Nobody is left for the task that waits: it says so, and nobody else may decide it.
      const waiting = (await client.get<TaskOut>(`/api/mcp/tasks/${before.id}`)).body.data;
      expect(waiting).toMatchObject({ status: 'awaiting', progress: { eligible: 0, isBlocked: true } });
      for (const outcome of ['approved', 'rejected'] as const)
        expect((await decide(before, outcome, other.client)).body.code).toBe('NOT_A_REVIEWER');
    });

    it('of "all" leave the rest to approve again, and never approve by leaving', async () => {
      const { addPerson, addGroup, groups, createTask, decide, client, startReplica, tasks } = fixture();
      const people = [await addPerson(), await addPerson()] as const;
      const [ada, grace] = people;
      const group = await addGroup(people.map(({ id }) => id));
      const task = await createTask({ policy: { approvals: 'all', groups: [group._id] } });
      await decide(task, 'approved', ada.client);
      await groups.updateOne({ _id: group._id }, { $set: { members: [ada.id] } });
      const left = (await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data;
      expect(left).toMatchObject({ status: 'awaiting', progress: { remaining: 0, eligible: 1 } });

      // She gets one notice, although the remaining reviewers are counted again and again.
      for (const minutes of [6, 12]) {
        const later = await startReplica({ now: () => Date.now() + minutes * 60_000 });
        const isCounted = async () => {
          const { followUpAt = '' } = (await tasks.findOne({ _id: task.id })) ?? {};
          return Date.parse(followUpAt) > Date.now() + minutes * 60_000;
        };
        await poll(isCounted, { what: 'the count' });
        await later.stop();
      }
      const { notices } = (await tasks.findOne({ _id: task.id })) ?? {};
      expect(notices).toMatchObject([{ kind: 'approve_again', to: [ada.id] }]);

      expect((await decide(task, 'approved', grace.client)).body.code).toBe('NOT_A_REVIEWER');
      expect((await decide(task, 'approved', ada.client)).body.data.status).toBe('approved');
    });

    it('are not among those who approved, by the task and its receipt', async () => {
      const { addPerson, addGroup, groups, createTask, decide, client } = fixture();
      const people = [await addPerson(), await addPerson(), await addPerson()] as const;
      const [ada, grace, mary] = people;
      const group = await addGroup([ada.id, grace.id]);
      const action = { tool: 'pay', args: { amount: 120 } };
      const task = await createTask({
        policy: { approvals: 2, groups: [group._id] },
        action,
      });
      await decide(task, 'approved', ada.client);
      await groups.updateOne({ _id: group._id }, { $set: { members: [grace.id, mary.id] } });
      await decide(task, 'approved', grace.client);
      const { receipt, votes } = (await decide(task, 'approved', mary.client)).body.data;
      expect(votes?.map(({ by }) => by)).toEqual([grace.id, mary.id]);
      const redeemed = await client.post<{ approvedBy: string[] }>('/api/mcp/receipts/redeem', {
        body: { receipt, args: action.args },
        headers: { 'Idempotency-Key': newId('evt') },
        expect: 200,
      });
      expect(redeemed.body.data.approvedBy).toEqual([grace.id, mary.id]);
    });
  });
}

function describeDelegation(fixture: () => HitlFixture): void {
  describe('a delegated vote', () => {
    const delegate = (task: TaskOut, by: Client, to: string) =>
      by.post<TaskOut>(`/api/mcp/tasks/${task.id}/delegate`, { body: { to, comment: 'Away' } });

    it('belongs to the other person', async () => {
      const { addPerson, decide, tasks } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada, grace] = people;
      const deputy = await addPerson();
      expect((await decide(task, 'approved', deputy.client)).body.code).toBe('NOT_A_REVIEWER');
      const { status, body } = await delegate(task, ada.client, deputy.user.email.toUpperCase());
      expect(status).toBe(200);
      expect(body.data.progress?.waitingFor.map(({ id }) => id).toSorted()).toEqual(
        [...people.slice(1).map(({ id }) => id), deputy.id].toSorted(),
      );
      expect((await historyOf(fixture(), task)).at(-1)).toMatchObject({
        event: 'delegated',
        by: ada.id,
        to: deputy.id,
        comment: 'Away',
      });
      expect((await tasks.findOne({ _id: task.id }))?.notices).toMatchObject([
        { kind: 'delegation', to: [deputy.id] },
      ]);
      expect((await decide(task, 'approved', ada.client)).body.code).toBe('NOT_A_REVIEWER');
      await decide(task, 'approved', deputy.client);
      expect((await decide(task, 'approved', grace.client)).body.data.status).toBe('approved');
    });

    it('goes to nobody who has a vote, made the task, or may not decide, and only once', async () => {
      const { addPerson, createTask, decide, clientOf } = fixture();
      const [ada, grace, asker] = [await addPerson(), await addPerson(), await addPerson('owner')];
      const task = await createTask({ policy: { users: [ada.id, grace.id] } }, await clientOf(asker.id));
      for (const to of [grace.id, asker.id, ada.id, newId('usr')]) {
        const { status, body } = await delegate(task, ada.client, to);
        expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([422, ['/to']]);
      }
      expect((await delegate(task, asker.client, grace.id)).body.code).toBe('NOT_A_REVIEWER');
      const deputy = await addPerson();
      await delegate(task, ada.client, deputy.id);
      expect((await delegate(task, ada.client, (await addPerson()).id)).body.code).toBe('NOT_A_REVIEWER');
      expect((await decide(task, 'approved', deputy.client)).body.data.status).toBe('approved');
    });

    it('has an email of its own, even if another is delegated in the same millisecond', async () => {
      const { addPerson, startReplica, tasks } = fixture();
      const { people, task } = await setUp(fixture());
      const now = Date.now();
      const replica = await startReplica({ now: () => now });
      const [ada, grace] = people;
      await delegate(task, replica.client(ada.key), (await addPerson()).id);
      const read = await tasks.findOne({ _id: task.id });
      await delegate(task, replica.client(grace.key), (await addPerson()).id);
      // As the dispatcher does after it has queued the emails that it read.
      const mark = { _id: task.id, noticesAt: read?.noticesAt ?? '' };
      expect(await tasks.updateOne(mark, { $unset: { notices: true, noticesAt: true } })).toBe(false);
      expect((await tasks.findOne({ _id: task.id }))?.notices).toHaveLength(2);
      await replica.stop();
    });

    it('is a conflict after fifty others', async () => {
      const { addPerson, tasks } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada] = people;
      const deputy = await addPerson();
      const delegations = Array.from({ length: 50 }, () => ({ from: newId('usr'), to: newId('usr') }));
      await tasks.updateOne({ _id: task.id }, { $set: { delegations } });
      expect((await delegate(task, ada.client, deputy.id)).body.code).toBe('CONFLICT');
      await tasks.updateOne({ _id: task.id }, { $set: { delegations: delegations.slice(1) } });
      expect((await delegate(task, ada.client, deputy.id)).status).toBe(200);
    });

    it('is a conflict after the vote and without a policy', async () => {
      const { addPerson, createTask, decide } = fixture();
      const { people, task } = await setUp(fixture());
      const [ada] = people;
      const deputy = await addPerson();
      await decide(task, 'approved', ada.client);
      expect((await delegate(task, ada.client, deputy.id)).body.code).toBe('CONFLICT');
      expect((await delegate(await createTask(), ada.client, deputy.id)).body.code).toBe('CONFLICT');
    });
  });
}

function describeFollowUps(fixture: () => HitlFixture): void {
  describe('reminders and escalations', () => {
    it('happen once over two processes, and name who gets an email', async () => {
      const { addPerson, addGroup, decide, startReplica, tasks, until } = fixture();
      const boss = await addPerson();
      const group = await addGroup([boss.id]);
      const followUps = { remindAfterSeconds: 30, escalateAfterSeconds: 40, escalateTo: group._id };
      const { people, task } = await setUp(fixture(), followUps);
      const [ada, grace, mary] = people;
      expect(task).toMatchObject({ escalation: { to: group._id, isDone: false } });
      await decide(task, 'approved', ada.client);
      expect((await decide(task, 'approved', boss.client)).body.code).toBe('NOT_A_REVIEWER');

      const ahead = { now: () => Date.now() + 45_000 };
      const replicas = await Promise.all([startReplica(ahead), startReplica(ahead), startReplica(ahead)]);
      const escalated = await until(task, ({ escalation }) => escalation?.isDone === true, 'the escalation');
      await Promise.all(replicas.map((replica) => replica.stop()));
      expect(escalated).not.toHaveProperty('remindAt');
      expect(escalated.progress?.waitingFor.map(({ id }) => id).toSorted()).toEqual(
        [grace.id, mary.id, boss.id].toSorted(),
      );
      const events = await eventsOf(fixture(), task);
      expect(events.filter((event) => event !== 'voted')).toEqual(['created', 'reminded', 'escalated']);
      const notices = (await tasks.findOne({ _id: task.id }))?.notices ?? [];
      expect(notices.map(({ kind }) => kind).toSorted()).toEqual(['escalation', 'reminder']);
      const toOf = (wanted: string) => notices.find(({ kind }) => kind === wanted)?.to.toSorted();
      expect(toOf('escalation')).toEqual([boss.id]);
      expect(toOf('reminder')).toEqual([grace.id, mary.id].toSorted());
      expect((await decide(task, 'approved', boss.client)).body.data.status).toBe('approved');
    });

    it('happen even where many cancelled tasks have kept the time of theirs', async () => {
      const { createTask, startReplica, tasks, until } = fixture();
      const task = await createTask({ remindAfterSeconds: 30 });
      const stored = await tasks.findOne({ _id: task.id });
      if (!stored) throw new Error('the task is not stored');
      const accountId = newId('acc');
      const left = Array.from({ length: 60 }, () => {
        const { pendingEvents: _events, pendingKey: _key, dueAt: _due, ...rest } = stored;
        const cancelled = { status: 'cancelled', followUpAt: stored.createdAt } as const;
        return { ...rest, ...cancelled, _id: newId('tsk'), accountId };
      });
      await tasks.insertMany(left);
      const ahead = await startReplica({ now: () => Date.now() + 45_000 });
      await until(task, (each) => !('remindAt' in each), 'the reminder');
      await ahead.stop();
      expect(await eventsOf(fixture(), task)).toEqual(['created', 'reminded']);
      await tasks.deleteMany({ accountId });
    });

    it('go to the users who want emails about tasks if the assignee has left', async () => {
      const { addPerson, createTask, startReplica, tasks, users, until } = fixture();
      const [left, reader] = [await addPerson(), await addPerson()];
      await users.updateOne({ _id: reader.id }, { $set: { taskEmails: true } });
      const task = await createTask({ assignee: left.id, remindAfterSeconds: 30 });
      await users.deleteOne({ _id: left.id });
      const ahead = await startReplica({ now: () => Date.now() + 45_000 });
      await until(task, (each) => !('remindAt' in each), 'the reminder');
      await ahead.stop();
      const { notices } = (await tasks.findOne({ _id: task.id })) ?? {};
      expect(notices).toMatchObject([{ kind: 'reminder', to: [reader.id] }]);
      await users.deleteOne({ _id: reader.id });
    });

    it("don't happen to a task that was decided", async () => {
      const { decide, startReplica, createTask, until, addGroup, addPerson } = fixture();
      const group = await addGroup([(await addPerson()).id]);
      const more = { remindAfterSeconds: 30, escalateAfterSeconds: 30, escalateTo: group._id };
      const [decided, open] = [await createTask(more), await createTask(more)];
      await decide(decided, 'approved');
      const ahead = await startReplica({ now: () => Date.now() + 45_000 });
      await until(open, ({ escalation }) => escalation?.isDone === true, 'the escalation of the other');
      await ahead.stop();
      expect(await eventsOf(fixture(), decided)).toEqual(['created', 'decided']);
      expect(await eventsOf(fixture(), open)).toEqual(['created', 'reminded', 'escalated']);
    });
  });
}

function describeSkippedEscalations(fixture: () => HitlFixture): void {
  describe('escalations', () => {
    it('never go to a group in which nobody may decide tasks of the form', async () => {
      const { addPerson, addGroup, addForm, form, client, groups, createTask, owner, startReplica, tasks } =
        fixture();
      const [ada, boss] = [await addPerson(), await addPerson()];
      const [finance, managers] = [await addGroup([ada.id]), await addGroup([boss.id])];
      const limited = await addForm(form.fields, { reviewers: { groups: [finance._id] } });
      const body = { templateId: limited._id, prefill: { amount: 1 }, escalateAfterSeconds: 30 };
      const message = 'must be a group with a member who may decide tasks of the form';
      for (const { policy, rule } of [
        { policy: undefined, rule: message },
        { policy: { groups: [finance._id] }, rule: `${message} and did not create this one` },
      ]) {
        const refused = await client.post('/api/mcp/tasks', {
          body: { ...body, policy, escalateTo: managers._id },
        });
        expect([refused.status, refused.body.errors]).toEqual([
          422,
          [{ pointer: '/escalateTo', message: rule }],
        ]);
      }

      // She is a manager too, until the escalation is due.
      await groups.updateOne({ _id: managers._id }, { $set: { members: [ada.id, boss.id] } });
      const policy = { approvals: 1, groups: [finance._id] };
      const task = await createTask({ ...body, policy, escalateTo: managers._id });
      await groups.updateOne({ _id: managers._id }, { $set: { members: [boss.id] } });
      const ahead = await startReplica({ now: () => Date.now() + 45_000 });
      const noticesOf = async () => (await tasks.findOne({ _id: task.id }))?.notices ?? [];
      await poll(async () => (await noticesOf()).length > 0, { what: 'the notice' });
      await ahead.stop();
      expect(await noticesOf()).toMatchObject([
        { kind: 'nobody_to_escalate', to: expect.arrayContaining([owner._id]) as string[] },
      ]);
      expect(await eventsOf(fixture(), task)).toEqual(['created']);
      const read = (await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data;
      expect(read).not.toHaveProperty('escalation');
    });

    it('never go to a group in which everybody has voted or delegated their vote', async () => {
      const { addPerson, addGroup, createTask, decide, startReplica, tasks } = fixture();
      const people = [await addPerson(), await addPerson(), await addPerson()] as const;
      const [ada, grace] = people;
      const [deputy, group] = [await addPerson(), await addGroup([ada.id, grace.id])];
      const policy = { approvals: 3, users: people.map(({ id }) => id) };
      const task = await createTask({ policy, escalateAfterSeconds: 30, escalateTo: group._id });
      await decide(task, 'approved', ada.client);
      await grace.client.post(`/api/mcp/tasks/${task.id}/delegate`, { body: { to: deputy.id }, expect: 200 });
      const ahead = await startReplica({ now: () => Date.now() + 45_000 });
      const isSkipped = async () => !('escalateAt' in ((await tasks.findOne({ _id: task.id })) ?? {}));
      await poll(isSkipped, { what: 'the end of the escalation' });
      await ahead.stop();
      const { notices = [] } = (await tasks.findOne({ _id: task.id })) ?? {};
      expect(notices.map(({ kind }) => kind)).toEqual(['delegation', 'nobody_to_escalate']);
      expect(await eventsOf(fixture(), task)).not.toContain('escalated');
    });
  });
}

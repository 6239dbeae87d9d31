import { MAX_GROUPS, newId, type FormOut, type FormTemplate, type GroupOut } from '@svcforms/contracts';
import { beforeFirst, interceptCalls } from '@svcforms/document-store/testing';
import { GROUPS, type GroupRecord } from '@svcforms/identity';
import { FORMS } from '@svcforms/records';
import type { Client } from '@svcforms/test-kit';
import { loseResponses, openFormsApi } from '../../test/fixture.ts';
import { addUser, cookieOf } from '../../test/users.ts';

type Save = (by: Client) => Promise<{ status: number; body: { data: FormOut } }>;
type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

let counted = 0;
const uniqueName = () => `Group ${(counted += 1)}`;
const addGroup = async (body: object = {}) =>
  (await api.client.post<GroupOut>('/api/groups', { body: { name: uniqueName(), ...body }, expect: 201 }))
    .body.data;

describe('a group', () => {
  it('has a name and members, which can be changed', async () => {
    const [ada, grace] = [await addUser(api, 'reviewer'), await addUser(api, 'admin')];
    const other = await addGroup({ members: [grace._id] });
    const name = uniqueName();
    const { body, headers } = await api.client.post<GroupOut>('/api/groups', {
      body: { name: ` ${name} `, members: [ada._id, ada._id] },
      expect: 201,
    });
    const { id } = body.data;
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^grp_/) as string,
      name,
      members: [ada._id],
    });
    expect(headers.get('location')).toBe(`/api/groups/${id}`);
    api.clock.now += 1_000;
    const changed = await api.client.patch<GroupOut>(`/api/groups/${id}`, {
      body: { members: [grace._id, ada._id] },
      expect: 200,
    });
    const updatedAt = new Date(api.clock.now).toISOString();
    expect(changed.body.data).toEqual({ ...body.data, members: [grace._id, ada._id], updatedAt });
    expect((await api.client.get<GroupOut>(`/api/groups/${id}`)).body.data).toEqual(changed.body.data);
    const list = await api.client.get<GroupOut[]>('/api/groups', { expect: 200 });
    expect(list.body.data).toContainEqual(changed.body.data);
    await api.client.delete(`/api/groups/${id}`, { expect: 204 });
    expect((await api.client.get(`/api/groups/${id}`)).status).toBe(404);
    expect((await api.client.get<GroupOut>(`/api/groups/${other.id}`)).body.data).toEqual(other);
  });

  it('is created once with one Idempotency-Key, even if the response was lost', async () => {
    const body = { name: uniqueName() };
    const create = () =>
      api.client.post<GroupOut>('/api/groups', {
        body,
        headers: { 'idempotency-key': body.name },
        expect: 201,
      });
    const first = await create();
    await loseResponses(api.store);
    expect((await create()).body.data).toEqual(first.body.data);
  });

  it('is deleted by one of several requests, and has one row about it in the audit log', async () => {
    const { id } = await addGroup();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => api.client.delete(`/api/groups/${id}`)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404]);
    const log = `/api/audit-log?target=${id}&action=group.deleted`;
    expect((await api.client.get<unknown[]>(log, { expect: 200 })).body.data).toHaveLength(1);
  });

  it('has a name that is unique in the account', async () => {
    const { name } = await addGroup();
    const other = await addGroup();
    const taken = { body: { name: name.toUpperCase() } };
    expect((await api.client.post('/api/groups', taken)).status).toBe(409);
    expect((await api.client.patch(`/api/groups/${other.id}`, taken)).status).toBe(409);
  });

  it('is refused when the account has as many as it may have', async () => {
    const groups = api.store.collection<GroupRecord>(GROUPS);
    const [at, { accountId }] = [new Date().toISOString(), api];
    const many = Array.from({ length: MAX_GROUPS }, () => {
      const _id = newId('grp');
      return { _id, accountId, name: _id, nameKey: _id, members: [], createdAt: at, updatedAt: at };
    });
    await groups.insertMany(many);
    const refused = await api.client.post('/api/groups', { body: { name: uniqueName() }, expect: 409 });
    await groups.deleteMany({ _id: { $in: many.map(({ _id }) => _id) } });
    expect(refused.body.message).toBe(`An account has at most ${MAX_GROUPS} groups`);
  });

  it('is one of as many as the account may have, however many are created at the same time', async () => {
    const own = await openFormsApi();
    const groups = own.store.collection<GroupRecord>(GROUPS);
    const at = new Date().toISOString();
    const { accountId } = own;
    const record = (slot?: string): GroupRecord => {
      const _id = newId('grp');
      const group = { _id, accountId, name: _id, nameKey: _id, members: [], createdAt: at, updatedAt: at };
      return slot === undefined ? group : { ...group, slot };
    };
    // Those of an older version have no slot.
    const free = 3;
    const slotted = Array.from({ length: 100 }, (_, n) => record(`${accountId}|${n}`));
    await groups.insertMany(slotted);
    await groups.insertMany(Array.from({ length: MAX_GROUPS - 100 - free }, () => record()));
    const other = (await own.start()).client(own.key);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? other : own.client).post('/api/groups', { body: { name: uniqueName() } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(free);
    expect(await groups.count({ accountId })).toBe(MAX_GROUPS);
    await own.client.delete(`/api/groups/${slotted[7]?._id}`, { expect: 204 });
    await own.client.post('/api/groups', { body: { name: uniqueName() }, expect: 201 });
  });

  it('has only users of the account, and loses those that are deleted', async () => {
    const ada = await addUser(api, 'reviewer');
    const stranger = await addUser(api, 'reviewer', newId('acc'));
    const { id } = await addGroup({ members: [ada._id] });
    const members = [ada._id, stranger._id];
    for (const refused of [
      await api.client.post('/api/groups', { body: { name: uniqueName(), members }, expect: 422 }),
      await api.client.patch(`/api/groups/${id}`, { body: { members }, expect: 422 }),
    ])
      expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/members/1']);
    await api.client.delete(`/api/users/${ada._id}`, { expect: 204 });
    expect((await api.client.get<GroupOut>(`/api/groups/${id}`)).body.data.members).toEqual([]);
  });
});

describe('a form that was never published', () => {
  it('exists for the reviewers that its draft names, and for no others', async () => {
    const [ada, grace] = [await addUser(api, 'reviewer'), await addUser(api, 'reviewer')];
    const group = await addGroup({ members: [ada._id] });
    const body = { name: uniqueName(), fields: [], settings: { reviewers: { groups: [group.id] } } };
    const { data: form } = (await api.client.post<FormOut>('/api/forms?draft=true', { body, expect: 201 }))
      .body;
    const path = `/api/forms/${form.id}`;
    for (const [user, status] of [
      [ada, 200],
      [grace, 404],
    ] as const) {
      const headers = await cookieOf(api, user);
      for (const what of [path, `${path}?draft=true`, `${path}/export`])
        expect([what, (await api.visitor.get(what, { headers })).status]).toEqual([what, status]);
      const list = await api.visitor.get<FormOut[]>(`/api/forms?q=${encodeURIComponent(body.name)}`, {
        headers,
      });
      expect(list.body.data.map(({ id }) => id)).toEqual(status === 200 ? [form.id] : []);
    }
  });
});

describe('the task settings of a form', () => {
  const FORM = (tasks: object) => ({ name: 'Refund', fields: [], settings: { tasks } });
  const pointersOf = async (tasks: object) =>
    (await api.client.post('/api/forms', { body: FORM(tasks), expect: 422 })).body.errors?.map(
      ({ pointer }) => pointer,
    );

  it('name users and groups of the account', async () => {
    const stranger = await addUser(api, 'reviewer', newId('acc'));
    const unknown = newId('grp');
    expect(
      await pointersOf({
        policy: { approvals: 2, users: [stranger._id], groups: [unknown] },
        escalateAfterSeconds: 60,
        escalateTo: unknown,
      }),
    ).toEqual([
      '/settings/tasks/policy/users/0',
      '/settings/tasks/policy/groups/0',
      '/settings/tasks/escalateTo',
    ]);
    expect(await pointersOf({ policy: { approvals: 0 } })).toEqual(['/settings/tasks/policy/approvals']);
    expect(await pointersOf({ escalateTo: unknown })).toEqual(['/settings/tasks/escalateAfterSeconds']);
  });

  it('escalate only to a group in which somebody may decide tasks of the form', async () => {
    const [ada, boss] = [await addUser(api, 'reviewer'), await addUser(api, 'reviewer')];
    const [finance, managers] = [await addGroup({ members: [ada._id] }), await addGroup()];
    const tasks = { escalateAfterSeconds: 60, escalateTo: managers.id };
    const limited = { ...FORM(tasks), settings: { tasks, reviewers: { groups: [finance.id] } } };
    const create = async (body: object) => (await api.client.post<FormOut>('/api/forms', { body })).body;
    const pointers = ['/settings/tasks/escalateTo'];
    expect((await create(FORM(tasks))).errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    const setMembers = (...members: string[]) =>
      api.client.patch(`/api/groups/${managers.id}`, { body: { members }, expect: 200 });
    await setMembers(boss._id);
    expect((await create(limited)).errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    const { data: open } = await create(FORM(tasks));
    const put = (body: object, expect: number) => api.client.put(`/api/forms/${open.id}`, { body, expect });
    await put(limited, 422);
    await setMembers(boss._id, ada._id);
    await put(limited, 200);
    // It may stay when nobody is left.
    await setMembers();
    await put(limited, 200);
    expect((await api.client.delete(`/api/groups/${managers.id}`)).status).toBe(409);
  });

  it('keep a group from being deleted, may stay when a user is deleted, and stay out of templates', async () => {
    const group = await addGroup();
    const ada = await addUser(api, 'reviewer');
    const tasks = { policy: { users: [ada._id], groups: [group.id] }, emitSubmissionEvents: true };
    const { data: form } = (await api.client.post<FormOut>('/api/forms', { body: FORM(tasks), expect: 201 }))
      .body;
    expect(form.settings.tasks).toEqual(tasks);
    const refused = await api.client.delete(`/api/groups/${group.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await api.client.delete(`/api/users/${ada._id}`, { expect: 204 });
    await api.client.put(`/api/forms/${form.id}`, { body: FORM(tasks), expect: 200 });
    for (const query of ['', '?draft=true']) {
      const copy = await api.client.post<FormOut>(`/api/forms/${form.id}/duplicate${query}`, { expect: 201 });
      await api.client.delete(`/api/forms/${copy.body.data.id}`, { expect: 204 });
    }
    const template = await api.client.get<FormTemplate>(`/api/forms/${form.id}/export`, { expect: 200 });
    expect(template.body.data.settings).toEqual({ tasks: { emitSubmissionEvents: true } });
    await api.client.put(`/api/forms/${form.id}`, { body: FORM({}), expect: 200 });
    await api.client.delete(`/api/groups/${group.id}`, { expect: 204 });
  });

  const SETTINGS: [string, (id: string) => object, string][] = [
    ['the policy', (id) => ({ tasks: { policy: { groups: [id] } } }), '/settings/tasks/policy/groups/0'],
    ['the reviewers', (id) => ({ reviewers: { groups: [id] } }), '/settings/reviewers/groups/0'],
  ];

  it.each(SETTINGS)(
    'keep a group from being deleted that only drafts name in %s',
    async (_, settingsWith) => {
      const group = await addGroup();
      const body = { name: 'Refund', fields: [], settings: settingsWith(group.id) };
      const remove = async () => (await api.client.delete(`/api/groups/${group.id}`)).status;
      const { data: unpublished } = (
        await api.client.post<FormOut>('/api/forms?draft=true', { body, expect: 201 })
      ).body;
      expect(await remove()).toBe(409);
      await api.client.delete(`/api/forms/${unpublished.id}`, { expect: 204 });
      const published = await api.createForm();
      await api.client.put(`/api/forms/${published.id}?draft=true`, { body, expect: 200 });
      expect(await remove()).toBe(409);
      await api.client.delete(`/api/forms/${published.id}/draft`, { expect: 204 });
      expect(await remove()).toBe(204);
    },
  );

  it.each(SETTINGS)('are published without a deleted group in %s', async (_, settingsWith, pointer) => {
    const group = await addGroup();
    const body = { name: 'Refund', fields: [], settings: settingsWith(group.id) };
    const publishing = async (formId: string) => {
      const { status, body: response } = await api.client.post(`/api/forms/${formId}/publish`);
      return [status, response.errors?.map((issue) => issue.pointer)];
    };
    const { data: form } = (await api.client.post<FormOut>('/api/forms', { body, expect: 201 })).body;
    const { data: draft } = (await api.client.post<FormOut>('/api/forms?draft=true', { body, expect: 201 }))
      .body;
    const path = `/api/forms/${form.id}`;
    await api.client.put(path, { body: FORM({}), expect: 200 });
    // The API refuses to delete a group that a draft names; earlier versions deleted it.
    await api.store.collection<GroupRecord>(GROUPS).deleteOne({ _id: group.id });

    await api.client.post(`${path}/versions/1/restore`, { expect: 200 });
    // A restored version has the reviewers of the published form, not its own.
    const isRestored = !pointer.startsWith('/settings/reviewers');
    expect(await publishing(form.id)).toEqual(isRestored ? [422, [pointer]] : [200, undefined]);
    expect(await publishing(draft.id)).toEqual([422, [pointer]]);
    // A draft may keep the group while something else is edited, and PUT publishes.
    const edited = { body: { ...body, name: 'Other' }, expect: 200 };
    await api.client.put(`/api/forms/${draft.id}?draft=true`, edited);
    await api.client.put(path, { body, expect: 422 });
    await api.client.put(`/api/forms/${draft.id}`, { body, expect: 422 });
    expect((await api.client.get<FormOut>(path)).body.data.settings).toEqual(
      expect.not.objectContaining(settingsWith(group.id)),
    );
    await api.client.put(`${path}?draft=true`, { body: FORM({}), expect: 200 });
    expect(await publishing(form.id)).toEqual([200, undefined]);
  });
});

describe('a group that a form names while it is saved', () => {
  const formWith = (groupId: string) => ({
    name: 'Refund',
    fields: [],
    settings: { reviewers: { groups: [groupId] } },
  });

  const SAVES: [string, { method: string; prepare: (groupId: string) => Promise<Save> }][] = [
    [
      'is created',
      { method: 'insertOne', prepare: async (id) => (by) => by.post('/api/forms', { body: formWith(id) }) },
    ],
    [
      'is created as a draft',
      {
        method: 'insertOne',
        prepare: async (id) => (by) => by.post('/api/forms?draft=true', { body: formWith(id) }),
      },
    ],
    [
      'is replaced',
      {
        method: 'findOneAndUpdate',
        prepare: async (id) => {
          const path = `/api/forms/${(await api.createForm()).id}`;
          return (by) => by.put(path, { body: formWith(id) });
        },
      },
    ],
    [
      'gets a draft',
      {
        method: 'findOneAndUpdate',
        prepare: async (id) => {
          const path = `/api/forms/${(await api.createForm()).id}?draft=true`;
          return (by) => by.put(path, { body: formWith(id) });
        },
      },
    ],
  ];

  it.each(SAVES)('stays if it is deleted before the form %s', async (_, { method, prepare }) => {
    const { id } = await addGroup();
    const save = await prepare(id);
    let deletion = 0;
    const store = beforeFirst(api.store, { collection: FORMS.name, method }, async () => {
      deletion = (await api.client.delete(`/api/groups/${id}`)).status;
    });
    const saved = await save((await api.start({ store })).client(api.key));
    expect([deletion, saved.status]).toEqual([409, method === 'insertOne' ? 201 : 200]);
    await api.client.get(`/api/groups/${id}`, { expect: 200 });
    await api.client.delete(`/api/forms/${saved.body.data.id}`, { expect: 204 });
    await api.client.delete(`/api/groups/${id}`, { expect: 204 });
  });

  it.each(SAVES)('stays if the form %s before it is deleted', async (_, { prepare }) => {
    const { id } = await addGroup();
    const save = await prepare(id);
    const store = beforeFirst(api.store, { collection: GROUPS.name, method: 'deleteOne' }, () =>
      save(api.client),
    );
    const refused = await (await api.start({ store })).client(api.key).delete(`/api/groups/${id}`);
    expect(refused.body.message).toContain('uses the group');
    await api.client.get(`/api/groups/${id}`, { expect: 200 });
  });

  it('can be deleted half a minute after a process died that was saving a form', async () => {
    const { id } = await addGroup();
    const store = interceptCalls(api.store, (call, { collection, method }) =>
      collection === FORMS.name && method === 'insertOne'
        ? () => Promise.reject(new Error('the process died'))
        : collection === GROUPS.name && method === 'updateMany'
          ? (...args) => ('$set' in (args[1] as object) ? call(...args) : Promise.resolve(0))
          : call,
    );
    const dying = (await api.start({ store })).client(api.key);
    await dying.post('/api/forms', { body: formWith(id), expect: 500 });
    await api.client.delete(`/api/groups/${id}`, { expect: 409 });
    api.clock.now += 30_000;
    await api.client.delete(`/api/groups/${id}`, { expect: 204 });
  });
});

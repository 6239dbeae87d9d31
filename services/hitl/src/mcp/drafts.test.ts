import { newId, type Scope } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';
import { callTool, listTools } from '../../test/mcp-calls.ts';

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

const FIELDS = [
  {
    name: 'plan',
    type: 'radio',
    label: 'Plan',
    options: [{ value: 'solo' }, { value: 'team', label: 'Team' }],
  },
  {
    name: 'seats',
    type: 'number',
    required: true,
    step: 2,
    showIf: { all: [{ field: 'plan', op: 'eq', value: 'team' }] },
  },
];

async function agentWith(scopes: Scope[], account = fixture.accountId) {
  const { key, keyId } = await fixture.keyWith(scopes, account);
  return {
    keyId,
    call: (name: string, args: object) => callTool(fixture.host.url, key, name, args),
    names: async () => (await listTools(fixture.host.url, key)).map(({ name }) => name),
  };
}

const DRAFT_TOOLS = [
  'list_drafts',
  'get_draft',
  'preview_draft',
  'get_form_format',
  'create_draft',
  'update_draft',
];

it.each<[Scope[], string[]]>([
  [['forms:draft'], DRAFT_TOOLS],
  [['forms:write'], DRAFT_TOOLS],
  [['forms:read'], ['list_forms', 'get_form_schema']],
])('a key with %j has the tools %j', async (scopes, names) => {
  const agent = await agentWith(scopes);
  expect(await agent.names()).toEqual(names);
});

it('creates a form that only a person can publish, and changes it', async () => {
  const agent = await agentWith(['forms:draft']);
  const created = await agent.call('create_draft', { name: 'Order', title: 'Order now', fields: FIELDS });
  expect(created.structuredContent).toEqual({
    formId: expect.stringMatching(/^frm_/),
    name: 'Order',
    version: 0,
    etag: '"0.1"',
    previewUrl: expect.stringMatching(/^https:\/\/forms\.example\/forms\/frm_\w+\/build$/),
    next: expect.stringContaining('preview_draft'),
  });
  const formId = String(created.structuredContent?.['formId']);

  const changed = await agent.call('update_draft', { formId, etag: '"0.1"', title: 'Order today' });
  expect(changed.structuredContent).toMatchObject({ formId, version: 0, etag: '"0.2"' });
  const { structuredContent: read } = await agent.call('get_draft', { formId });
  expect(read).toMatchObject({
    hasDraft: true,
    form: { name: 'Order', title: 'Order today', fields: FIELDS, settings: {} },
  });
  expect((await agent.call('list_drafts', {})).structuredContent).toMatchObject({
    forms: [{ formId, name: 'Order', version: 0, etag: '"0.2"', hasDraft: true }, { hasDraft: false }],
  });
  expect(await fixture.forms.findOne({ _id: formId })).toMatchObject({
    version: 0,
    fields: [],
    draft: { revision: 2, updatedBy: agent.keyId },
  });
  for (const name of ['publish_form', 'publish_draft', 'publish'])
    expect(JSON.stringify(await agent.call(name, { formId }))).toMatch(/not found|error/i);
});

it('leaves the published form as it is', async () => {
  const agent = await agentWith(['forms:draft']);
  const form = await fixture.addForm();
  const saved = await agent.call('update_draft', { formId: form._id, etag: '"1"', name: 'New name' });
  expect(saved.structuredContent).toMatchObject({ name: 'New name', version: 1, etag: '"1.1"' });
  expect(await fixture.forms.findOne({ _id: form._id })).toMatchObject({
    name: form.name,
    version: 1,
    draft: { basedOn: 1, definition: { name: 'New name', fields: form.fields } },
  });
});

it('takes an etag without its quotes', async () => {
  const agent = await agentWith(['forms:draft']);
  const { _id: formId } = await fixture.addForm();
  const save = async (etag: string) =>
    (await agent.call('update_draft', { formId, etag, name: 'New name' })).structuredContent;
  expect(await save('1')).toMatchObject({ etag: '"1.1"' });
  expect(await save('1.1')).toMatchObject({ etag: '"1.2"' });
});

it('refuses to overwrite what somebody else saved', async () => {
  const agent = await agentWith(['forms:draft']);
  const { _id: formId } = await fixture.addForm();
  await agent.call('update_draft', { formId, etag: '"1"', name: 'First' });
  const { isError, problem } = await agent.call('update_draft', { formId, etag: '"1"', name: 'Second' });
  expect([isError, problem]).toEqual([
    true,
    expect.objectContaining({ code: 'CONFLICT', next: expect.stringContaining('get_draft') }),
  ]);
});

it.each([
  [
    'an unknown property of a field',
    { fields: [{ name: 'a', type: 'text', lable: 'A' }] },
    '/fields/0/lable',
  ],
  ['a field of an unknown type', { fields: [{ name: 'a', type: 'slider' }] }, '/fields/0/type'],
  [
    'a condition on a later field',
    {
      fields: [
        { name: 'a', type: 'text', showIf: { all: [{ field: 'b', op: 'answered' }] } },
        { name: 'b', type: 'text' },
      ],
    },
    '/fields/0/showIf/all/0/field',
  ],
  ['colors without contrast', { theme: { text: '#777777', background: '#888888' } }, '/settings/theme/text'],
  [
    'a policy with an unknown user',
    { tasks: { policy: { users: [newId('usr')] } } },
    '/settings/tasks/policy/users/0',
  ],
])('rejects %s with a pointer', async (_, { fields = [], ...settings }: Record<string, unknown>, pointer) => {
  const agent = await agentWith(['forms:draft']);
  const form = await fixture.addForm();
  const before = await fixture.forms.count({});
  for (const [name, target] of [
    ['create_draft', { name: 'x' }],
    ['update_draft', { formId: form._id, etag: '"1"' }],
  ] as const) {
    const { isError, problem } = await agent.call(name, { ...target, fields, settings });
    expect([name, isError, problem.code]).toEqual([name, true, 'VALIDATION_FAILED']);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
  }
  expect(await fixture.forms.count({})).toBe(before);
  expect((await fixture.forms.findOne({ _id: form._id }))?.draft).toBeUndefined();
});

it('previews a draft as text and lists its problems', async () => {
  const agent = await agentWith(['forms:draft']);
  const created = await agent.call('create_draft', {
    name: 'Order',
    title: 'Order now',
    fields: FIELDS,
    settings: {
      jumps: [{ from: 1, to: 'end', when: { all: [{ field: 'plan', op: 'eq', value: 'solo' }] } }],
    },
  });
  const formId = String(created.structuredContent?.['formId']);
  const { structuredContent: shown } = await agent.call('preview_draft', { formId });
  expect(shown).toMatchObject({ formId, previewUrl: expect.any(String), problems: [] });
  expect(String(shown?.['preview']).split('\n')).toEqual([
    '# Order now',
    '(inline)',
    '',
    '## Step 1',
    '- Plan [radio plan: solo | Team]',
    '→ end if plan eq "solo"',
    '',
    '## Step 2',
    '- seats * [number seats] — only if plan eq "team"',
    '',
    '[Submit]',
    'After submission: the default text',
  ]);

  // Forms of older versions may have problems that a save would report now.
  const old = await fixture.addForm([{ name: 'a', type: 'text' }], {
    theme: { accent: '#eeeeee', background: '#ffffff' },
    jumps: [{ from: 1, to: 7 }],
  });
  const { structuredContent: preview } = await agent.call('preview_draft', { formId: old._id });
  const pointers = ((preview?.['problems'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);
  expect(pointers).toEqual(expect.arrayContaining(['/settings/theme/accent', '/settings/jumps/0/to']));
});

it('returns the format of every part of a form', async () => {
  const agent = await agentWith(['forms:draft']);
  const { structuredContent: fields } = await agent.call('get_form_format', { part: 'fields' });
  expect(fields).toMatchObject({ schema: { properties: { ratingStyle: { type: 'string' } } } });
  const { problem } = await agent.call('get_form_format', { part: 'nonsense' });
  expect(problem.errors?.[0]?.pointer).toBe('/part');
  for (const part of ['popup', 'theme', 'translations', 'tasks', 'closing', 'endings']) {
    const { structuredContent } = await agent.call('get_form_format', { part });
    expect(structuredContent).toMatchObject({ part, schema: expect.any(Object) });
    expect(JSON.stringify(structuredContent)).not.toContain('$ref');
  }
});

it.each(['*', '"1", "1.1"', 'draft-1', ''])('refuses %j as the etag of a draft', async (etag) => {
  const agent = await agentWith(['forms:draft']);
  const { problem } = await agent.call('update_draft', { formId: fixture.form._id, etag, name: 'Mine' });
  expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/etag' }] });
});

it('finds no form of another account', async () => {
  const other = await agentWith(['forms:draft'], newId('acc'));
  const formId = fixture.form._id;
  for (const [name, args] of [
    ['get_draft', { formId }],
    ['preview_draft', { formId }],
    ['update_draft', { formId, etag: '"1"', name: 'Mine' }],
  ] as const)
    expect((await other.call(name, args)).problem).toMatchObject({
      code: 'NOT_FOUND',
      next: expect.stringContaining('list_drafts'),
    });
  expect((await other.call('list_drafts', {})).structuredContent).toEqual({ forms: [], nextCursor: null });
});

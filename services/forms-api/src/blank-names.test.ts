import { newId, type FormOut, type FormTemplate } from '@svcforms/contracts';
import { FORMS, type FormRecord } from '@svcforms/records';
import { FORM, openFormsApi } from '../test/fixture.ts';
import { addUser, PASSWORD } from '../test/users.ts';

/** A space, a tab, a no-break space and the wide space of Japanese keyboards. */
const SPACES = ' \t\u00a0\u3000';
/**
 * A zero-width space, a word joiner, a right-to-left mark, a soft hyphen, and fillers of Hangul and
 * braille.
 */
const INVISIBLE = '\u200b\u2060\u200f\u00ad\u3164\u2800';
const MESSAGE = 'must have a visible character';

let api: Awaited<ReturnType<typeof openFormsApi>>;
let form: FormOut;
beforeAll(async () => {
  api = await openFormsApi();
  form = await api.createForm();
});

const CALLS = { POST: 'post', PUT: 'put', PATCH: 'patch' } as const;
const USER = { email: 'ada@example.com', role: 'reviewer', password: PASSWORD };

it.each([
  ['POST /api/forms', { ...FORM, name: SPACES }, '/name'],
  ['POST /api/forms', { ...FORM, name: INVISIBLE }, '/name'],
  ['POST /api/forms', { ...FORM, name: `${SPACES}${INVISIBLE}` }, '/name'],
  ['POST /api/forms', { ...FORM, title: SPACES }, '/title'],
  ['PUT /api/forms/{formId}', { ...FORM, name: SPACES }, '/name'],
  ['POST /api/forms/import', { template: 1, name: SPACES }, '/name'],
  ['POST /api/forms/import', { template: 1, name: 'A', title: INVISIBLE }, '/title'],
  ['POST /api/forms/{formId}/duplicate', { name: SPACES }, '/name'],
  ['POST /api/forms/{formId}/inbound/endpoints', { name: SPACES }, '/name'],
  ['POST /api/users', { ...USER, name: SPACES }, '/name'],
  ['PATCH /api/users/{userId}', { name: INVISIBLE }, '/name'],
  ['POST /api/keys', { name: SPACES, scopes: ['forms:read'] }, '/name'],
  ['POST /api/groups', { name: INVISIBLE }, '/name'],
])('%s refuses a name without visible characters: %j', async (route, body, pointer) => {
  const { _id: userId } = await addUser(api, 'reviewer');
  const [method, path] = route.split(' ') as ['POST' | 'PUT' | 'PATCH', string];
  const response = await api.client[CALLS[method]](
    path.replace('{formId}', form.id).replace('{userId}', userId),
    { body, expect: 422 },
  );
  expect(response.body.errors).toEqual([{ pointer, message: MESSAGE }]);
});

it.each([' Contact ', '👩\u200d💻', 'می\u200cخواهم', '\u200f.'])('keeps %j as it is', async (name) => {
  expect((await api.createForm({ name })).name).toBe(name);
});

it('returns, exports and copies a form whose name was stored when it was accepted', async () => {
  const forms = api.store.collection<FormRecord>(FORMS);
  const record = (await forms.findOne({ _id: form.id })) as FormRecord;
  const old = { ...record, _id: newId('frm'), name: SPACES };
  await forms.insertOne(old);
  const path = `/api/forms/${old._id}`;
  expect((await api.client.get<FormOut>(path, { expect: 200 })).body.data.name).toBe(SPACES);
  const exported = await api.client.get<FormTemplate>(`${path}/export`, { expect: 200 });
  expect(exported.body.data.name).toBe(SPACES);
  await api.client.post(`${path}/duplicate`, { body: {}, expect: 201 });
});

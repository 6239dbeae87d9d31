import { newId, type FormOut, type FormTemplate } from '@svcforms/contracts';
import { FORMS, type FormRecord } from '@svcforms/records';
import { FORM, openFormsApi } from '../test/fixture.ts';
import { addUser, PASSWORD } from '../test/users.ts';

/** A space, a tab, a no-break space and the wide space of Japanese keyboards. */
const BLANK = ' \t\u00a0\u3000';
const MESSAGE = 'must have a character other than white space';

let api: Awaited<ReturnType<typeof openFormsApi>>;
let form: FormOut;
beforeAll(async () => {
  api = await openFormsApi();
  form = await api.createForm();
});

const CALLS = { POST: 'post', PUT: 'put', PATCH: 'patch' } as const;
const USER = { email: 'ada@example.com', role: 'reviewer', password: PASSWORD };

it.each([
  ['POST /api/forms', { ...FORM, name: BLANK }, '/name'],
  ['POST /api/forms', { ...FORM, title: BLANK }, '/title'],
  ['PUT /api/forms/{formId}', { ...FORM, name: BLANK }, '/name'],
  ['POST /api/forms/import', { template: 1, name: BLANK }, '/name'],
  ['POST /api/forms/import', { template: 1, name: 'A', title: BLANK }, '/title'],
  ['POST /api/forms/{formId}/duplicate', { name: BLANK }, '/name'],
  ['POST /api/forms/{formId}/inbound/endpoints', { name: BLANK }, '/name'],
  ['POST /api/users', { ...USER, name: BLANK }, '/name'],
  ['PATCH /api/users/{userId}', { name: BLANK }, '/name'],
  ['POST /api/keys', { name: BLANK, scopes: ['forms:read'] }, '/name'],
])('%s refuses a name of only white space: %j', async (route, body, pointer) => {
  const { _id: userId } = await addUser(api, 'reviewer');
  const [method, path] = route.split(' ') as ['POST' | 'PUT' | 'PATCH', string];
  const response = await api.client[CALLS[method]](
    path.replace('{formId}', form.id).replace('{userId}', userId),
    { body, expect: 422 },
  );
  expect(response.body.errors).toEqual([{ pointer, message: MESSAGE }]);
});

it('keeps the spaces around a name', async () => {
  expect((await api.createForm({ name: ' Contact ' })).name).toBe(' Contact ');
});

it('returns, exports and copies a form whose name was stored when it was accepted', async () => {
  const forms = api.store.collection<FormRecord>(FORMS);
  const record = (await forms.findOne({ _id: form.id })) as FormRecord;
  const old = { ...record, _id: newId('frm'), name: BLANK };
  await forms.insertOne(old);
  const path = `/api/forms/${old._id}`;
  expect((await api.client.get<FormOut>(path, { expect: 200 })).body.data.name).toBe(BLANK);
  const exported = await api.client.get<FormTemplate>(`${path}/export`, { expect: 200 });
  expect(exported.body.data.name).toBe(BLANK);
  await api.client.post(`${path}/duplicate`, { body: {}, expect: 201 });
});

import type { FormOut, FormSettings, FormTemplate, SubmissionOut, TaskOut } from '@svcforms/contracts';
import { createForm, createFormWithWebhook, sendInbound } from '@svcforms/test-kit';
import type { Product } from '../stack.ts';

const FIELDS = [
  { name: 'plan', type: 'radio', options: [{ value: 'free' }, { value: 'team' }] },
  {
    name: 'seats',
    type: 'number',
    required: true,
    step: 2,
    showIf: { any: [{ field: 'plan', op: 'eq', value: 'team' }] },
  },
  { name: 'why', type: 'text', label: 'Why {{seats}}?', required: true, step: 3 },
  { name: 'old', type: 'text', required: true, step: 4, showIf: { field: 'plan', equals: 'team' } },
];
const SETTINGS: FormSettings = {
  jumps: [{ from: 2, to: 4, when: { all: [{ field: 'seats', op: 'gt', value: 100 }] } }],
  endings: [{ name: 'big', when: { all: [{ field: 'seats', op: 'gt', value: 100 }] }, title: 'Hi' }],
};

/** docs/reference/forms.md#conditional-fields */
export function logicScenarios(product: () => Product): void {
  describe('logic of a form', () => {
    it('is returned, exported and imported as it was saved, and is public', async () => {
      const { client, visitor } = product();
      const created = await createForm(client, { fields: FIELDS, settings: SETTINGS });
      expect(created).toMatchObject({ fields: FIELDS, settings: SETTINGS });
      const put = await client.put<FormOut>(`/api/forms/${created.id}`, { body: created, expect: 200 });
      expect(put.body.data.fields).toEqual(FIELDS);
      const exported = await client.get<FormTemplate>(`/api/forms/${created.id}/export`, { expect: 200 });
      const imported = await client.post<FormOut>('/api/forms/import', {
        body: exported.body.data,
        expect: 201,
      });
      expect(imported.body.data).toMatchObject({ fields: FIELDS, settings: SETTINGS });
      const response = await visitor.get<unknown>(`/embed/forms/${created.id}.json`);
      expect(response.body).toMatchObject({ hasLogic: true, ...SETTINGS });
    });

    it.each<[object, string[], Record<string, unknown>]>([
      [{}, ['/data/why'], {}],
      [{ plan: 'free', seats: 7, why: 'x', old: 'y' }, [], { plan: 'free', why: 'x' }],
      [{ plan: 'team' }, ['/data/seats', '/data/why', '/data/old'], {}],
      [{ plan: 'team', seats: '500', why: 'dropped', old: 'y' }, [], { plan: 'team', seats: 500, old: 'y' }],
    ])('asks only for what is shown and drops the rest: %j', async (data, pointers, stored) => {
      const { client, visitor } = product();
      const form = await createForm(client, { fields: FIELDS, settings: SETTINGS });
      const response = await visitor.post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
        body: { data },
        expect: pointers.length > 0 ? 422 : 201,
      });
      expect((response.body.errors ?? []).map(({ pointer }) => pointer)).toEqual(pointers);
      if (pointers.length > 0) return;
      const { submissionId } = response.body.data;
      const { body } = await client.get<SubmissionOut>(`/api/submissions/${submissionId}`, { expect: 200 });
      expect(body.data.data).toEqual(stored);
    });

    it('keeps what other systems send, and asks them and reviewers only for what is shown', async () => {
      const { client, visitor, startEndpoint } = product();
      const { url } = await startEndpoint();
      const { form, inbound } = await createFormWithWebhook(client, url, {
        form: { fields: FIELDS, settings: SETTINGS },
      });
      const facts = { plan: 'team', seats: 500, why: 'a fact', old: 'y' };
      const { body } = await sendInbound(visitor, inbound, facts);
      const read = await client.get<SubmissionOut>(`/api/submissions/${body.data.submissionId}`);
      expect(read.body.data.data).toEqual(facts);
      await sendInbound(visitor, inbound, { plan: 'team', seats: 500, old: 'y' });
      await sendInbound(visitor, inbound, { plan: 'team', seats: 5, old: 'y' }, { expect: 422 });

      const task = await client.post<TaskOut>('/api/mcp/tasks', {
        body: { templateId: form.id, decisionMode: 'form', prefill: { plan: 'team' } },
        expect: 201,
      });
      const decide = (fields: object, expect: number) =>
        client.post<TaskOut>(`/api/mcp/tasks/${task.body.data.id}/decision`, {
          body: { outcome: 'submitted', fields },
          expect,
        });
      await decide({ seats: 5, old: 'y' }, 422);
      await decide({ seats: 500, old: 'y' }, 200);
      await client.post('/api/mcp/tasks', {
        body: { templateId: form.id, prefill: { plan: 'team', seats: 5 } },
        expect: 422,
      });
      await client.post('/api/mcp/tasks', {
        body: { templateId: form.id, prefill: { plan: 'team', seats: 500, old: 'y' } },
        expect: 201,
      });
    });

    it.each<[string, object, string]>([
      [
        'an unknown field',
        { showIf: { all: [{ field: 'x', op: 'answered' }] } },
        '/fields/1/showIf/all/0/field',
      ],
      [
        'a later field',
        { showIf: { any: [{ field: 'last', op: 'answered' }] } },
        '/fields/1/showIf/any/0/field',
      ],
      [
        'a wrong operator',
        { showIf: { all: [{ field: 'plan', op: 'gt', value: 1 }] } },
        '/fields/1/showIf/all/0/op',
      ],
      ['an unknown placeholder', { label: '{{x}}' }, '/fields/1/label'],
    ])('is refused with %s', async (_, flaw, pointer) => {
      const fields = [FIELDS[0], { name: 'a', type: 'text', ...flaw }, { name: 'last', type: 'text' }];
      const response = await product().client.post('/api/forms', {
        body: { name: 'Form', fields },
        expect: 422,
      });
      expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
    });

    it('is refused with jumps backwards and to unknown steps', async () => {
      const jumps = [
        { from: 3, to: 1 },
        { from: 1, to: 9 },
      ];
      const response = await product().client.post('/api/forms', {
        body: { name: 'Form', fields: FIELDS, settings: { jumps } },
        expect: 422,
      });
      expect(response.body.errors).toEqual([
        { pointer: '/settings/jumps/0/to', message: expect.stringContaining('backwards') as string },
        { pointer: '/settings/jumps/1/to', message: expect.stringContaining('1, 2, 3, 4') as string },
      ]);
    });
  });
}

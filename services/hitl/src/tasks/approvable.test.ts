import type { FormField, TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

const reason = (more: Partial<FormField> = {}): FormField => ({
  name: 'reason',
  type: 'text',
  required: true,
  ...more,
});
const when = (field: string, equals: string | number | boolean) => ({ showIf: { field, equals } });
/** A condition other than one equality. */
const contains = (field: string, value: string): Partial<FormField> => ({
  showIf: { all: [{ field, op: 'contains', value }] },
});
const options = (...values: string[]) => values.map((value) => ({ value }));

async function create(fields: FormField[], input: object) {
  const { _id: templateId } = await fixture.addForm(fields);
  return fixture.client.post<TaskOut>('/api/mcp/tasks', { body: { templateId, ...input } });
}

describe('a task that nobody can approve or submit', () => {
  it.each<[string, FormField[], object, string[]]>([
    ['a required field without a value', [reason()], {}, ['reason']],
    ['an empty required value', [reason()], { prefill: { reason: '' } }, ['reason']],
    ['a null required value', [reason()], { prefill: { reason: null } }, ['reason']],
    ['a default value, which only the embed fills in', [reason({ defaultValue: 'x' })], {}, ['reason']],
    [
      'a required checkbox unticked',
      [reason({ type: 'checkbox' })],
      { prefill: { reason: false } },
      ['reason'],
    ],
    [
      'another field editable',
      [reason(), { name: 'a', type: 'text' }],
      { editableFields: ['a'] },
      ['reason'],
    ],
    ['form mode and nothing editable', [reason()], { decisionMode: 'form', editableFields: [] }, ['reason']],
    [
      'form mode and another field editable',
      [reason(), { name: 'a', type: 'text' }],
      { decisionMode: 'form', editableFields: ['a'] },
      ['reason'],
    ],
    ['several of them', [reason(), reason({ name: 'a' })], {}, ['reason', 'a']],
    [
      'a field that the prefill shows',
      [{ name: 'kind', type: 'text' }, reason(when('kind', 'x'))],
      { prefill: { kind: 'x' } },
      ['reason'],
    ],
    [
      'a field that is shown as long as nothing is chosen',
      [{ name: 'kind', type: 'text' }, reason(when('kind', ''))],
      {},
      ['reason'],
    ],
    [
      'a field that a part of the prefill shows',
      [{ name: 'kind', type: 'text' }, reason(contains('kind', 'x'))],
      { prefill: { kind: 'axb' } },
      ['reason'],
    ],
    [
      'a field that a box shows which has to be ticked',
      [{ name: 'agreed', type: 'checkbox', required: true }, reason(when('agreed', true))],
      { editableFields: ['agreed'] },
      ['reason'],
    ],
    [
      'a field that the only choice shows',
      [{ name: 'kind', type: 'select', required: true, options: options('x') }, reason(when('kind', 'x'))],
      { editableFields: ['kind'] },
      ['reason'],
    ],
    [
      'a field for each choice',
      [
        { name: 'kind', type: 'select', required: true, options: options('x', 'y') },
        reason(when('kind', 'x')),
        reason({ name: 'other', ...when('kind', 'y') }),
      ],
      { editableFields: ['kind'], prefill: { kind: 'y' } },
      ['other'],
    ],
    [
      'a field that no choice hides, among others that each choice decides about',
      [
        reason(),
        ...Array.from({ length: 100 }, (_, n): FormField[] => [
          { name: `s${n}`, type: 'text' },
          reason({ name: `r${n}`, ...when(`s${n}`, 'yes') }),
          reason({ name: `c${n}`, ...when('c', `o${n}`) }),
        ]).flat(),
        {
          name: 'c',
          type: 'select',
          required: true,
          options: options(...Array.from({ length: 100 }, (_, n) => `o${n}`)),
        },
      ],
      {
        editableFields: ['c', ...Array.from({ length: 100 }, (_, n) => `s${n}`)],
        prefill: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`s${n}`, 'yes'])),
      },
      ['reason', ...Array.from({ length: 100 }, (_, n) => `r${n}`)],
    ],
    [
      'a value that does not fit, where the only choice shows it',
      [
        { name: 'kind', type: 'select', required: true, options: options('x') },
        { name: 'terms', type: 'checkbox', required: true, ...when('kind', 'x') },
      ],
      { editableFields: ['kind'], prefill: { terms: false } },
      ['terms'],
    ],
  ])('is rejected: %s', async (_, fields, input, names) => {
    const { status, body } = await create(fields, input);
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(names.map((name) => `/prefill/${name}`));
    expect(body.errors?.[0]?.message).toContain('editableFields');
  });
});

describe('a task that somebody can approve or submit', () => {
  it.each<[string, FormField[], object, object]>([
    ['the value is there', [reason()], { prefill: { reason: 'x' } }, {}],
    ['the field is editable', [reason()], { editableFields: ['reason'] }, { reason: 'x' }],
    ['form mode', [reason()], { decisionMode: 'form' }, { reason: 'x' }],
    ['a number that is 0', [reason({ type: 'number' })], { prefill: { reason: 0 } }, {}],
    [
      'the field is hidden by the prefill',
      [{ name: 'kind', type: 'text' }, reason(when('kind', 'x'))],
      { prefill: { kind: 'y' } },
      {},
    ],
    [
      'the reviewer can hide the field',
      [{ name: 'kind', type: 'text' }, reason(when('kind', 'x'))],
      { prefill: { kind: 'x' }, editableFields: ['kind'] },
      { kind: 'z' },
    ],
    [
      'the reviewer can untick what shows it',
      [{ name: 'agreed', type: 'checkbox' }, reason(when('agreed', true))],
      { prefill: { agreed: true }, editableFields: ['agreed'] },
      { agreed: false },
    ],
    [
      'the reviewer can choose something else',
      [
        { name: 'kind', type: 'radio', required: true, options: options('x', 'y') },
        reason(when('kind', 'x')),
      ],
      { editableFields: ['kind'] },
      { kind: 'y' },
    ],
    [
      'the reviewer can leave a list without what shows it',
      [
        { name: 'kinds', type: 'checkboxes', required: true, options: options('x', 'y') },
        reason(when('kinds', 'x')),
      ],
      { editableFields: ['kinds'], prefill: { kinds: ['x', 'y'] } },
      { kinds: ['y'] },
    ],
    [
      'the reviewer can hide it over two fields',
      [{ name: 'a', type: 'text' }, { name: 'b', type: 'text', ...when('a', '1') }, reason(when('b', '2'))],
      { editableFields: ['a'], prefill: { a: '1', b: '2' } },
      { a: '' },
    ],
    [
      'one of many combinations of choices hides it, beside values that do not matter',
      [
        { name: 'a', type: 'radio', required: true, options: options('x', 'y', 'z') },
        { name: 'b', type: 'radio', required: true, options: options('x', 'y') },
        { name: 'kind', type: 'text' },
        { name: 'other', type: 'text' },
        reason({ name: 'ra', ...when('a', 'x') }),
        reason({ name: 'rb', ...when('a', 'z') }),
        reason({ name: 'rc', ...when('b', 'x') }),
        { name: 'fa', type: 'text', ...when('a', 'y') },
        { name: 'fb', type: 'text', ...when('b', 'y') },
        reason({ name: 'rd', ...when('fa', '1') }),
        reason({ name: 're', ...when('fb', '1') }),
        reason(when('kind', 'x')),
      ],
      {
        editableFields: ['a', 'b', 'kind'],
        prefill: { a: 'x', b: 'x', kind: 'x', other: 'x', fa: '2', fb: '2' },
      },
      { a: 'y', b: 'y', kind: '' },
    ],
    [
      'no part of the prefill shows the field',
      [{ name: 'kind', type: 'text' }, reason(contains('kind', 'x'))],
      { prefill: { kind: 'ab' } },
      {},
    ],
    [
      'the reviewer can hide what a part of a text shows',
      [{ name: 'kind', type: 'text' }, reason(contains('kind', 'x'))],
      { editableFields: ['kind'], prefill: { kind: 'axb' } },
      { kind: 'ab' },
    ],
    ['a form without fields', [], {}, {}],
  ])('is created: %s', async (_, fields, input, edits) => {
    const { status, body } = await create(fields, input);
    expect(status).toBe(201);
    const outcome = body.data.decisionMode === 'form' ? 'submitted' : 'approved';
    const decided = await fixture.decide(body.data, outcome, fixture.client, { fields: edits });
    expect([decided.status, decided.body.data.status]).toEqual([200, outcome]);
  });

  it('is checked quickly, however its fields depend on each other', async () => {
    const fields: FormField[] = Array.from({ length: 30 }, (_, n) => ({
      name: `f${n}`,
      type: 'text',
      ...(n > 0 ? when(`f${n - 1}`, 'x') : {}),
    }));
    const { status } = await create([...fields, reason(when('f29', 'x'))], {
      editableFields: fields.map(({ name }) => name),
    });
    expect(status).toBe(201);
  }, 20_000);

  it('is checked quickly, however many fields each combination has', async () => {
    const choices: FormField[] = Array.from({ length: 10 }, (_, n) => ({
      name: `c${n}`,
      type: 'radio',
      required: true,
      options: options('x', 'y'),
    }));
    const reasons = Array.from({ length: 5_000 }, (_, n) =>
      reason({ name: `r${n}`, ...when(`c${n % 10}`, n % 20 < 10 ? 'x' : 'y') }),
    );
    const { status } = await create([...choices, ...reasons], {
      editableFields: choices.map(({ name }) => name),
    });
    expect(status).toBe(201);
  });
});

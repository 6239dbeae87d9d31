import type { FormField, WebhookFilter } from '@svcforms/contracts';
import { draftOf, filterOf, newCondition, newGroup, readDraft } from './filter-draft.ts';
import { eventPaths, fieldPaths } from './filter-paths.ts';
import { filterWords } from './filter-words.ts';

const NESTED: WebhookFilter = {
  all: [
    { path: '/data/plan', op: 'in', value: ['team', 'business'] },
    { path: '/data/seats', op: 'gte', value: 50 },
    {
      any: [
        { path: '/data/terms/accepted', op: 'eq', value: true },
        { path: '/data/email', op: 'exists', value: false },
        { all: [{ path: '/metadata/page', op: 'ne', value: null }] },
      ],
    },
  ],
};

describe('the draft of a filter', () => {
  it('shows a saved filter with inputs, and reads it back as it was', () => {
    const draft = draftOf(NESTED);
    expect(draft.mode).toBe('inputs');
    expect(readDraft(draft)).toEqual({ filter: NESTED });
  });

  it.each<[string, WebhookFilter]>([
    ['a list of mixed types', { all: [{ path: '/data/a', op: 'in', value: ['5', 5] }] }],
    ['an empty text', { any: [{ path: '/data/a', op: 'eq', value: '' }] }],
    ['text of spaces', { any: [{ path: '/data/a', op: 'eq', value: ' ' }] }],
  ])('shows %s as JSON, which reads back as it was', (_, filter) => {
    const draft = draftOf(filter);
    expect(draft.mode).toBe('json');
    expect(readDraft(draft)).toEqual({ filter });
  });

  it('has a fault at each input that is incomplete', () => {
    const group = newGroup([
      newCondition('/data/email'),
      { ...newCondition('/data/seats', 'number'), op: 'gt', text: 'many' },
      newGroup([{ ...newCondition('email'), op: 'in' }], 'any'),
    ]);
    const reading = readDraft({ mode: 'inputs', group });
    expect('faults' in reading && [...reading.faults.keys()]).toEqual([
      'all/0/value',
      'all/1/value',
      'all/2/any/0/path',
      'all/2/any/0/value',
    ]);
  });

  it('has a fault if the JSON is broken', () => {
    const reading = readDraft({ mode: 'json', text: '{"all": [' });
    expect('faults' in reading && [...reading.faults.keys()]).toEqual(['']);
  });

  it('gives numbers and truth values their types', () => {
    const group = newGroup([
      { ...newCondition('/data/a', 'number'), text: '-1.50' },
      { ...newCondition('/data/a', 'boolean'), text: 'false' },
      { ...newCondition('/data/a', 'number'), op: 'in', texts: ['1', '2'] },
    ]);
    expect(filterOf(group)).toEqual({
      all: [
        { path: '/data/a', op: 'eq', value: -1.5 },
        { path: '/data/a', op: 'eq', value: false },
        { path: '/data/a', op: 'in', value: [1, 2] },
      ],
    });
  });
});

describe('the paths of an editor', () => {
  const FIELDS: FormField[] = [
    { name: 'intro', type: 'heading', label: 'Hello' },
    { name: 'email', type: 'email', label: 'Email' },
    { name: 'seats', type: 'number' },
    { name: 'day', type: 'date' },
    { name: 'plan', type: 'select', options: [{ value: 'team', label: 'Team' }, { value: 'solo' }] },
    { name: 'terms', type: 'consent', label: 'I accept the terms.' },
  ];

  it('are the fields with values, by label and type', () => {
    const text = { kind: 'text', ops: ['eq', 'ne', 'in', 'contains', 'exists', 'missing'] };
    const second = { fields: [{ name: 'email', type: 'text', label: 'Mail' } as const] };
    expect(fieldPaths([{ fields: FIELDS }, second])).toEqual([
      { path: '/data/email', label: 'Email', ...text },
      {
        path: '/data/seats',
        label: 'seats',
        kind: 'number',
        ops: expect.arrayContaining(['gt']) as string[],
      },
      {
        path: '/data/day',
        label: 'day',
        kind: 'text',
        input: 'date',
        ops: expect.arrayContaining(['lte']) as string[],
      },
      {
        path: '/data/plan',
        label: 'plan',
        ...text,
        options: [
          { value: 'team', label: 'Team' },
          { value: 'solo', label: 'solo' },
        ],
      },
      {
        path: '/data/terms/accepted',
        label: 'terms (accepted)',
        kind: 'boolean',
        ops: ['eq', 'ne', 'exists', 'missing'],
      },
    ]);
  });

  it('are those that the events have', () => {
    const pathsOf = (...types: Parameters<typeof eventPaths>[0]) => eventPaths(types).map(({ path }) => path);
    expect(pathsOf('decision.approved')).toEqual([
      '/eventType',
      '/data/decision/outcome',
      '/data/formId',
      '/timestamp',
    ]);
    expect(pathsOf('form.submission.new')).toContain('/metadata/submittedVia');
    expect(pathsOf('hitl.task.created')).toContain('/data/title');
  });

  it('have the names of fields without a visible label, and labels without markup', () => {
    const fields: FormField[] = [
      { name: 'email', type: 'email', label: ' ' },
      { name: 'news', type: 'checkbox', label: 'The [newsletter](https://shop.example/news)' },
    ];
    expect(fieldPaths([{ fields }]).map(({ label }) => label)).toEqual(['email', 'The newsletter']);
  });

  it('give a filter its words', () => {
    expect(filterWords(NESTED, fieldPaths([{ fields: FIELDS }]))).toBe(
      'plan is one of "team", "business" and seats is at least 50 and (terms (accepted) is true or Email is missing or /metadata/page is not null)',
    );
  });
});

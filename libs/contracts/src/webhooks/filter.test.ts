import fc from 'fast-check';
import { readInput } from '../api/read-input.ts';
import { evaluateFilter, FILTER_OPS, type FilterOp, type WebhookFilter as Filter } from './filter-match.ts';
import { WebhookFilter } from './filter.ts';
import { WebhookIn, WebhookPatch } from './webhook.ts';

const condition = { path: '/data/email', op: 'eq', value: 'ada@example.com' };
const issuesOf = (filter: unknown) => {
  const reading = readInput(WebhookFilter, filter);
  return reading.ok ? [] : reading.issues;
};

/** The body of an event as a receiver parses it. */
const BODY = JSON.parse(`{
  "eventType": "form.submission.new",
  "timestamp": "2026-11-22T23:57:42.707Z",
  "data": {
    "n": 5, "text5": "5", "text10": "10", "plus": "+7.5", "word": "Hello World", "empty": "", "nil": null,
    "yes": true, "no": false, "list": ["a", 1, null, true], "nested": {"deep": [{"sku": "x"}]},
    "words": "March 14, 2026", "days": ["2026-03-14"],
    "day": "2026-03-14", "noon": "2026-03-14T12:00:00+02:00", "time": "09:30", "a/b": 1, "m~n": 2, "a.b": 3, "~1": 6,
    "": 4, "__proto__": "own", "big": 12345678901234567890
  },
  "metadata": {"submittedVia": "web"}
}`) as unknown;

const passes = (path: string, op: FilterOp, value: unknown) =>
  evaluateFilter({ all: [{ path, op, value }] } as Filter, BODY).passes;

describe('a condition', () => {
  it.each<[string, FilterOp, unknown, boolean]>([
    // Equality has strict types.
    ['/data/n', 'eq', 5, true],
    ['/data/n', 'eq', '5', false],
    ['/data/text5', 'eq', 5, false],
    ['/data/text5', 'eq', '5', true],
    ['/data/word', 'eq', 'hello world', false],
    ['/data/nil', 'eq', null, true],
    ['/data/absent', 'eq', null, false],
    ['/data/yes', 'eq', true, true],
    ['/data/yes', 'eq', 'true', false],
    ['/data/no', 'eq', false, true],
    ['/data/no', 'eq', 0, false],
    ['/data/empty', 'eq', '', true],
    ['/data/list', 'eq', 'a', false],
    ['/data/big', 'eq', Number('12345678901234567890'), true],
    // `ne` is the opposite, also where there is no value.
    ['/data/n', 'ne', 5, false],
    ['/data/n', 'ne', '5', true],
    ['/data/absent', 'ne', 5, true],
    ['/data/absent', 'ne', null, true],
    ['/data/nil', 'ne', null, false],
    ['/data/list', 'ne', 'a', true],
    // A list of values.
    ['/data/n', 'in', ['5', 5], true],
    ['/data/n', 'in', ['5'], false],
    ['/data/nil', 'in', [null], true],
    ['/data/absent', 'in', [null], false],
    ['/data/list', 'in', ['a'], false],
    // Whether there is a value; null and empty text are values.
    ['/data/nil', 'exists', true, true],
    ['/data/empty', 'exists', true, true],
    ['/data/absent', 'exists', true, false],
    ['/data/absent', 'exists', false, true],
    ['/data/n', 'exists', false, false],
    // Order of numbers; text in the notation of a number counts as one.
    ['/data/n', 'gt', 4.5, true],
    ['/data/n', 'gt', 5, false],
    ['/data/n', 'gte', 5, true],
    ['/data/n', 'lt', 5, false],
    ['/data/n', 'lte', 5, true],
    ['/data/text10', 'gt', 9, true],
    ['/data/plus', 'lt', 7.6, true],
    ['/data/empty', 'gte', 0, false],
    ['/data/empty', 'lt', 0, false],
    ['/data/nil', 'gte', 0, false],
    ['/data/nil', 'lte', 0, false],
    ['/data/yes', 'gte', 1, false],
    ['/data/word', 'gt', 0, false],
    ['/data/word', 'lte', 0, false],
    ['/data/absent', 'lt', 1, false],
    ['/data/list', 'gt', 0, false],
    // Order of dates and times.
    ['/data/day', 'gte', '2026-03-14', true],
    ['/data/day', 'gt', '2026-03-14', false],
    ['/data/day', 'lt', '2026-03-14T00:00:01Z', true],
    ['/data/noon', 'lt', '2026-03-14T10:00:00.001Z', true],
    ['/data/noon', 'gte', '2026-03-14T10:00:00Z', true],
    ['/timestamp', 'gt', '2026-11-22', true],
    ['/data/time', 'gt', '09:29:59', true],
    ['/data/time', 'lte', '09:30:00', true],
    ['/data/time', 'lt', '2026-03-14', false],
    ['/data/day', 'lt', '23:59', false],
    ['/data/time', 'gt', '08:45', true],
    ['/data/time', 'lt', '09:30:01', true],
    ['/data/n', 'lte', 4, false],
    ['/data/n', 'gt', '2000-01-01', false],
    ['/data/days', 'gt', '2000-01-01', false],
    ['/data/words', 'gt', '2000-01-01', false],
    ['/data/words', 'gt', '00:00', false],
    ['/data/word', 'gt', '2000-01-01', false],
    // Parts of text, with upper and lower case as they are, and elements of lists.
    ['/data/word', 'contains', 'lo Wo', true],
    ['/data/word', 'contains', 'hello', false],
    ['/data/list', 'contains', 'a', true],
    ['/data/list', 'contains', 1, true],
    ['/data/list', 'contains', '1', false],
    ['/data/list', 'contains', null, true],
    ['/data/text10', 'contains', 1, false],
    ['/data/n', 'contains', '5', false],
    ['/data/nested', 'contains', 'deep', false],
    ['/data/absent', 'contains', 'a', false],
    // Paths: array indexes, escaped keys, and keys with dots.
    ['/data/list/0', 'eq', 'a', true],
    ['/data/list/00', 'exists', true, false],
    ['/data/list/-1', 'exists', true, false],
    ['/data/list/4', 'exists', true, false],
    ['/data/nested/deep/0/sku', 'eq', 'x', true],
    ['/data/a~1b', 'eq', 1, true],
    ['/data/m~0n', 'eq', 2, true],
    ['/data/~01', 'eq', 6, true],
    ['/data/a.b', 'eq', 3, true],
    ['/data/', 'eq', 4, true],
    ['/eventType', 'eq', 'form.submission.new', true],
    ['/metadata/submittedVia', 'in', ['web', 'inbound'], true],
    // Own properties only.
    ['/data/list/length', 'exists', true, false],
    ['/data/word/length', 'exists', true, false],
    ['/data/word/0', 'exists', true, false],
    ['/data/constructor', 'exists', true, false],
    ['/data/toString', 'exists', true, false],
    ['/data/hasOwnProperty', 'exists', true, false],
    ['/data/nested/__proto__', 'exists', true, false],
    ['/data/__proto__', 'eq', 'own', true],
    ['/data/nested/constructor/name', 'eq', 'Object', false],
  ])('%s %s %j: %s', (path, op, value, expected) => {
    expect(passes(path, op, value)).toBe(expected);
  });
});

describe('a group', () => {
  const yes = { path: '/data/n', op: 'eq', value: 5 } as const;
  const no = { path: '/data/n', op: 'eq', value: 6 } as const;

  it.each<[string, Filter, boolean, string | null]>([
    ['all passes together', { all: [yes, yes] }, true, null],
    ['one condition decides alone', { all: [yes] }, true, '/all/0'],
    ['all fails by its first failure', { all: [yes, no, no] }, false, '/all/1'],
    ['any passes by its first success', { any: [no, yes, yes] }, true, '/any/1'],
    ['any fails together', { any: [no, no] }, false, null],
    ['a nested group decides', { all: [yes, { any: [no, { all: [no] }] }] }, false, null],
    ['a condition in a nested group decides', { any: [no, { all: [yes, no] }, yes] }, true, '/any/2'],
    ['the deepest condition decides', { all: [{ any: [no, { all: [yes] }] }] }, true, '/all/0/any/1/all/0'],
  ])('says which condition decided: %s', (_, filter, expected, decidedBy) => {
    expect(evaluateFilter(filter, BODY)).toEqual({ passes: expected, decidedBy });
  });

  it.each([null, 5, 'text', [], true])('evaluates the body %j', (body) => {
    expect(evaluateFilter({ all: [{ path: '/data/n', op: 'ne', value: 1 }] }, body).passes).toBe(true);
    expect(evaluateFilter({ all: [yes] }, body).passes).toBe(false);
  });
});

describe('a condition on a long value', () => {
  it.each<[string, FilterOp, unknown, unknown, boolean]>([
    ['searches the first 2,000 characters of a text', 'contains', 'b', `${'a'.repeat(1_999)}b`, true],
    ['searches no more of a text', 'contains', 'b', `${'a'.repeat(2_000)}b`, false],
    ['searches the first 2,000 values of a list', 'contains', 1, [...Array<number>(1_999).fill(0), 1], true],
    ['searches no more of a list', 'contains', 1, [...Array<number>(2_000).fill(0), 1], false],
    ['reads the first 2,000 characters of a number', 'gt', 5, `${'0'.repeat(1_999)}6`, true],
    ['reads no more of a number', 'gt', 5, `${'0'.repeat(2_000)}6`, false],
    ['compares all of a text with ne', 'ne', 'a'.repeat(2_000), 'a'.repeat(2_001), true],
  ])('%s', (_, op, value, long, expected) => {
    const filter = { all: [{ path: '/data/long', op, value }] } as Filter;
    expect(evaluateFilter(filter, { data: { long } }).passes).toBe(expected);
  });
});

describe('a filter in a request', () => {
  it.each<[string, unknown]>([
    ['a condition', { all: [condition] }],
    ['groups three deep', { any: [condition, { all: [{ any: [condition] }, condition] }] }],
    [
      'every operator',
      {
        all: [
          { path: '/data/a', op: 'ne', value: null },
          { path: '/data/a', op: 'in', value: ['a', 1, null, false] },
          { path: '/data/a', op: 'exists', value: false },
          { path: '/data/a', op: 'gt', value: -1.5 },
          { path: '/data/a', op: 'gte', value: '2026-03-14' },
          { path: '/data/a', op: 'lt', value: '09:30' },
          { path: '/data/a', op: 'lte', value: '2026-03-14T09:26:53.589+01:00' },
          { path: '/data/a', op: 'contains', value: 'a' },
        ],
      },
    ],
    ['the most conditions', { all: Array.from({ length: 50 }, () => condition) }],
    [
      'the longest path and text',
      { all: [{ path: `/data/${'a'.repeat(250)}`, op: 'eq', value: 'a'.repeat(500) }] },
    ],
    [
      'the longest path and text of emoji',
      { all: [{ path: `/data/${'😀'.repeat(250)}`, op: 'in', value: ['😀'.repeat(500)] }] },
    ],
    ['odd keys', { all: [{ path: '/data/a.b c~1d~0e/', op: 'eq', value: '' }] }],
  ])('is accepted as it is: %s', (_, filter) => {
    expect(readInput(WebhookFilter, filter)).toEqual({ ok: true, value: filter });
    expect(readInput(WebhookPatch, { filter })).toEqual({ ok: true, value: { filter } });
  });

  it.each<[unknown, string, RegExp]>([
    [7, '', /^must be an object with all or any: a list of conditions/],
    [[], '', /^must be an object/],
    [{}, '', /^must have all or any/],
    [{ all: [condition], any: [condition] }, '', /^must have either all or any/],
    [{ every: [condition], all: [condition] }, '/every', /unknown key; known keys: all, any/],
    [{ all: condition }, '/all', /^must be a list of conditions/],
    [{ all: [] }, '/all', /at least 1 entry/],
    [{ all: Array.from({ length: 51 }, () => condition) }, '/all', /at most 50 entries/],
    [
      { all: Array.from({ length: 26 }, () => ({ any: [condition, condition] })) },
      '',
      /at most 50 conditions/,
    ],
    [{ all: ['email'] }, '/all/0', /^must be a condition with path, op and value, or a group/],
    [{ all: [{ any: [{ all: [{ any: [condition] }] }] }] }, '/all/0/any/0/all/0', /^must be a condition/],
    [{ all: [{ any: [] }] }, '/all/0/any', /at least 1 entry/],
    [{ all: [{ ...condition, not: true }] }, '/all/0/not', /known keys: path, op, value/],
    [{ all: [{ op: 'eq', value: 1 }] }, '/all/0/path', /^is required: a JSON pointer/],
    [{ all: [{ ...condition, path: 1 }] }, '/all/0/path', /^must be a JSON pointer/],
    [{ all: [{ ...condition, path: 'data.email' }] }, '/all/0/path', /such as \/data\/email/],
    [{ all: [{ ...condition, path: 'metadata.page' }] }, '/all/0/path', /such as \/metadata\/page$/],
    [{ all: [{ ...condition, path: '' }] }, '/all/0/path', /starts with \//],
    [{ all: [{ ...condition, path: '/email' }] }, '/all/0/path', /must start with one of: \/eventType, /],
    [{ all: [{ ...condition, path: '/dataset' }] }, '/all/0/path', /the value of a field is in \/data/],
    [{ all: [{ ...condition, path: '/data/a~b' }] }, '/all/0/path', /~0 for each ~/],
    [{ all: [{ ...condition, path: `/data/${'a'.repeat(251)}` }] }, '/all/0/path', /at most 256/],
    [{ all: [{ path: '/data/a', value: 1 }] }, '/all/0/op', /^is required: one of: eq, ne, in, /],
    [{ all: [{ ...condition, op: '==' }] }, '/all/0/op', /^must be one of: eq, /],
    [{ all: [{ ...condition, op: 'toString' }] }, '/all/0/op', /^must be one of: eq, /],
    [{ all: [{ path: '/data/a', op: 'eq' }] }, '/all/0/value', /^is required: text, a number/],
    [{ all: [{ ...condition, value: {} }] }, '/all/0/value', /^must be text, a number, .* by their paths/],
    [{ all: [{ ...condition, op: 'ne', value: ['a'] }] }, '/all/0/value', /^must be text, a number/],
    [{ all: [{ ...condition, value: 'a'.repeat(501) }] }, '/all/0/value', /at most 500/],
    [{ all: [{ ...condition, value: '😀'.repeat(501) }] }, '/all/0/value', /at most 500/],
    [{ all: [{ ...condition, op: 'in' }] }, '/all/0/value', /^must be a list of 1 to 100 values/],
    [{ all: [{ ...condition, op: 'in', value: [] }] }, '/all/0/value', /a list of 1 to 100/],
    [
      { all: [{ ...condition, op: 'in', value: Array.from({ length: 101 }, () => 1) }] },
      '/all/0/value',
      /a list of 1 to 100/,
    ],
    [{ all: [{ ...condition, op: 'in', value: ['a', {}] }] }, '/all/0/value/1', /^must be text, a number/],
    [{ all: [{ ...condition, op: 'exists', value: 'yes' }] }, '/all/0/value', /^must be true or false/],
    [{ all: [{ ...condition, op: 'gt', value: '5' }] }, '/all/0/value', /^must be a number such as 42, /],
    [{ all: [{ ...condition, op: 'lt', value: '2026-02-30' }] }, '/all/0/value', /a date such as/],
    [{ all: [{ ...condition, op: 'lt', value: '2026-02-03T10:00:00' }] }, '/all/0/value', /with its offset/],
    [{ all: [{ ...condition, op: 'lte', value: true }] }, '/all/0/value', /^must be a number such as 42/],
    [{ all: [{ ...condition, op: 'contains', value: '' }] }, '/all/0/value', /at least 1 character/],
    [
      {
        any: Array.from({ length: 50 }, () => ({
          ...condition,
          op: 'in',
          value: Array.from({ length: 2 }, () => 'a'.repeat(400)),
        })),
      },
      '',
      /at most 32768 characters as JSON/,
    ],
  ])('is refused where the fault is: %#', (filter, pointer, message) => {
    expect(issuesOf(filter)).toEqual([{ pointer, message: expect.stringMatching(message) as string }]);
    expect(
      readInput(WebhookIn, { url: 'https://example.com/', events: ['form.submission.new'], filter }),
    ).toEqual({
      ok: false,
      issues: [{ pointer: `/filter${pointer}`, message: expect.any(String) as string }],
    });
  });

  it('is refused with every fault at once', () => {
    const faults = { all: [{ path: 'x', op: 'y' }, { any: [{ ...condition, value: [] }] }] };
    expect(issuesOf(faults).map(({ pointer }) => pointer)).toEqual([
      '/all/0/path',
      '/all/0/op',
      '/all/1/any/0/value',
    ]);
  });

  it('may be null or absent', () => {
    const webhook = { url: 'https://example.com/', events: ['form.submission.new'] };
    expect(readInput(WebhookIn, { ...webhook, filter: null })).toMatchObject({
      ok: true,
      value: { filter: null },
    });
    expect(WebhookIn.parse(webhook)).not.toHaveProperty('filter');
    expect(WebhookPatch.parse({ filter: null })).toEqual({ filter: null });
  });
});

describe('the evaluation of any filter', () => {
  /**
   * The reference: straight from docs/reference/webhooks.md#filters, without code in common with
   * the product. It collects what each element says, and looks for its own properties in the JSON
   * text.
   */
  function reference(filter: unknown, body: unknown): boolean {
    const { all, any, path, op, value } = filter as Record<string, unknown>;
    if (Array.isArray(all)) return !all.map((each) => reference(each, body)).includes(false);
    if (Array.isArray(any)) return any.map((each) => reference(each, body)).includes(true);
    let found: unknown[] = [body];
    for (const escaped of String(path).slice(1).split('/')) {
      const key = escaped.split('~1').join('/').split('~0').join('~');
      found = found.flatMap((each) =>
        each !== null && typeof each === 'object'
          ? Object.entries(each).flatMap(([name, member]) => (name === key ? [member as unknown] : []))
          : [],
      );
    }
    const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
    const isScalar = (each: unknown) => each === null || typeof each !== 'object';
    const equal = found.some((each) => isScalar(each) && same(each, value));
    if (op === 'exists') return found.length === (value === true ? 1 : 0);
    if (op === 'eq') return equal;
    if (op === 'ne') return !equal;
    if (op === 'in')
      return found.some((each) => isScalar(each) && (value as unknown[]).some((one) => same(one, each)));
    const [actual] = found;
    if (op === 'contains') {
      if (Array.isArray(actual)) return actual.some((each) => isScalar(each) && same(each, value));
      return typeof actual === 'string' && typeof value === 'string' && actual.split(value).length > 1;
    }
    const rank = (each: unknown): [string, number] | null => {
      if (typeof each === 'number') return ['number', each];
      if (typeof each !== 'string') return null;
      if (/^\d\d:\d\d/.test(each)) return ['time', Date.parse(`1970-01-01T${each}Z`)];
      if (/^\d{4}-\d\d-\d\d/.test(each)) return ['moment', new Date(each).getTime()];
      return each === '' || Number.isNaN(Number(each)) ? null : ['number', Number(each)];
    };
    const [one, other] = [rank(actual), rank(value)];
    if (!one || !other || one[0] !== other[0]) return false;
    if (op === 'gt') return one[1] > other[1];
    if (op === 'gte') return one[1] >= other[1];
    if (op === 'lt') return one[1] < other[1];
    return one[1] <= other[1];
  }

  // Few keys and values, so that paths often lead somewhere and comparisons are often close.
  const keys = fc.constantFrom(
    'a',
    'b',
    '0',
    '1',
    'a/b',
    'm~n',
    'a.b',
    '',
    'length',
    'constructor',
    '__proto__',
  );
  const numbers = fc.constantFrom(0, 1, -1, 1.5, 10, 1e21);
  const texts = fc.constantFrom('', 'a', 'A', 'ab', '0', '1', '10', '-1', '1.5', 'null', 'true');
  const moments = fc.constantFrom(
    '2026-03-14',
    '2026-03-13',
    '2026-03-14T00:00:00Z',
    '2026-03-14T01:00:00+02:00',
    '2026-03-14T10:00:00.5Z',
    '09:30',
    '09:30:00',
    '23:59:59',
  );
  const scalars = fc.oneof(numbers, texts, moments, fc.boolean(), fc.constant(null));
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalars,
      fc.array(tie('value'), { maxLength: 3 }),
      // From text, because only JSON.parse makes `__proto__` an own property.
      fc
        .array(fc.tuple(keys, tie('value')), { maxLength: 4 })
        .map(
          (entries) =>
            JSON.parse(
              `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join()}}`,
            ) as unknown,
        ),
    ),
  }));
  const paths = fc
    .array(keys, { maxLength: 3 })
    .map((segments) =>
      ['/data', ...segments.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/'),
    );
  const conditions = fc.constantFrom(...FILTER_OPS).chain((op) =>
    fc.record({
      path: paths,
      op: fc.constant(op),
      value: {
        eq: scalars,
        ne: scalars,
        in: fc.array(scalars, { minLength: 1, maxLength: 3 }),
        exists: fc.boolean(),
        gt: fc.oneof(numbers, moments),
        gte: fc.oneof(numbers, moments),
        lt: fc.oneof(numbers, moments),
        lte: fc.oneof(numbers, moments),
        contains: fc.oneof(
          numbers,
          texts.filter((text) => text !== ''),
          fc.boolean(),
          fc.constant(null),
        ),
      }[op] as fc.Arbitrary<unknown>,
    }),
  );
  const groupOf = (element: fc.Arbitrary<unknown>) =>
    fc.oneof(
      fc.record({ all: fc.array(element, { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(element, { minLength: 1, maxLength: 3 }) }),
    );
  const filters = groupOf(fc.oneof(conditions, groupOf(fc.oneof(conditions, groupOf(conditions)))));

  it('is that of the reference, and every such filter is valid', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(filters, json, (filter, data) => {
        expect(readInput(WebhookFilter, filter)).toEqual({ ok: true, value: filter });
        const { passes: actual, decidedBy } = evaluateFilter(filter as unknown as Filter, { data });
        expect(actual).toBe(reference(filter, { data }));
        outcomes.add(actual);
        if (decidedBy === null) return;
        const deciding = decidedBy
          .split('/')
          .slice(1)
          .reduce<unknown>((each, key) => (each as Record<string, unknown>)[key], filter);
        // The deciding condition says by itself what the filter says.
        expect(reference(deciding, { data })).toBe(actual);
      }),
      { numRuns: 3_000 },
    );
    expect(outcomes.size).toBe(2);
  });
});

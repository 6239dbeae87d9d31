import type { Collection, Filter, IndexSpec } from '../../src/port/port.ts';
import { idsOf, type AnyDocument, type StoreContext } from './context.ts';

const DOCUMENTS: AnyDocument[] = [
  { _id: 'absent' },
  { _id: 'null', v: null },
  { _id: 'minus', v: -2 },
  { _id: 'zero', v: 0 },
  { _id: 'half', v: 0.5 },
  { _id: 'one', v: 1 },
  { _id: 'false', v: false },
  { _id: 'true', v: true },
  { _id: 'empty', v: '' },
  { _id: 'digit', v: '1' },
  { _id: 'Upper', v: 'A' },
  { _id: 'lower', v: 'a' },
  { _id: 'accent', v: 'é' },
  { _id: 'private', v: '\u{ffee}' },
  { _id: 'emoji', v: '🙂' },
  { _id: 'nul', v: 'a\0b' },
];
const IDS = DOCUMENTS.map(({ _id }) => _id);
const but = (...ids: string[]) => IDS.filter((id) => !ids.includes(id));

const CASES: [filter: Filter, ids: string[]][] = [
  [{}, IDS],
  [{ v: 'a' }, ['lower']],
  [{ v: '1' }, ['digit']],
  [{ v: '' }, ['empty']],
  [{ v: 'a\0b' }, ['nul']],
  [{ v: '🙂' }, ['emoji']],
  [{ v: 0 }, ['zero']],
  [{ v: 1 }, ['one']],
  [{ v: false }, ['false']],
  [{ v: true }, ['true']],
  [{ v: null }, ['absent', 'null']],
  [{ v: { $eq: 'a' } }, ['lower']],
  [{ v: { $eq: null } }, ['absent', 'null']],
  [{ v: { $ne: 'a' } }, but('lower')],
  [{ v: { $ne: 1 } }, but('one')],
  [{ v: { $ne: true } }, but('true')],
  [{ v: { $ne: null } }, but('absent', 'null')],
  [{ v: { $gt: 0 } }, ['half', 'one']],
  [{ v: { $gte: 0 } }, ['zero', 'half', 'one']],
  [{ v: { $lt: 0.5 } }, ['minus', 'zero']],
  [{ v: { $lte: 0.5 } }, ['minus', 'zero', 'half']],
  [{ v: { $gt: -2, $lt: 1 } }, ['zero', 'half']],
  [{ v: { $gte: '' } }, ['empty', 'digit', 'Upper', 'lower', 'nul', 'accent', 'private', 'emoji']],
  [{ v: { $gt: 'a' } }, ['nul', 'accent', 'private', 'emoji']],
  [{ v: { $gt: '\u{ffee}' } }, ['emoji']],
  [{ v: { $lt: 'A' } }, ['empty', 'digit']],
  [{ v: { $lte: 'A' } }, ['empty', 'digit', 'Upper']],
  [{ v: { $gte: '1', $lt: 'a' } }, ['digit', 'Upper']],
  [{ v: { $gt: 0, $lt: 'b' } }, []],
  [{ v: { $eq: 'a', $lt: 'b' } }, ['lower']],
  [{ v: { $eq: 'a', $lt: 'A' } }, []],
  [{ v: { $in: [] } }, []],
  [{ v: { $in: ['a', 'nope', '🙂'] } }, ['lower', 'emoji']],
  [{ v: { $in: [1, 0] } }, ['one', 'zero']],
  [{ v: { $in: [true] } }, ['true']],
  [{ v: { $in: [false, 'A', 0.5] } }, ['false', 'Upper', 'half']],
  [{ v: { $in: [null, 'a', null] } }, ['absent', 'null', 'lower']],
  [{ v: { $exists: true } }, but('absent')],
  [{ v: { $exists: false } }, ['absent']],
  [{ v: { $exists: true, $lt: 'A' } }, ['empty', 'digit']],
  [{ v: { $exists: true, $in: [null] } }, ['null']],
  [{ _id: 'one' }, ['one']],
  [{ _id: 'one', v: 1 }, ['one']],
  [{ _id: 'one', v: 2 }, []],
  [{ _id: 1 }, []],
  [{ _id: null }, []],
  [{ _id: { $ne: 'one' } }, but('one')],
  [{ _id: { $in: ['one', 'zero', 'nope'] } }, ['one', 'zero']],
  [{ _id: { $gt: 'private' } }, ['true', 'zero']],
  [{ _id: { $gt: 1 } }, []],
  [{ _id: { $exists: true } }, IDS],
  [{ $or: [{ v: 'a' }, { v: 1 }] }, ['lower', 'one']],
  [{ $and: [{ v: { $gte: 0 } }, { v: { $lt: 1 } }] }, ['zero', 'half']],
  [{ _id: { $lt: 'n' }, $or: [{ v: 'a' }, { v: { $gt: 0 }, _id: 'half' }] }, ['lower', 'half']],
  [
    { $or: [{ $and: [{ v: 'a' }, { _id: 'lower' }] }, { $or: [{ v: 0 }, { _id: 'nope' }] }] },
    ['lower', 'zero'],
  ],
];

const NESTED: AnyDocument[] = [
  { _id: 'deep', p: { q: { r: 1 } } },
  { _id: 'other', p: { q: { r: 2 }, s: 'x' } },
  { _id: 'null', p: { q: null } },
  { _id: 'scalar', p: 'text' },
  { _id: 'absent' },
  { _id: 'names', "it's": 1, 'naïve key': 'ü', 'a-b': { 'c d': true }, constructor: 'c' },
];

const NESTED_CASES: [filter: Filter, ids: string[]][] = [
  [{ 'p.q.r': 1 }, ['deep']],
  [{ 'p.q.r': { $gte: 1 } }, ['deep', 'other']],
  [{ 'p.q.r': 1, 'p.s': null }, ['deep']],
  [{ 'p.s': { $ne: 'x' } }, ['deep', 'null', 'scalar', 'absent', 'names']],
  [{ 'p.q': null }, ['null', 'scalar', 'absent', 'names']],
  [{ 'p.q': { $exists: true } }, ['deep', 'other', 'null']],
  [{ p: { $exists: false } }, ['absent', 'names']],
  [{ "it's": 1 }, ['names']],
  [{ 'naïve key': 'ü' }, ['names']],
  [{ 'a-b.c d': true }, ['names']],
  [{ constructor: 'c' }, ['names']],
  [{ toString: { $exists: true } }, []],
];

const INDEXES: [title: string, indexes: IndexSpec[]][] = [
  ['no index', []],
  ['an index', [{ keys: ['v'] }]],
  ['a descending index', [{ keys: ['-v', '_id'] }]],
  ['a sparse index', [{ keys: ['v'], sparse: true }]],
  ['a sparse index of two fields', [{ keys: ['v', 'other'], sparse: true }]],
];

export function describeFilters(context: StoreContext): void {
  describe.each(INDEXES)('a filter on a field with %s', (_, indexes) => {
    let collection: Collection<AnyDocument>;
    beforeAll(async () => {
      collection = await context.newCollection({ indexes });
      await collection.insertMany(DOCUMENTS);
    });

    it.each(CASES)('%j finds %j', async (filter, ids) => {
      expect(await idsOf(collection, filter)).toEqual([...ids].sort());
    });

    it.each(CASES)('%j counts what it finds', async (filter, ids) => {
      expect(await collection.count(filter)).toBe(ids.length);
    });
  });

  describe('a filter on fields of nested objects', () => {
    let collection: Collection<AnyDocument>;
    beforeAll(async () => {
      collection = await context.newCollection({ indexes: [{ keys: ['p.q.r'] }] });
      await collection.insertMany(NESTED);
    });

    it.each(NESTED_CASES)('%j finds %j', async (filter, ids) => {
      expect(await idsOf(collection, filter)).toEqual([...ids].sort());
    });
  });
}

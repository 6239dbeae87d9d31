import { describeWith, sharedMongo, tempFolder } from '@svcforms/test-kit';
import fc from 'fast-check';
import { join } from 'node:path';
import { createEmbeddedStore, openEmbeddedDatabase } from './embedded.ts';
import type { Collection, CollectionSpec, StoredDocument } from './index.ts';
import { connectMongoStore } from './mongo.ts';

// What the conformance suite doesn't list: combinations of operators, absent fields, null and
// values that are compared in different ways by the two backends. There are few values and
// documents, so that most operations find some.

const SPEC: CollectionSpec = {
  name: 'documents',
  indexes: [
    { keys: ['text', '-number'] },
    { keys: ['within.text', '-_id'] },
    { keys: ['rare'], sparse: true },
    { keys: ['count'], sparse: true },
  ],
};
const IDS = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];

const anId = fc.constantFrom(...IDS);
// The last ones differ in their order by code point and by UTF-16 unit.
const aText = fc.constantFrom('', 'a', 'ab', '9', '10', 'a\u0000b', '\uFFFD', '\u{1F600}');
const aNumber = fc.constantFrom(0, 1, 1.5, 10, -2.5, 2 ** 53 - 1);
const aScalar = fc.oneof(aText, aNumber, fc.boolean(), fc.constant(null));
const someJson = fc.jsonValue({ maxDepth: 2, depthSize: 'small' }).filter(isPlain);
const optional = { requiredKeys: [] };

const someFields = fc.record(
  {
    text: fc.option(aText),
    number: aNumber,
    flag: fc.boolean(),
    rare: aText,
    count: fc.option(aNumber),
    any: aScalar,
    within: fc.record({ text: aText, number: aNumber }, optional),
    list: fc.array(someJson, { maxLength: 3 }),
    json: someJson,
  },
  optional,
);

const aComparison = (value: fc.Arbitrary<unknown>, ordered = value) =>
  fc.oneof(
    fc.option(value),
    fc.record({ $ne: fc.option(value) }),
    fc.record({ $in: fc.array(fc.option(value), { maxLength: 3 }) }),
    fc.record({ $exists: fc.boolean() }),
    fc.record({ $exists: fc.boolean(), $ne: value }),
    fc.record({ $gt: ordered, $lte: ordered }),
    fc.record({ $gte: ordered }),
    fc.record({ $lt: ordered }),
  );

const someConditions = fc
  .subarray(['_id', 'text', 'number', 'rare', 'count', 'any', 'within.text', 'within.number', 'flag'], {
    maxLength: 2,
  })
  .chain((paths) =>
    fc.tuple(
      ...paths.map((path) => {
        if (path === '_id') return fc.tuple(fc.constant(path), aComparison(anId));
        if (path === 'flag') return fc.tuple(fc.constant(path), fc.option(fc.boolean()));
        if (path === 'any')
          return fc.tuple(fc.constant(path), aComparison(aScalar, fc.oneof(aText, aNumber)));
        const value = path === 'number' || path === 'count' || path === 'within.number' ? aNumber : aText;
        return fc.tuple(fc.constant(path), aComparison(value));
      }),
    ),
  )
  .map((conditions): Record<string, unknown> => Object.fromEntries(conditions));

const aFilter = fc.oneof(
  { weight: 3, arbitrary: someConditions },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(someConditions, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $and: fc.array(someConditions, { minLength: 1, maxLength: 2 }) }) },
);
const oneDocument = fc.tuple(anId, someConditions).map(([_id, conditions]) => ({ ...conditions, _id }));

const anUpdate = fc
  .record(
    {
      $set: fc.record(
        { text: aText, rare: aText, flag: fc.boolean(), any: aScalar, json: someJson, 'within.text': aText },
        optional,
      ),
      $unset: fc.record(
        { count: fc.constant(true), absent: fc.constant(true), 'within.number': fc.constant(true) },
        optional,
      ),
      $inc: fc.record({ number: fc.constantFrom(1, -1, 0.5) }, optional),
      // DocumentDB doesn't create an array without elements, so no update appends none.
      $push: fc.record(
        {
          list: fc.record(
            {
              $each: fc.array(someJson, { minLength: 1, maxLength: 3 }),
              $slice: fc.constantFrom(-1, -2),
            },
            { requiredKeys: ['$each'] },
          ),
        },
        optional,
      ),
    },
    optional,
  )
  .map((update) => Object.fromEntries(Object.entries(update).filter(([, of]) => Object.keys(of).length > 0)))
  .filter((update) => Object.keys(update).length > 0);

const someKeys = fc.constantFrom<string[][]>(
  ['_id'],
  ['text', '_id'],
  ['-text', '-_id'],
  ['-number', 'text', '_id'],
  ['within.text', '-_id'],
  ['rare', '_id'],
  ['-count', '_id'],
);
const findOptions = fc.oneof(
  fc.record({ sort: someKeys, limit: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: ['sort'] }),
  fc.record({ sort: fc.constant(['text', '_id']), after: fc.tuple(aText, anId) }),
  fc.record({ sort: fc.constant(['-count', '-_id']), after: fc.tuple(aNumber, anId) }),
);

const aDocument = fc.tuple(anId, someFields).map(([_id, fields]) => ({ _id, ...fields }));
const someDocuments = fc.tuple(...IDS.map((_id) => someFields.map((fields) => ({ _id, ...fields }))));

type Method = Exclude<keyof Collection<StoredDocument>, 'lookUp' | 'onWork'>;

const call = (method: Method, ...args: fc.Arbitrary<unknown>[]) =>
  fc.record({ method: fc.constant(method), args: fc.tuple(...args) });
const anOperation = fc.oneof(
  call('insertOne', aDocument),
  call('insertMany', fc.array(aDocument, { minLength: 1, maxLength: 3 })),
  call('find', aFilter, findOptions),
  call('find', aFilter, findOptions),
  call('count', aFilter),
  call('updateOne', oneDocument, anUpdate),
  call(
    'updateOne',
    anId.map((_id) => ({ _id })),
    anUpdate,
    fc.constant({ upsert: true }),
  ),
  call('updateMany', aFilter, anUpdate),
  call(
    'findOneAndUpdate',
    aFilter,
    anUpdate,
    fc.record({ sort: someKeys, returning: fc.constantFrom('before', 'after') }),
  ),
  call(
    'bulkUpdate',
    fc.array(fc.record({ filter: oneDocument, update: anUpdate }), { minLength: 1, maxLength: 3 }),
  ),
  call('deleteOne', oneDocument),
  call('deleteMany', aFilter),
);

/** What a call resolves to, or the code of its error. */
async function outcomeOf(
  collection: Collection<StoredDocument>,
  { method, args }: { method: Method; args: readonly unknown[] },
): Promise<unknown> {
  const run = collection[method].bind(collection) as (...args: readonly unknown[]) => Promise<unknown>;
  return run(...args).catch((error: { code?: string }) => ({ code: error.code }));
}

/** The adapters keep these as object keys, so they have to be names of fields. */
function isPlain(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return !Object.is(json, -0);
  const isName = (key: string) => /^[a-z]+$/i.test(key);
  return Object.values(json).every(isPlain) && (Array.isArray(json) || Object.keys(json).every(isName));
}

describeWith(['mongo'], 'the stores on SQLite and on a MongoDB wire server', () => {
  it('have the same results and documents after random operations', async () => {
    const database = openEmbeddedDatabase(join(tempFolder(), 'store.db'));
    const stores = [
      createEmbeddedStore(database),
      await connectMongoStore({ url: `${await sharedMongo()}/random-${crypto.randomUUID().slice(0, 8)}` }),
    ];
    const collections = stores.map((store) => store.collection<StoredDocument>(SPEC));
    for (const store of stores) await store.ensureIndexes();
    const inBoth = async (operation: Parameters<typeof outcomeOf>[1]) => {
      const [embedded, mongo] = await Promise.all(
        collections.map((collection) => outcomeOf(collection, operation)),
      );
      expect({ ...operation, outcome: mongo }).toEqual({ ...operation, outcome: embedded });
    };

    const property = fc.asyncProperty(
      someDocuments,
      fc.array(anOperation, { minLength: 3, maxLength: 20 }),
      async (documents, operations) => {
        await inBoth({ method: 'deleteMany', args: [{}] });
        await inBoth({ method: 'insertMany', args: [documents] });
        for (const operation of operations) await inBoth(operation);
        await inBoth({ method: 'find', args: [{}, { sort: ['_id'] }] });
      },
    );
    await fc.assert(property, { numRuns: 60 });

    for (const store of stores) await store.close();
    await database.close();
  });
});

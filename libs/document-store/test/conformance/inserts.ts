import { all, numbered, type AnyDocument, type StoreContext } from './context.ts';

const duplicate = { name: 'StoreError', code: 'DUPLICATE_KEY' };

const VALUES: [title: string, doc: AnyDocument][] = [
  ['scalars', { _id: 'x', text: 'a', yes: true, no: false, nothing: null, empty: '' }],
  [
    'numbers',
    { _id: 'x', n: [0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 5e-324, 1_795_256_000_123] },
  ],
  ['nested arrays and objects', { _id: 'x', a: [[], {}, [{ b: [null] }]], o: { p: { q: {} } } }],
  ['deep nesting', { _id: 'x', deep: JSON.parse('['.repeat(60) + ']'.repeat(60)) as null }],
  ['texts of all planes', { _id: 'ключ 🔑', t: 'é — 日本語 🙂 \u{10ffff} \u2028 \u2029 </script> \ufeff' }],
  ['control characters and quotes', { _id: 'x', t: 'NUL \0 tab \t CRLF \r\n DEL \x7f " \' \\ ` $ % ?' }],
  ['names with quotes and spaces', { _id: 'x', "it's": 1, 'a b': { 'c "d" \\': 2 } }],
  ['a text of 1 MiB', { _id: 'x', t: 'é'.repeat(2 ** 19) }],
  ['a very long _id', { _id: `${'long'.repeat(1_000)}é🙂`, n: 1 }],
  ['an _id with a quote and a NUL', { _id: `it's a "\0"`, n: 1 }],
  ['nothing but an _id', { _id: '' }],
];

export function describeInserts(context: StoreContext): void {
  describe('insertOne', () => {
    it.each(VALUES)('keeps %s', async (_, doc) => {
      const collection = await context.newCollection();
      await collection.insertOne(doc);
      expect(await collection.findOne({ _id: doc._id })).toEqual(doc);
    });

    it('omits undefined properties', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', absent: undefined, o: { absent: undefined, stays: 1 } });
      expect(await all(collection)).toStrictEqual([{ _id: 'x', o: { stays: 1 } }]);
    });

    it('refuses a taken _id and keeps the first document', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', n: 1 });
      await expect(collection.insertOne({ _id: 'x', n: 2 })).rejects.toMatchObject(duplicate);
      expect(await all(collection)).toEqual([{ _id: 'x', n: 1 }]);
    });

    it('returns to each of hundreds of concurrent calls its own result', async () => {
      const collection = await context.newCollection({
        indexes: [{ keys: ['u'], unique: true, sparse: true }],
      });
      await collection.insertMany([{ _id: 'd007' }, { _id: 'holder', u: 'taken' }]);
      const docs = numbered(300, (i) =>
        i % 50 === 20 ? { u: 'taken' } : i === 30 || i === 31 ? { u: 'contended' } : {},
      );
      const twice = [...docs, ...docs.slice(100, 110), { _id: 'bad.field', 'a.b': 1 }];
      const outcomes = await Promise.allSettled(twice.map((doc) => collection.insertOne(doc)));

      const codeOf = (i: number) => {
        const outcome = outcomes[i];
        return outcome?.status === 'rejected' ? (outcome.reason as { code: string }).code : 'inserted';
      };
      const codes = twice.map((_, i) => codeOf(i));
      const refused = codes.flatMap((code, i) => (code === 'DUPLICATE_KEY' && i < 300 ? [i] : []));
      expect(refused).toEqual([7, 20, 31, 70, 120, 170, 220, 270]);
      expect(codes.slice(300)).toEqual([...Array<string>(10).fill('DUPLICATE_KEY'), 'UNSUPPORTED']);
      expect(await collection.count({})).toBe(300 - 8 + 2);
    });

    it('refuses only the document of more than 16 MB among concurrent inserts', async () => {
      const collection = await context.newCollection();
      const huge = { _id: 'huge', t: 'x'.repeat(17 * 1024 ** 2) };
      const [before, refused, after] = await Promise.allSettled([
        collection.insertOne({ _id: 'before' }),
        collection.insertOne(huge),
        collection.insertOne({ _id: 'after' }),
      ]);
      expect([before?.status, refused?.status, after?.status]).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(refused).toMatchObject({ reason: { code: 'UNSUPPORTED' } });
      expect(await all(collection)).toEqual([{ _id: 'after' }, { _id: 'before' }]);
    });

    it('has stored the document when it resolves', async () => {
      const collection = await context.newCollection();
      const docs = numbered(100);
      const seen = await Promise.all(
        docs.map(async (doc) => {
          await collection.insertOne(doc);
          return collection.findOne({ _id: doc._id });
        }),
      );
      expect(seen).toEqual(docs);
    });
  });

  describe('insertMany', () => {
    it('inserts new documents and returns the _ids of duplicates', async () => {
      const collection = await context.newCollection({
        indexes: [{ keys: ['u'], unique: true, sparse: true }],
      });
      await collection.insertOne({ _id: 'b', u: 1 });
      const docs = [{ _id: 'a' }, { _id: 'b' }, { _id: 'c', u: 1 }, { _id: 'a' }, { _id: 'd', u: 2 }];
      expect(await collection.insertMany(docs)).toEqual({
        inserted: ['a', 'd'],
        duplicates: ['b', 'c', 'a'],
      });
      expect(await all(collection)).toEqual([{ _id: 'a' }, { _id: 'b', u: 1 }, { _id: 'd', u: 2 }]);
    });

    it('accepts an empty list', async () => {
      const collection = await context.newCollection();
      expect(await collection.insertMany([])).toEqual({ inserted: [], duplicates: [] });
    });

    it('inserts thousands of documents, and of those only new ones', async () => {
      const collection = await context.newCollection();
      const docs = numbered(2_500);
      await collection.insertMany(docs.filter((_, i) => i % 2 === 0));
      const { inserted, duplicates } = await collection.insertMany(docs);
      expect(inserted).toEqual(docs.filter((_, i) => i % 2 === 1).map(({ _id }) => _id));
      expect(duplicates).toHaveLength(1_250);
      expect(await collection.count({})).toBe(2_500);
    });

    it('inserts nothing if one document is outside the language', async () => {
      const collection = await context.newCollection();
      const call = collection.insertMany([{ _id: 'fine' }, { _id: 'bad', $field: 1 }]);
      await expect(call).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      expect(await all(collection)).toEqual([]);
    });
  });
}

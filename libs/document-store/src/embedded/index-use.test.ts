import { explainCollection } from '../../test/explain-collection.ts';
import type { Collection, CollectionSpec, Filter, FindOptions, StoredDocument } from '../port/port.ts';

const SPEC: CollectionSpec = {
  name: 'jobs',
  indexes: [
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['accountId', 'status', '-createdAt', '-_id'] },
    { keys: ['email'], unique: true, sparse: true },
    { keys: ['dueAt'], sparse: true },
    { keys: ['leaseEnd'], sparse: true },
    { keys: ['owner', 'leaseEnd'], sparse: true },
    { keys: ['status', 'priority'] },
    { keys: ['p.q'] },
    { keys: ['enabled'] },
  ],
  expireAt: 'expireAt',
};

const PAGE = 'SEARCH (accountId, -createdAt, -_id)';
const PAGE_WITH_STATUS = 'SEARCH (accountId, status, -createdAt, -_id)';
const STATUS = 'SEARCH (status, priority)';
const ROWS = 'SEARCH doc_jobs USING INTEGER PRIMARY KEY (rowid=?)';
const NEWEST = { sort: ['-createdAt', '-_id'], limit: 20 };
const OLDEST = { sort: ['createdAt', '_id'], limit: 20 };

/** A plan without a sorter that only searches an index of the filter's fields. */
const QUERIES: [filter: Filter, options: FindOptions, plan: string[]][] = [
  [{ _id: 'x' }, {}, ['SEARCH sqlite_autoindex_doc_jobs_1 (_id=?)']],
  [{ _id: { $in: ['x', 'y'] } }, {}, ['SEARCH sqlite_autoindex_doc_jobs_1 (_id=?)']],
  [{ _id: { $gt: 'x' } }, { sort: ['_id'], limit: 20 }, ['SEARCH sqlite_autoindex_doc_jobs_1 (_id>?)']],
  [{ accountId: 'a' }, NEWEST, [`${PAGE} (<expr>=?)`]],
  [{ accountId: 'a' }, { ...NEWEST, after: ['2026', 'x'] }, [`${PAGE} (<expr>=? AND <expr>>? AND <expr><?)`]],
  [{ accountId: 'a', status: 'open' }, NEWEST, [`${PAGE_WITH_STATUS} (<expr>=? AND <expr>=?)`]],
  [
    { accountId: 'a', status: 'open', rank: 2 },
    { ...NEWEST, after: ['2026', 'x'] },
    // The first statement finds where the first part of the scan ends.
    Array.from({ length: 2 }, () => `${PAGE_WITH_STATUS} (<expr>=? AND <expr>=? AND <expr>>? AND <expr><?)`),
  ],
  [{ accountId: 'a', createdAt: { $gte: '2026' } }, {}, [`${PAGE} (<expr>=? AND <expr>>?)`]],
  [{ accountId: 'a', createdAt: { $lt: '2026' } }, OLDEST, [`${PAGE} (<expr>=? AND <expr>>? AND <expr><?)`]],
  [{ accountId: 'a', data: { $ne: 'x' } }, { sort: ['-createdAt'] }, [`${PAGE} (<expr>=?)`]],
  [{ email: 'a@b' }, {}, ['SEARCH (email) unique sparse (<expr>=?)']],
  [{ email: { $in: ['a@b', 'c@d'] } }, {}, ['SEARCH (email) unique sparse (<expr>=?)']],
  [{ email: { $exists: true } }, { sort: ['email'] }, ['SCAN (email) unique sparse']],
  [
    { dueAt: { $lte: '2026' } },
    { sort: ['dueAt'], limit: 20 },
    ['SEARCH (dueAt) sparse (<expr>>? AND <expr><?)'],
  ],
  [
    { dueAt: { $gt: '2025', $lte: '2026' } },
    { sort: ['-dueAt'] },
    ['SEARCH (dueAt) sparse (<expr>>? AND <expr><?)'],
  ],
  [{ dueAt: { $exists: true } }, { sort: ['dueAt'], limit: 20 }, ['SCAN (dueAt) sparse']],
  [
    { owner: { $gt: 'a', $lt: '\uffff' }, leaseEnd: { $exists: true, $lte: '2026' } },
    { sort: ['owner', 'leaseEnd'], limit: 1 },
    ['SEARCH (owner, leaseEnd) sparse (<expr>>? AND <expr><?)'],
  ],
  [
    { owner: { $in: ['a', 'b'] }, leaseEnd: { $lte: '2026' } },
    {},
    ['SEARCH (owner, leaseEnd) sparse (<expr>=? AND <expr>>? AND <expr><?)'],
  ],
  [{ dueAt: { $ne: null } }, {}, ['SCAN (dueAt) sparse']],
  [
    { status: 'open', priority: { $gt: 5 } },
    { sort: ['priority'] },
    [`${STATUS} (<expr>=? AND <expr>>? AND <expr><?)`],
  ],
  [{ status: 'open', priority: 1 }, {}, [`${STATUS} (<expr>=? AND <expr>=?)`]],
  [{ status: 'open', priority: null }, {}, [`${STATUS} (<expr>=? AND <expr>=?)`]],
  [{ status: { $in: ['open', 'held'] }, priority: { $lt: 5 } }, {}, [`${STATUS} (<expr>=? AND <expr><?)`]],
  [{ status: { $gte: 'o' } }, { sort: ['status', 'priority'] }, [`${STATUS} (<expr>>?)`]],
  [{ status: { $lt: 'o' } }, { sort: ['-status', '-priority'] }, [`${STATUS} (<expr>>? AND <expr><?)`]],
  [{ $and: [{ 'p.q': { $gte: 1 } }, { 'p.q': { $lt: 2 } }] }, {}, ['SEARCH (p.q) (<expr>>? AND <expr><?)']],
  [
    { $or: [{ status: 'open' }, { 'p.q': 1 }] },
    {},
    ['MULTI-INDEX OR', 'INDEX 1', `${STATUS} (<expr>=?)`, 'INDEX 2', 'SEARCH (p.q) (<expr>=?)'],
  ],
  [{ enabled: true }, {}, ['SEARCH (enabled) (<expr>=?)']],
];

const UPDATE = { $set: { data: 'x' } };
const WRITES: [
  title: string,
  write: (jobs: Collection<StoredDocument>) => Promise<unknown>,
  plan: string[],
][] = [
  [
    'updateOne',
    (jobs) => jobs.updateOne({ email: 'a@b' }, UPDATE),
    ['SEARCH (email) unique sparse (<expr>=?)'],
  ],
  [
    'findOneAndUpdate',
    (jobs) => jobs.findOneAndUpdate({ dueAt: { $lte: '2026' } }, UPDATE, { sort: ['dueAt'] }),
    ['SEARCH (dueAt) sparse (<expr>>? AND <expr><?)'],
  ],
  ['updateMany', (jobs) => jobs.updateMany({ status: 'open' }, UPDATE), [`${STATUS} (<expr>=?)`]],
  ['deleteOne', (jobs) => jobs.deleteOne({ status: 'open' }), [ROWS, `${STATUS} (<expr>=?)`]],
  [
    'deleteMany',
    (jobs) => jobs.deleteMany({ expireAt: { $lte: '2026' } }),
    ['SEARCH (expireAt) sparse (<expr>>? AND <expr><?)'],
  ],
  ['count', (jobs) => jobs.count({ status: 'open' }), [`${STATUS} (<expr>=?)`]],
];

describe('a query on SQLite', () => {
  let jobs: Collection<StoredDocument>;
  let plans: () => string[];

  beforeAll(async () => void ({ collection: jobs, plans } = await explainCollection(SPEC)));

  it.each(QUERIES)('for %j with %j has the plan %j', async (filter, options, plan) => {
    await jobs.find(filter, options);
    expect(plans()).toEqual(plan);
  });

  it('that deletes hundreds of documents searches them once', async () => {
    await jobs.insertMany(Array.from({ length: 450 }, (_, n) => ({ _id: `j${n}`, status: 'old' })));
    plans();
    expect(await jobs.deleteMany({ status: 'old' })).toBe(450);
    expect(plans().filter((step) => step.startsWith(STATUS))).toEqual([`${STATUS} (<expr>=?)`]);
  });

  it.each(WRITES)('by %s has a plan that uses the indexes', async (_, write, plan) => {
    await write(jobs);
    expect(plans()).toEqual(plan);
  });
});

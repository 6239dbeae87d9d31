import type { Collection, Filter, FindOptions } from '@svcforms/document-store';
import { explainCollection } from '@svcforms/document-store/testing';
import { TASKS, type TaskRecord } from './task.ts';

type Query = [what: string, filter: Filter<TaskRecord>, options: FindOptions<TaskRecord>, plan: string];

const NEWEST = { sort: ['-createdAt', '-_id'], limit: 26 } as const;
const OLDEST = { sort: ['createdAt', '_id'], limit: 8 } as const;

const OF_FORM = 'SEARCH (formId, -createdAt, -_id)';
const EXPIRED = { accountId: 'a', formId: 'f', createdAt: { $lt: '2026' }, settledAt: { $lt: '2026' } };
const PENDING = { accountId: 'a', status: 'awaiting', formId: { $gte: 'f', $lte: 'f' } } as const;

const OF_TASKS: Query[] = [
  ['a page of its list', { accountId: 'a', formId: 'f' }, NEWEST, `${OF_FORM} (<expr>=?)`],
  ['the expired ones', EXPIRED, OLDEST, `${OF_FORM} (<expr>=? AND <expr>>? AND <expr><?)`],
  [
    'the next page of the expired ones',
    EXPIRED,
    { ...OLDEST, after: ['2025', 't'] },
    `${OF_FORM} (<expr>=? AND <expr>>? AND <expr><?)`,
  ],
  ['any of them', { accountId: 'a', formId: { $in: ['f'] } }, { limit: 200 }, `${OF_FORM} (<expr>=?)`],
  [
    'the pending ones among many resolved',
    PENDING,
    NEWEST,
    'SEARCH (accountId, status, -createdAt, -_id) (<expr>=? AND <expr>=?)',
  ],
  [
    'the next page of the pending ones',
    PENDING,
    { ...NEWEST, after: ['2026', 't'] },
    'SEARCH (accountId, status, -createdAt, -_id) (<expr>=? AND <expr>=? AND <expr>>? AND <expr><?)',
  ],
];

describe('the tasks of a form', () => {
  let tasks: Collection<TaskRecord>;
  let plans: () => string[];
  beforeAll(async () => void ({ collection: tasks, plans } = await explainCollection(TASKS)));

  it.each(OF_TASKS)('are found without reading others: %s', async (_, filter, options, plan) => {
    await tasks.find(filter, options);
    expect([...new Set(plans())]).toEqual([plan]);
  });
});

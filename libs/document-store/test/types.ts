import type {
  Collection,
  CollectionSpec,
  DocumentStore,
  Filter,
  SortKeys,
  StoredDocument,
  Update,
} from '../src/index.ts';

/*
 * Checked by the compiler, never run: an `@ts-expect-error` line that compiles is an error itself.
 */

interface Order extends StoredDocument {
  accountId: string;
  status: 'open' | 'paid';
  total: number;
  isGift?: boolean;
  note?: string | null;
  tags: string[];
  lines: { sku: string; count: number }[];
  shipping?: { city: string; address: { street: string; floor?: number } };
  stock: Record<string, { count: number }>;
  counts: Record<string, number>;
}

declare const store: DocumentStore;
declare const status: string;

export const ORDERS: CollectionSpec<Order> = {
  name: 'orders',
  indexes: [{ keys: ['accountId', '-total', 'shipping.address.street'] }, { keys: ['note'], sparse: true }],
  expireAt: 'note',
};

export const MISTYPED: CollectionSpec<Order> = {
  name: 'orders',
  // @ts-expect-error no such field
  indexes: [{ keys: ['acountId'] }],
  // @ts-expect-error not a top-level field
  expireAt: 'shipping.city',
};

export async function infersTheDocumentType(): Promise<Collection<Order>> {
  const orders = store.collection(ORDERS);
  const total: number | undefined = (await orders.findOne({ _id: 'ord_1' }))?.total;
  // @ts-expect-error a collection of another type
  store.collection<Order & { city: string }>(ORDERS);
  return total ? orders : store.collection(ORDERS);
}

export const FILTERS: Filter<Order>[] = [
  { accountId: 'acc_1', status: 'open', total: { $gt: 3 }, isGift: true },
  { status: { $in: ['open', 'paid'] }, note: null, isGift: { $ne: true }, tags: { $exists: true } },
  { 'shipping.city': 'Bern', 'shipping.address.floor': { $lte: 4 }, shipping: null },
  { 'stock.blue-shirt.count': { $gte: 1 }, 'counts.sent': 1, 'counts.seen': null },
  { $or: [{ status: 'open' }, { $and: [{ total: 0 }, { note: { $exists: false } }] }] },
  // A comparison of the order takes any text.
  { status: { $gt: 'a' }, accountId: { $gte: 'acc_', $lt: 'acc`' } },
  // @ts-expect-error no such field
  { acountId: 'acc_1' },
  // @ts-expect-error no such field below an optional object
  { 'shipping.town': 'Bern' },
  // @ts-expect-error no such field below three objects
  { 'shipping.address.stret': 'Main' },
  // @ts-expect-error paths don't enter arrays
  { 'lines.sku': 'A1' },
  // @ts-expect-error another type
  { total: '3' },
  // @ts-expect-error another type in a comparison
  { total: { $gt: '3' } },
  // @ts-expect-error not one of the literals
  { status: 'closed' },
  // @ts-expect-error any text, where the field has literals
  { status },
  // @ts-expect-error not one of the literals
  { status: { $in: ['open', 'closed'] } },
  // @ts-expect-error never absent and never null
  { accountId: null },
  // @ts-expect-error arrays aren't compared
  { tags: 'new' },
  // @ts-expect-error no such operator
  { total: { $regex: '^3' } },
  // @ts-expect-error no such operator
  { $nor: [{ total: 3 }] },
  // @ts-expect-error no such field in a branch
  { $or: [{ acountId: 'acc_1' }] },
  // @ts-expect-error another type in a record
  { 'counts.sent': { $gte: 'one' } },
];

export const UPDATES: Update<Order>[] = [
  { $set: { status: 'paid', 'shipping.city': 'Bern', note: undefined } },
  { $set: { 'stock.blue-shirt': { count: 1 }, 'stock.blue-shirt.count': 2, tags: ['a'] } },
  { $unset: { note: true, shipping: true, 'shipping.address.floor': true, 'counts.sent': true } },
  { $inc: { total: 1, 'stock.blue-shirt.count': -1, 'counts.sent': 1 } },
  { $push: { tags: 'b', lines: { $each: [{ sku: 'A1', count: 1 }], $slice: -10 } } },
  { $setOnInsert: { _id: 'ord_1', total: 0 } },
  // @ts-expect-error no such field
  { $set: { totall: 1 } },
  // @ts-expect-error another type
  { $set: { total: '1' } },
  // @ts-expect-error another type in a record
  { $set: { 'counts.sent': '1' } },
  // @ts-expect-error not one of the literals
  { $set: { status: 'closed' } },
  // @ts-expect-error incomplete
  { $set: { shipping: { city: 'Bern' } } },
  // @ts-expect-error a required field
  { $unset: { total: true } },
  // @ts-expect-error not a number
  { $inc: { accountId: 1 } },
  // @ts-expect-error not an array
  { $push: { note: 'a' } },
  // @ts-expect-error an element of another type
  { $push: { lines: { sku: 'A1' } } },
  // @ts-expect-error elements of another type
  { $push: { tags: { $each: [1] } } },
  // @ts-expect-error no such operator
  { $rename: { note: 'text' } },
];

export const SORT_KEYS: SortKeys<Order>[] = [
  ['accountId', '-total', '-_id'],
  ['-shipping.address.street'],
  // @ts-expect-error no such field
  ['acountId'],
  // @ts-expect-error no such field, descending
  ['-totall'],
];

export async function checksEveryMethod(orders: Collection<Order>): Promise<void> {
  // @ts-expect-error no such field
  await orders.find({ totall: 1 });
  // @ts-expect-error no such sort key
  await orders.find({}, { sort: ['totall'] });
  // @ts-expect-error no such field
  await orders.updateOne({ totall: 1 }, { $set: { total: 1 } });
  // @ts-expect-error no such field
  await orders.updateMany({ total: 1 }, { $set: { totall: 1 } });
  // @ts-expect-error no such sort key
  await orders.findOneAndUpdate({ total: 1 }, { $set: { total: 1 } }, { sort: ['totall'] });
  // @ts-expect-error no such field
  await orders.bulkUpdate([{ filter: { total: 1 }, update: { $inc: { totall: 1 } } }]);
  // @ts-expect-error no such field
  await orders.deleteMany({ totall: 1 });
  // @ts-expect-error no such field
  await orders.count({ totall: 1 });
}

/** Documents with keys that their type doesn't list. */
export async function acceptsAnyFieldOfUntypedDocuments(
  untyped: Collection<StoredDocument & Record<string, unknown>>,
): Promise<void> {
  await untyped.find({ anything: 1, $or: [{ 'other.field': 'x' }] }, { sort: ['-anything'] });
  await untyped.updateOne({ _id: 'x' }, { $set: { anything: [1] }, $unset: { other: true } });
}

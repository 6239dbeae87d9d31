import type { CollectionSpec } from '../src/port/port.ts';
import { newName, type AnyDocument, type OpenedStore, type StoreContext } from './conformance/context.ts';
import { describeDeletes } from './conformance/deletes.ts';
import { describeExpiry } from './conformance/expiry.ts';
import { describeFilters } from './conformance/filters.ts';
import { describeIndexes } from './conformance/indexes.ts';
import { describeInserts } from './conformance/inserts.ts';
import { describeLanguage } from './conformance/language.ts';
import { describeLifecycle } from './conformance/lifecycle.ts';
import { describeQueries } from './conformance/queries.ts';
import { describeUpdates } from './conformance/updates.ts';
import { describeUpserts } from './conformance/upserts.ts';

const TIMEOUT_MS = 60_000;

/**
 * The specification of every adapter: each rule of the port as a test.
 * @param open Opens a store on an empty database. Called once; the store is closed after the tests.
 */
export function describeDocumentStore(title: string, open: () => Promise<OpenedStore>): void {
  describe(title, () => {
    jest.setTimeout(TIMEOUT_MS);
    let opened: OpenedStore | undefined;
    const context: StoreContext = {
      opened() {
        if (!opened) throw new Error('the store is not open');
        return opened;
      },
      async newCollection(spec = {}) {
        const full: CollectionSpec = { name: newName(), indexes: [], ...spec };
        const { store } = context.opened();
        const collection = store.collection<AnyDocument>(full);
        if (spec.indexes || spec.expireAt) await store.ensureIndexes();
        return collection;
      },
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened?.store.close();
    });

    describeLifecycle(context);
    describeInserts(context);
    describeFilters(context);
    describeQueries(context);
    describeUpdates(context);
    describeUpserts(context);
    describeDeletes(context);
    describeIndexes(context);
    describeLanguage(context);
    describeExpiry(context);
  });
}

import {
  StoreError,
  type CollectionSpec,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import { memberOf } from '@svcforms/document-store/testing';

type Method = 'findOne' | 'findOneAndUpdate' | 'insertOne';

/** A store that awaits `before` ahead of the first call of this method of a collection. */
export function beforeFirst(
  real: DocumentStore,
  { collection, method }: { collection: string; method: Method },
  before: () => Promise<unknown>,
): DocumentStore {
  let isFirst = true;
  const callOf =
    (target: object) =>
    async (...args: unknown[]) => {
      if (isFirst) {
        isFirst = false;
        await before();
      }
      return (memberOf(target, method) as (...given: unknown[]) => unknown)(...args);
    };
  return new Proxy(real, {
    get: (store, member) =>
      member !== 'collection'
        ? memberOf(store, member)
        : <T extends StoredDocument>(spec: CollectionSpec<T>) => {
            const found = store.collection<T>(spec);
            if (spec.name !== collection) return found;
            return new Proxy(found, {
              get: (target, each) => (each === method ? callOf(target) : memberOf(target, each)),
            });
          },
  });
}

/** A store that is unavailable for the first call of this method of a collection. */
export function refusingFirst(
  real: DocumentStore,
  collection: string,
  method: Method = 'insertOne',
): DocumentStore {
  return beforeFirst(real, { collection, method }, async () => {
    throw new StoreError('UNAVAILABLE', 'the test refuses the first call');
  });
}

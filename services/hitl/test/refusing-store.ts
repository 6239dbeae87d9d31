import {
  StoreError,
  type CollectionSpec,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import { memberOf } from './concurrent-sweeps.ts';

/** A store that is unavailable for the first document that is inserted into this collection. */
export function refusingFirst(real: DocumentStore, name: string): DocumentStore {
  let isUnavailable = true;
  const insertOf = (collection: object) => (document: StoredDocument) => {
    if (!isUnavailable) return (memberOf(collection, 'insertOne') as (each: object) => unknown)(document);
    isUnavailable = false;
    throw new StoreError('UNAVAILABLE', 'the test refuses the first document');
  };
  return new Proxy(real, {
    get: (store, member) =>
      member !== 'collection'
        ? memberOf(store, member)
        : <T extends StoredDocument>(spec: CollectionSpec<T>) => {
            const collection = store.collection<T>(spec);
            if (spec.name !== name) return collection;
            return new Proxy(collection, {
              get: (target, each) => (each === 'insertOne' ? insertOf(target) : memberOf(target, each)),
            });
          },
  });
}

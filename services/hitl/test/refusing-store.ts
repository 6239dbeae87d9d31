import { StoreError, type DocumentStore } from '@svcforms/document-store';
import { beforeFirst, interceptCalls } from '@svcforms/document-store/testing';

/** A store that is unavailable for the first call of this method of a collection. */
export function refusingFirst(real: DocumentStore, collection: string, method = 'insertOne'): DocumentStore {
  return beforeFirst(real, { collection, method }, async () => {
    throw new StoreError('UNAVAILABLE', 'the test refuses the first call');
  });
}

/**
 * A store that applies the first matching update of a collection and then reports that it is
 * unavailable.
 */
export function losingFirstResult(
  real: DocumentStore,
  of: string,
  isMatch: (update: object) => boolean,
): DocumentStore {
  let isFirst = true;
  return interceptCalls(real, (call, { collection, method }) =>
    collection === of && method === 'findOneAndUpdate'
      ? async (...args) => {
          const result = await call(...args);
          if (!isFirst || !isMatch(args[1] as object)) return result;
          isFirst = false;
          throw new StoreError('UNAVAILABLE', 'the test loses the result');
        }
      : call,
  );
}

import type { DocumentStore } from '../src/index.ts';
import { interceptCalls } from './intercept-calls.ts';

/** A store that awaits `before` ahead of the first call of this method of a collection. */
export function beforeFirst(
  real: DocumentStore,
  of: { collection: string; method: string },
  before: () => Promise<unknown>,
): DocumentStore {
  let isFirst = true;
  return interceptCalls(real, (call, { collection, method }) =>
    collection === of.collection && method === of.method
      ? async (...args) => {
          if (isFirst) {
            isFirst = false;
            await before();
          }
          return call(...args);
        }
      : call,
  );
}

import type {
  Collection,
  CollectionSpec,
  DocumentStore,
  Filter,
  StoredDocument,
} from '@svcforms/document-store';
import { memberOf } from '@svcforms/document-store/testing';
import { TASKS } from '@svcforms/records';

/**
 * A store through which two processes find the same callback due before either of them sends it.
 */
interface ConcurrentSweeps {
  store: DocumentStore;
  /** How many processes have tried to lease the task since. */
  tries(): number;
}

/** Holds the sweep that finds this task's callback due until a second sweep has found it. */
export function sweepConcurrently(real: DocumentStore, taskId: string): ConcurrentSweeps {
  let finders = 0;
  let tries = 0;
  let meet = () => {};
  const met = new Promise<void>((resolve) => (meet = resolve));

  const watched = <T extends StoredDocument>(tasks: Collection<T>): Collection<T> =>
    new Proxy(tasks, {
      get(target, name) {
        if (name === 'find') {
          return async (...args: Parameters<Collection<T>['find']>) => {
            const found = await target.find(...args);
            if (!('callbackDue' in args[0]) || !found.some(({ _id }) => _id === taskId)) return found;
            if (++finders === 2) meet();
            await met;
            return found;
          };
        }
        if (name === 'findOneAndUpdate') {
          return async (...args: Parameters<Collection<T>['findOneAndUpdate']>) => {
            const taken = await target.findOneAndUpdate(...args);
            if ((args[0] as Filter)['_id'] === taskId) tries++;
            return taken;
          };
        }
        return memberOf(target, name);
      },
    });

  return {
    tries: () => tries,
    store: new Proxy(real, {
      get: (target, name) =>
        name === 'collection'
          ? <T extends StoredDocument>(spec: CollectionSpec<T>) => {
              const collection = target.collection<T>(spec);
              return spec.name === TASKS.name ? watched(collection) : collection;
            }
          : memberOf(target, name),
    }),
  };
}

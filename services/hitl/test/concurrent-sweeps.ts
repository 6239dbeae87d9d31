import type { DocumentStore, Filter, StoredDocument } from '@svcforms/document-store';
import { interceptCalls } from '@svcforms/document-store/testing';
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

  const store = interceptCalls(real, (call, { collection, method }) => {
    if (collection !== TASKS.name) return call;
    if (method === 'find') {
      return async (...args) => {
        const found = (await call(...args)) as StoredDocument[];
        if (!('callbackDue' in (args[0] as Filter)) || !found.some(({ _id }) => _id === taskId)) return found;
        if (++finders === 2) meet();
        await met;
        return found;
      };
    }
    if (method === 'findOneAndUpdate') {
      return async (...args) => {
        const taken = await call(...args);
        if ((args[0] as Filter)['_id'] === taskId) tries++;
        return taken;
      };
    }
    return call;
  });
  return { store, tries: () => tries };
}

import type { BusEvent } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { ErasureRecord } from '@svcforms/records';
import type { Hub } from './hub.ts';

const MAX_ERASURES = 200;

/** Removes erased events from the hub's memory. Runs periodically while erasures are open. */
export function createForgetErased(deps: {
  erasures: Pick<Collection<ErasureRecord>, 'find'>;
  hub: Pick<Hub, 'forget'>;
}): () => Promise<void> {
  return async function forgetErased() {
    const open = await deps.erasures.find(
      { dueAt: { $exists: true } },
      { sort: ['dueAt'], limit: MAX_ERASURES },
    );
    if (open.length === 0) return;
    const ids = new Set(open.flatMap(({ events }) => events.map(({ id }) => id)));
    const formIds = new Set(open.flatMap((record) => (record.kind === 'values' ? [] : record.formIds)));
    deps.hub.forget(({ id, formId }: BusEvent) => ids.has(id) || formIds.has(formId));
  };
}

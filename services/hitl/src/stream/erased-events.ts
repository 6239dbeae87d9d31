import type { BusEvent } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { openErasures, type ErasureRecord } from '@svcforms/records';
import type { Hub } from './hub.ts';

/** Removes erased events from the hub's memory. Runs periodically while erasures are open. */
export function createForgetErased(deps: {
  erasures: Pick<Collection<ErasureRecord>, 'find'>;
  hub: Pick<Hub, 'forget' | 'offset'>;
}): () => Promise<void> {
  return async function forgetErased() {
    // Without streams, nothing is in memory.
    if (deps.hub.offset() === null) return;
    for await (const open of openErasures(deps.erasures)) {
      const ids = new Set(open.flatMap(({ events }) => events.map(({ id }) => id)));
      const formIds = new Set(open.flatMap((record) => (record.kind === 'values' ? [] : record.formIds)));
      deps.hub.forget(({ id, formId }: BusEvent) => ids.has(id) || formIds.has(formId));
    }
  };
}

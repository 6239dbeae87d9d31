import type { Collection } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createBatcher, isoTime, type Clock, type Logger } from '@svcforms/primitives';
import { readScriptSighting, type FormRecord, type ScriptSightingMessage } from '@svcforms/records';

interface ScriptSightingsDeps {
  bus: Pick<EventBus, 'listen'>;
  forms: Pick<Collection<FormRecord>, 'bulkUpdate'>;
  log: Pick<Logger, 'warn'>;
  now: Clock;
}

/**
 * Stores where embed-cdn saw the script of a form. Each process stores the same value, so it
 * doesn't matter how many receive the broadcast. ADR 0085
 *
 * @returns a function that stops listening
 */
export function storeScriptSightings({ bus, forms, log, now }: ScriptSightingsDeps): () => void {
  const store = createBatcher<ScriptSightingMessage, void>({
    async run(sightings) {
      const at = isoTime(now());
      const hosts = new Map(sightings.map(({ formId, host }) => [formId, host]));
      await forms.bulkUpdate(
        [...hosts].map(([_id, host]) => ({
          filter: { _id, deletedAt: null },
          update: { $set: { scriptLastSeen: { host, at } } },
        })),
      );
      return sightings.map(() => undefined);
    },
  });

  return bus.listen({
    onMessage(message) {
      const sighting = readScriptSighting(message);
      if (!sighting) return;
      store(sighting).catch((error: unknown) =>
        log.warn({ event: 'script.unseen', err: error }, 'storing where a script was seen failed'),
      );
    },
    onGap: () => {},
  });
}

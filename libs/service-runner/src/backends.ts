import type { DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { Logger } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';

// A process without a backend doesn't load its driver, which takes several megabytes of memory.

/** Opens the document store at this MongoDB URL. @throws StoreError */
export async function connectStore(mongoUrl: string): Promise<DocumentStore> {
  const { connectMongoStore } = await import('@svcforms/document-store/mongo');
  return connectMongoStore({ url: mongoUrl });
}

/**
 * Opens the event bus at this NATS URL.
 *
 * @param name how NATS lists the connection
 * @throws EventBusError
 */
export async function connectBus(
  natsUrl: string,
  { name, settings, log }: { name: string; settings: Pick<Settings, 'SVC_STREAM_MAX_BYTES'>; log: Logger },
): Promise<EventBus> {
  const { connectNatsBus } = await import('@svcforms/event-bus/nats');
  return connectNatsBus({ url: natsUrl, name, maxBytes: settings.SVC_STREAM_MAX_BYTES, log });
}

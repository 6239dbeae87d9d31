import type { DocumentStore } from '@svcforms/document-store';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import type { EventBus } from '@svcforms/event-bus';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import type { Logger } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';

/** Opens the document store at this MongoDB URL. @throws StoreError */
export function connectStore(mongoUrl: string): Promise<DocumentStore> {
  return connectMongoStore({ url: mongoUrl });
}

/**
 * Opens the event bus at this NATS URL.
 *
 * @param name how NATS lists the connection
 * @throws EventBusError
 */
export function connectBus(
  natsUrl: string,
  { name, settings, log }: { name: string; settings: Pick<Settings, 'SVC_STREAM_MAX_BYTES'>; log: Logger },
): Promise<EventBus> {
  return connectNatsBus({ url: natsUrl, name, maxBytes: settings.SVC_STREAM_MAX_BYTES, log });
}

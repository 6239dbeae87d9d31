import type { DocumentStore } from '@svcforms/document-store';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import type { EventBus } from '@svcforms/event-bus';
import { checkNatsFiles, connectNatsBus, startNatsBus, type NatsBusOptions } from '@svcforms/event-bus/nats';
import type { Logger } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';

type NatsSettings = Pick<
  Settings,
  'SVC_STREAM_MAX_BYTES' | 'SVC_STREAM_REPLICAS' | 'NATS_CREDS_FILE' | 'NATS_NKEY_SEED_FILE' | 'NATS_CA_FILE'
>;

/** Opens the document store at this MongoDB URL. @throws StoreError */
export function connectStore(mongoUrl: string): Promise<DocumentStore> {
  return connectMongoStore({ url: mongoUrl });
}

/** What the settings say about NATS, for `connectNatsBus`. @throws EventBusError `UNSUPPORTED` for a bad file */
export function natsOptions(settings: NatsSettings): Omit<NatsBusOptions, 'url' | 'name' | 'log' | 'resize'> {
  const files = {
    credsFile: settings.NATS_CREDS_FILE,
    nkeySeedFile: settings.NATS_NKEY_SEED_FILE,
    caFile: settings.NATS_CA_FILE,
  };
  checkNatsFiles(files);
  return { ...files, maxBytes: settings.SVC_STREAM_MAX_BYTES, replicas: settings.SVC_STREAM_REPLICAS };
}

/**
 * Opens the event bus at this NATS URL.
 *
 * @param name how NATS lists the connection
 * @param mayBeLate whether the bus connects in the background if no server responds
 * @throws EventBusError
 */
export function connectBus(
  natsUrl: string,
  {
    name,
    settings,
    log,
    mayBeLate = false,
  }: { name: string; settings: NatsSettings; log: Logger; mayBeLate?: boolean },
): Promise<EventBus> {
  const open = mayBeLate ? startNatsBus : connectNatsBus;
  return open({ url: natsUrl, name, log, ...natsOptions(settings) });
}

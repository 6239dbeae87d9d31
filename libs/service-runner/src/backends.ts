import type { DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { NatsBusOptions } from '@svcforms/event-bus/nats';
import type { Logger } from '@svcforms/primitives';
import { SettingsError, type Settings } from '@svcforms/runtime';

type NatsSettings = Pick<
  Settings,
  'SVC_STREAM_MAX_BYTES' | 'SVC_STREAM_REPLICAS' | 'NATS_CREDS_FILE' | 'NATS_NKEY_SEED_FILE' | 'NATS_CA_FILE'
>;

// Each driver is loaded when it is needed: a service without a bus, or a standalone process on the
// embedded backends, does without it.

/**
 * Opens the document store at this MongoDB URL. @throws StoreError, SettingsError if the driver
 * refuses the URL
 */
export async function connectStore(mongoUrl: string): Promise<DocumentStore> {
  const { connectMongoStore } = await import('@svcforms/document-store/mongo');
  try {
    return await connectMongoStore({ url: mongoUrl });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'UNSUPPORTED')) throw error;
    throw new SettingsError(`MONGODB_URL: ${error.message}`);
  }
}

/**
 * What the settings say about NATS, for `connectNatsBus`. @throws EventBusError `UNSUPPORTED` for a
 * bad file
 */
export async function natsOptions(
  settings: NatsSettings,
): Promise<Omit<NatsBusOptions, 'url' | 'name' | 'log' | 'resize'>> {
  const { checkNatsFiles } = await import('@svcforms/event-bus/nats');
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
export async function connectBus(
  natsUrl: string,
  {
    name,
    settings,
    log,
    mayBeLate = false,
  }: { name: string; settings: NatsSettings; log: Logger; mayBeLate?: boolean },
): Promise<EventBus> {
  const { connectNatsBus, startNatsBus } = await import('@svcforms/event-bus/nats');
  const open = mayBeLate ? startNatsBus : connectNatsBus;
  return open({ url: natsUrl, name, log, ...(await natsOptions(settings)) });
}

import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import { addressOptions, hostsOf, tlsOptions } from './address.ts';
import { fileOptions, type NatsFiles } from './credentials.ts';
import { busErrorFrom } from './errors.ts';

/** The timeout of a request, and so the longest that a publish takes in an outage. */
export const REQUEST_TIMEOUT_MS = 5_000;
export const RECONNECT_EVERY_MS = 500;
/** A connection counts as lost after two of these without a response. */
const PING_EVERY_MS = 10_000;

/**
 * The prefix of the subjects on which a process of this name receives responses. Permissions name
 * it.
 */
export const inboxPrefix = (name: string): string => `_INBOX.${name}`;

export interface ConnectOptions extends NatsFiles {
  url: string;
  name: string;
}

/**
 * Connects to one of the servers. The connection then reconnects forever, to whichever server
 * responds.
 * @throws EventBusError `UNAVAILABLE` (no server responds), `DENIED` (wrong credentials),
 * `UNSUPPORTED` (a bad file)
 */
export async function connectTo({
  url,
  name,
  ...files
}: ConnectOptions): Promise<{ nc: NatsConnection; jsm: JetStreamManager }> {
  const nc = await connect({
    ...addressOptions(url),
    ...tlsOptions(url, files.caFile),
    ...fileOptions(files),
    name,
    inboxPrefix: inboxPrefix(name),
    timeout: REQUEST_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
    // A server during its set-up may refuse the credentials for a while, which must not end the
    // connection forever.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_EVERY_MS,
    noAsyncTraces: true,
  }).catch((error: unknown) => {
    throw busErrorFrom(error, `can't connect to NATS at ${hostsOf(url)}`);
  });
  return { nc, jsm: await jetstreamManager(nc, { checkAPI: false, timeout: REQUEST_TIMEOUT_MS }) };
}

interface ConnectionHandlers {
  onDisconnect: () => void;
  onReconnect: () => void;
  /** The server reports an error that ends the connection, or refuses another one. */
  onRefusal: (error: Error) => void;
  onClose: () => void;
}

/** Calls the handlers at each change of the connection, until it is closed. */
export async function watchConnection(
  nc: NatsConnection,
  { onDisconnect, onReconnect, onRefusal, onClose }: ConnectionHandlers,
): Promise<void> {
  for await (const status of nc.status()) {
    if (status.type === 'disconnect') onDisconnect();
    else if (status.type === 'reconnect') onReconnect();
    // A missing permission only rejects its own request.
    else if (status.type === 'error' && !(status.error instanceof PermissionViolationError))
      onRefusal(status.error);
  }
  onClose();
}

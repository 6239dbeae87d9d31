import { generateWebhookSecret } from '@svcforms/signing';
import { join } from 'node:path';
import { hash } from '../hash.ts';
import type { Folders } from '../store/folders.ts';
import { createPrivate, readJson, writePrivate } from '../store/private-file.ts';

/**
 * The signing secret for an account of a server. It is made once, so that a restarted program keeps
 * it.
 */
export function secretOf(baseUrl: string, account: string, folders: Folders): string {
  const file = join(folders.config, 'listen-secrets', hash(`${baseUrl} ${account}`).slice(0, 32));
  return createPrivate(file, `${generateWebhookSecret()}\n`).trim();
}

interface Stored {
  position: string;
  /** ISO 8601. */
  storedAt: string;
  /** For people who look into the file. */
  baseUrl: string;
  account: string;
  forward: string;
  events: string;
}

export interface Listener {
  baseUrl: string;
  account: string;
  /** The URL that events are forwarded to. */
  forward: string;
  events: string;
}

export interface PositionStore {
  /** Identifies the listener: another URL or other events have a position of their own. */
  listenerId: string;
  read(): Pick<Stored, 'position' | 'storedAt'> | null;
  write(position: string): void;
}

/** Where a listener continues when it is started again. */
export function openPositionStore(listener: Listener, { state }: Folders): PositionStore {
  const { baseUrl, account, forward, events } = listener;
  const listenerId = hash([baseUrl, account, forward, events].join(' ')).slice(0, 32);
  const file = join(state, 'listen', `${listenerId}.json`);
  let last: string | undefined;
  return {
    listenerId,
    read: () => readJson<Stored>(file),
    write(position) {
      if (position === last) return;
      const stored: Stored = { position, storedAt: new Date().toISOString(), ...listener };
      writePrivate(file, `${JSON.stringify(stored, null, 2)}\n`);
      last = position;
    },
  };
}

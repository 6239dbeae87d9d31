import {
  credsAuthenticator,
  nkeyAuthenticator,
  nkeys,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { EventBusError } from '../port/port.ts';

/** Paths of the files that authenticate this process to the servers, and the servers to it. */
export interface NatsFiles {
  /** A credentials file of `nsc`: the JWT and the NKEY seed of a user. */
  credsFile?: string | undefined;
  /** The NKEY seed of a user. */
  nkeySeedFile?: string | undefined;
  /**
   * Certificates (PEM) of the authorities that sign the certificates of the servers. Requires TLS.
   */
  caFile?: string | undefined;
}

interface FileKind {
  setting: string;
  contains: string;
  /** @throws Error if the file has other content */
  check: (content: Uint8Array) => unknown;
}

const CREDS: FileKind = {
  setting: 'NATS_CREDS_FILE',
  contains: 'the JWT and the NKEY seed of a user, as nsc writes them',
  // Without a challenge, it reads the JWT and the seed and signs nothing.
  check: (content) => credsAuthenticator(content)(''),
};
const NKEY: FileKind = {
  setting: 'NATS_NKEY_SEED_FILE',
  contains: 'the NKEY seed of a user, which begins with SU',
  check: seedIn,
};
const CA: FileKind = {
  setting: 'NATS_CA_FILE',
  contains: 'certificates in PEM format',
  check: (content) => new X509Certificate(content),
};

/**
 * Reads the files and checks their content.
 * @throws EventBusError `UNSUPPORTED` that names the setting and the file, but no content
 */
export function checkNatsFiles({ credsFile, nkeySeedFile, caFile }: NatsFiles): void {
  if (credsFile) readValid(CREDS, credsFile);
  if (nkeySeedFile) readValid(NKEY, nkeySeedFile);
  if (caFile) readValid(CA, caFile);
}

/**
 * The connection options for these files, except for the CA file. They are read again for each
 * connection, so that renewed credentials take effect without a restart.
 */
export function fileOptions({ credsFile, nkeySeedFile }: NatsFiles): NodeConnectionOptions {
  return {
    ...(credsFile && { authenticator: credsAuthenticator(rereading(CREDS, credsFile)) }),
    ...(nkeySeedFile && {
      authenticator: nkeyAuthenticator(rereading(NKEY, nkeySeedFile, seedIn)),
    }),
  };
}

/**
 * Returns a function that reads the file, or has its last valid content while a program rewrites
 * it.
 */
function rereading(
  kind: FileKind,
  path: string,
  convert: (content: Uint8Array) => Uint8Array = (content) => content,
): () => Uint8Array {
  let latest = readValid(kind, path);
  return () => {
    try {
      const content = read(kind, path);
      if (!content.equals(latest)) latest = readValid(kind, path);
    } catch {
      // The server decides whether the older credentials still apply.
    }
    return convert(latest);
  };
}

/** @throws EventBusError `UNSUPPORTED` */
function readValid(kind: FileKind, path: string): Buffer {
  const content = read(kind, path);
  try {
    kind.check(content);
  } catch {
    // The reason of the library may quote the content.
    throw new EventBusError('UNSUPPORTED', `${kind.setting} ${path} must contain ${kind.contains}`);
  }
  return content;
}

function read({ setting }: FileKind, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new EventBusError('UNSUPPORTED', `${setting} ${path} can't be read: ${(error as Error).message}`);
  }
}

/** Extracts the seed, which programs write with or without a frame of dashes. */
function seedIn(content: Uint8Array): Uint8Array {
  const [seed = ''] = /\bSU[A-Z2-7]{56}\b/.exec(Buffer.from(content).toString('utf8')) ?? [];
  const bytes = new TextEncoder().encode(seed);
  nkeys.fromSeed(bytes);
  return bytes;
}

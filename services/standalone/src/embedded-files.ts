import { SettingsError, type Settings } from '@svcforms/runtime';
import { readEncryptionKeys } from '@svcforms/runtime';
import type { Logger } from '@svcforms/primitives';
import { generateEncryptionKey } from '@svcforms/signing';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const KEY_MISSING =
  'the key of the existing database is missing, and a new one was created: secrets of webhooks, inbound endpoints and two-factor authentication can\'t be decrypted. Append a comma and the old key to this file and restart; if it is lost, see "The encryption key is lost" in docs/operations.md';

/** Returns the data folder, and creates it if necessary. @throws SettingsError */
export function dataFolder(settings: Settings): string {
  const folder = resolve(settings.SVC_DATA_DIR);
  try {
    createFolder(folder);
  } catch (error) {
    throw new SettingsError(`SVC_DATA_DIR ${folder} can't be created: ${(error as Error).message}`);
  }
  return folder;
}

/**
 * Creates the folder and its missing parents. `recursive` of Node.js never returns where a file
 * system creates none, such as /proc.
 */
function createFolder(folder: string): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isThere()) return;
  const parent = dirname(folder);
  if (!existsSync(parent)) createFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process, such as the admin command, may have created it meanwhile.
    if (!isThere()) throw error;
  }
}

/** The file of the embedded store and bus. */
export const databaseIn = (folder: string): string => join(folder, 'svcforms.db');

/**
 * Returns the keys from the environment, or else the one in the data folder, which the first start
 * creates. @throws SettingsError
 */
export function encryptionKeysIn(folder: string, settings: Settings, log: Pick<Logger, 'error'>): string[] {
  const given = readEncryptionKeys(settings);
  if (given) return given;
  const path = join(folder, 'encryption.key');
  if (!existsSync(path)) {
    createKeyFile(path);
    const hasData = existsSync(databaseIn(folder));
    if (hasData) log.error({ event: 'key.missing', path }, KEY_MISSING);
  }
  const created = readEncryptionKeys({ ...settings, SVC_ENCRYPTION_KEY_FILE: path });
  if (!created) throw new SettingsError(`${path} contains no key`);
  return created;
}

/**
 * The key appears under its name only when it is complete. After a kill or a full disk, the next
 * start would otherwise read an empty file as the key. If another process creates one at the same
 * time, the first one stays.
 */
function createKeyFile(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${generateEncryptionKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    publishFile(draft, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const line = `${path} can't be written: ${message}`;
    if (code === 'ENOSPC') throw Object.assign(new Error(line, { cause: error }), { code });
    throw new SettingsError(`SVC_DATA_DIR: ${line}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives a file its name, unless another file has it. */
function publishFile(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (existsSync(path)) return;
    // A symbolic link to a file that is missing, such as on a volume that isn't mounted.
    if (lstatSync(path, { throwIfNoEntry: false })) throw error;
    // A file system without hard links.
    renameSync(draft, path);
  }
}

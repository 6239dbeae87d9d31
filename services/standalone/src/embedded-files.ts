import { SettingsError, type Settings } from '@svcforms/runtime';
import { readEncryptionKeys } from '@svcforms/runtime';
import { generateEncryptionKey } from '@svcforms/signing';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the embedded stores, made when it isn't there. @throws SettingsError */
export function dataFolder(settings: Settings): string {
  const folder = resolve(settings.SVC_DATA_DIR);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SettingsError(`SVC_DATA_DIR ${folder} can not be made: ${(error as Error).message}`);
  }
  return folder;
}

/** The keys from the environment; else the one under the data folder, made at the first start. @throws SettingsError */
export function encryptionKeysIn(folder: string, settings: Settings): string[] {
  const given = readEncryptionKeys(settings);
  if (given) return given;
  const path = join(folder, 'encryption.key');
  if (!existsSync(path)) makeKeyFile(path);
  const made = readEncryptionKeys({ ...settings, SVC_ENCRYPTION_KEY_FILE: path });
  if (!made) throw new SettingsError(`${path} holds no key`);
  return made;
}

function makeKeyFile(path: string): void {
  try {
    writeFileSync(path, `${generateEncryptionKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // What a full disk leaves would be taken for the key at the next start.
    if (code !== 'EEXIST') rmSync(path, { force: true });
    const line = `${path} can not be written: ${message}`;
    if (code === 'ENOSPC') throw Object.assign(new Error(line, { cause: error }), { code });
    throw new SettingsError(`SVC_DATA_DIR: ${line}`);
  }
}

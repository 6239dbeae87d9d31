import { readSettings } from './settings.ts';
import { tempFolder } from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEncryptionKeys } from './encryption-keys.ts';

const [first, second] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
const folder = tempFolder();

function fileWith(text: string): string {
  const path = join(folder, randomBytes(4).toString('hex'));
  writeFileSync(path, text);
  return path;
}

const keysOf = (environment: Record<string, string>) => readEncryptionKeys(readSettings(environment));

describe('the encryption keys', () => {
  it.each([
    ['one', first, [first]],
    ['a list with the newest first', `${first},${second}`, [first, second]],
    ['a list with blanks', ` ${first} , ${second} `, [first, second]],
  ])('are %s, in the environment or in a file', (_, text, keys) => {
    expect(keysOf({ SVC_ENCRYPTION_KEY: text })).toEqual(keys);
    expect(keysOf({ SVC_ENCRYPTION_KEY_FILE: fileWith(`${text}\n`) })).toEqual(keys);
  });

  it('are those of the environment where both are given', () => {
    expect(keysOf({ SVC_ENCRYPTION_KEY: first, SVC_ENCRYPTION_KEY_FILE: fileWith(second) })).toEqual([first]);
  });

  it('are undefined where none are given', () => {
    expect(keysOf({})).toBeUndefined();
  });

  it.each([
    ['that is not there', join(folder, 'none'), /^SVC_ENCRYPTION_KEY_FILE \S+none can't be read: ENOENT/],
    ['that is a folder', folder, /^SVC_ENCRYPTION_KEY_FILE \S+ can't be read: EISDIR/],
    ['that is empty', fileWith(''), /^SVC_ENCRYPTION_KEY_FILE \S+ must contain 32 bytes in base64/],
    [
      'that holds too little',
      fileWith('c2hvcnQ='),
      /^SVC_ENCRYPTION_KEY_FILE \S+ must contain 32 bytes in base64/,
    ],
  ])('in a file %s are refused in one line that never shows a key', (_, path, message) => {
    expect(() => keysOf({ SVC_ENCRYPTION_KEY_FILE: path })).toThrow(
      expect.objectContaining({ name: 'SettingsError', message: expect.stringMatching(message) }),
    );
  });
});

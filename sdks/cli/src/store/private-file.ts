import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';

/** Returns the JSON of a file; `null` if the file doesn't exist. */
export function readJson<T>(file: string): T | null {
  const text = readText(file);
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Failure(`${file} isn't valid JSON; correct or delete it.`);
  }
}

/** Returns the text of a file; `null` if the file doesn't exist. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error);
  }
}

/**
 * Replaces a file that only its owner may read. A reader finds the old content or the new one,
 * never a part.
 */
export function writePrivate(file: string, text: string): void {
  withTemporary(file, text, (temporary) => renameSync(temporary, file));
}

/**
 * Creates a file that only its owner may read, unless it exists. Returns the text that it has then.
 */
export function createPrivate(file: string, text: string): string {
  withTemporary(file, text, (temporary) => {
    try {
      linkSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(temporary);
    }
  });
  return readText(file) ?? text;
}

function withTemporary(file: string, text: string, move: (temporary: string) => void): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600 });
    move(temporary);
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Failure(`${file} can't be used (${code ?? message}); check its permissions and the disk.`);
}

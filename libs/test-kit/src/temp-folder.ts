import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';

/** An empty folder that is removed when the test file ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcforms-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

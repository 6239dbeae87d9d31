import { DAY_MS } from '@svcforms/primitives';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { access, constants, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { timeOfBackup, type StoredBackup } from './backup-name.ts';
import { BackupError, type BackupTarget } from './target.ts';

const PARTIAL = '.partial';
/** A process that was killed left a file that is older. */
const PARTIAL_KEPT_MS = DAY_MS;

/**
 * Stores backups as files that only their owner can read. The folder must exist: a missing mount
 * must not go unnoticed.
 */
export function createFolderTarget(folder: string): BackupTarget {
  const path = resolve(folder);

  async function removeOldPartials(): Promise<void> {
    for (const name of await readdir(path)) {
      if (!name.endsWith(PARTIAL) || timeOfBackup(name.slice(0, -PARTIAL.length)) === undefined) continue;
      const { mtimeMs } = await stat(join(path, name));
      if (mtimeMs < Date.now() - PARTIAL_KEPT_MS) await rm(join(path, name), { force: true });
    }
  }

  return {
    description: path,

    async write(name, content) {
      const partial = join(path, `${name}${PARTIAL}`);
      try {
        await access(path, constants.W_OK);
        await removeOldPartials();
        await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
        const { size } = await stat(partial);
        await rename(partial, join(path, name));
        await syncFolder(path);
        return size;
      } catch (error) {
        content.destroy();
        await rm(partial, { force: true }).catch(() => undefined);
        throw folderError(path, error);
      }
    },

    async list() {
      const names = await readdir(path).catch((error: unknown) => {
        throw folderError(path, error);
      });
      const found = names.map(async (name): Promise<StoredBackup[]> => {
        const at = timeOfBackup(name);
        // Another process may have deleted it since.
        const file = at === undefined ? undefined : await stat(join(path, name)).catch(() => undefined);
        return at === undefined || !file?.isFile()
          ? []
          : [{ name, at, bytes: file.size, storedAt: file.mtimeMs }];
      });
      return (await Promise.all(found)).flat();
    },

    async open(name) {
      const file = join(path, name);
      if (!existsSync(file)) throw new BackupError('NOT_FOUND', `${path} has no backup ${name}`);
      return createReadStream(file);
    },

    remove: (name) => rm(join(path, name), { force: true }),
  };
}

/** Makes the new name durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Errors of the file system get a code that tells an operator what to do; others are those of the
 * stream.
 */
function folderError(path: string, error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const reason = `the folder ${path} can't be used for backups: ${message}`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BackupError('FULL', reason, { cause: error });
  return new BackupError(code === 'ENOENT' ? 'UNAVAILABLE' : 'DENIED', reason, { cause: error });
}

import type { Clock, Logger } from '@svcforms/primitives';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { EventBus } from '@svcforms/event-bus';
import { dump, type DumpDeps } from '../dump/dump.ts';
import { erasuresFrom, readLines } from '../dump/files.ts';
import { verifyDump, type Amount } from '../dump/lines.ts';
import { restore, type RestoreDeps } from '../dump/restore.ts';
import { newBackupName, newestFirst, type StoredBackup } from './backup-name.ts';
import { doubtAboutClock, doubtAboutTimes, inFuture, isInFuture } from './clock-doubt.ts';
import { expiredBackups, type Retention } from './retention.ts';
import { BackupError, type BackupTarget } from './target.ts';

/** A backup with what it contains. */
interface WrittenBackup extends Amount {
  name: string;
  bytes: number;
}

interface CreatedBackup extends WrittenBackup {
  deleted: string[];
  /** Why expired backups were not deleted. */
  notDeleted?: string;
}

/** The backups of an installation in one target. */
export interface Backups {
  /** Where they are stored, for messages. */
  description: string;
  /**
   * Stores a dump, then deletes the backups that have expired, unless a clock seems to be wrong.
   * The product may be running.
   */
  create(deps: DumpDeps & { bus: Pick<EventBus, 'serverTime'> }): Promise<CreatedBackup>;
  /** All backups, the newest first. */
  list(): Promise<StoredBackup[]>;
  /**
   * Reads a whole backup. @param name a name or `latest` @throws BackupError `DAMAGED`, `NOT_FOUND`
   */
  verify(name: string): Promise<WrittenBackup>;
  /**
   * Verifies a backup before it restores it into an empty store, without what the newest backup and
   * `erasuresFile` list as erased.
   * @param name a name or `latest` @throws BackupError `DAMAGED`, `NOT_FOUND`; as `restore`
   */
  restore(
    name: string,
    deps: Omit<RestoreDeps, 'erasures'> & { erasuresFile?: string | undefined },
  ): Promise<WrittenBackup>;
}

interface BackupsDeps {
  target: BackupTarget;
  retention: Retention;
  log: Pick<Logger, 'info' | 'warn'>;
  now: Clock;
}

export function createBackups(own: BackupsDeps): Backups {
  const { target, log, now } = own;
  const list = async () => newestFirst(await target.list());

  async function find(name: string): Promise<StoredBackup> {
    const all = await list();
    const found = name === 'latest' ? newestOf(all) : all.find((backup) => backup.name === name);
    if (found) return found;
    const hint = all.length === 0 ? 'it has no backups' : '"backup list" lists those that it has';
    throw new BackupError('NOT_FOUND', `${target.description} has no backup ${name}: ${hint}`);
  }

  /** @throws BackupError `WRONG_TIME` if it is in the future, because another one may be newer */
  function newestOf([newest]: readonly StoredBackup[]): StoredBackup | undefined {
    if (!newest || !isInFuture(newest, now())) return newest;
    throw new BackupError('WRONG_TIME', `it is not known which backup is the newest: ${inFuture(newest)}`);
  }

  async function* linesOf(name: string): AsyncGenerator<string> {
    const content = await target.open(name);
    try {
      yield* readLines(content, { gzip: true });
    } catch (error) {
      // Otherwise the target delivered the backup, and the backup is damaged.
      if (error !== content.errored) throw error;
      const reason = `${target.description}: ${name} can't be read: ${(error as Error).message}`;
      throw new BackupError('UNAVAILABLE', reason, { cause: error });
    }
  }

  async function verified({ name, bytes }: StoredBackup): Promise<WrittenBackup> {
    try {
      const { documents, events } = await verifyDump(linesOf(name));
      return { name, bytes, documents, events };
    } catch (error) {
      if (error instanceof BackupError) throw error;
      throw new BackupError('DAMAGED', `${name} is not a complete backup: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Verifies a backup; if it is damaged, the error also says what to do. */
  async function verifiedOr(advice: string, backup: StoredBackup): Promise<WrittenBackup> {
    try {
      return await verified(backup);
    } catch (error) {
      if (!(error instanceof BackupError && error.code === 'DAMAGED')) throw error;
      throw new BackupError('DAMAGED', `${error.message}; ${advice}`, { cause: error });
    }
  }

  return {
    description: target.description,
    list,
    verify: async (name) => verified(await find(name)),

    async create(deps) {
      const startedAt = now();
      const name = newBackupName(startedAt);
      const { amount, bytes } = await store(target, name, deps);
      const expired = await deleteExpired(own, { bus: deps.bus, name, startedAt });
      const durationMs = now() - startedAt;
      const facts = { backup: name, bytes, ...amount, deleted: expired.deleted.length, durationMs };
      log.info({ event: 'backup.created', ...facts }, `backup ${name} is stored in ${target.description}`);
      return { name, bytes, ...amount, ...expired };
    },

    async restore(name, { erasuresFile, ...deps }) {
      const erasures = await erasuresFrom(erasuresFile);
      const backup = await find(name);
      const all = await list();
      const newest = newestOf(all) ?? backup;
      const before = all[1];
      const isNewest = newest.name === backup.name;
      const whole =
        isNewest && before
          ? await verifiedOr(`remove it to restore the one before, ${before.name}`, backup)
          : await verified(backup);
      // An older backup contains what was erased since; the newest one knows.
      if (!isNewest) {
        const advice = 'it lists what was erased since: remove it to restore with the list of the one before';
        await verifiedOr(advice, newest);
        erasures.push(linesOf(newest.name));
      }
      return { ...whole, ...(await restore(linesOf(backup.name), { ...deps, erasures })) };
    },
  };
}

/** Streams a compressed dump to the target. */
async function store(
  target: BackupTarget,
  name: string,
  deps: DumpDeps,
): Promise<{ amount: Amount; bytes: number }> {
  let amount: Amount | undefined;
  async function* lines() {
    amount = yield* dump(deps);
  }
  const content = new PassThrough();
  // If the dump fails, the target gets an error in place of the end, and stores nothing.
  const dumped = pipeline(Readable.from(lines(), { objectMode: false }), createGzip(), content);
  const [written, read] = await Promise.allSettled([target.write(name, content), dumped]);
  if (written.status === 'rejected') throw written.reason;
  if (read.status === 'rejected') throw read.reason;
  if (!amount) throw new Error('the dump ended early');
  return { amount, bytes: written.value };
}

/**
 * Deletes expired backups. The new one is stored already, so a failure here is only a warning. It
 * stays even if another has a later time, because it began meanwhile.
 */
async function deleteExpired(
  { target, retention, log, now }: BackupsDeps,
  { bus, name: stored, startedAt }: { bus: Pick<EventBus, 'serverTime'>; name: string; startedAt: number },
): Promise<Pick<CreatedBackup, 'deleted' | 'notDeleted'>> {
  const deleted: string[] = [];
  try {
    const all = await target.list();
    const others = {
      [target.description]: all.find(({ name }) => name === stored)?.storedAt,
      'the NATS server': (await bus.serverTime()) ?? undefined,
    };
    const doubt =
      doubtAboutClock({ from: startedAt, to: now() }, others) ??
      doubtAboutTimes(all, { keepDays: retention.keepDays, now: now() });
    if (doubt !== undefined) throw new BackupError('WRONG_TIME', doubt);
    for (const { name } of expiredBackups(all, retention, now())) {
      if (name === stored) continue;
      await target.remove(name);
      deleted.push(name);
    }
  } catch (error) {
    const { message } = error as Error;
    log.warn({ event: 'backup.not_deleted', error: message }, 'expired backups could not be deleted');
    return { deleted, notDeleted: message };
  }
  return { deleted };
}

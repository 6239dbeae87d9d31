import { isoTime } from '@svcforms/primitives';
import type { Backups } from '../backup/backups.ts';
import { amountText } from '../dump/lines.ts';
import type { Command } from './admin-command.ts';
import { UsageError } from './usage-error.ts';

const sizeText = (bytes: number): string => `${bytes} bytes`;
const timeText = (at: number): string => isoTime(at);

/** The commands for backups that use the store. docs/operations.md#backups */
export const backupCommands: Readonly<Record<string, Command>> = {
  async 'backup create'({ store, bus, backups, now }) {
    // Settings first: they are wrong more often than a backend is unavailable.
    const target = backups();
    const { name, bytes, deleted, notDeleted, ...amount } = await target.create({
      store,
      bus: await bus(),
      now,
    });
    return [
      `${name} stored: ${amountText(amount)}, ${sizeText(bytes)}; back up the encryption key separately`,
      ...deleted.map((old) => `${old} deleted: it has expired`),
      ...(notDeleted === undefined ? [] : [`expired backups were not deleted: ${notDeleted}`]),
    ];
  },

  async 'backup restore'({ store, bus, backups, secretBox }, options, [name]) {
    if (!name) throw new UsageError('backup restore requires the name of a backup, or latest');
    const target = backups();
    const deps = { store, bus: await bus(), secretBox: secretBox(), erasuresFile: options['erasures'] };
    const restored = await target.restore(name, deps);
    return [`${restored.name}: ${amountText(restored)} restored; you can start the product`];
  },
};

/** The commands that read backups alone: they work where no product has run. */
export const readOnlyBackupCommands: Readonly<
  Record<string, (backups: Backups, operands: readonly string[]) => Promise<string[]>>
> = {
  async 'backup list'(backups) {
    const all = await backups.list();
    return all.map(({ name, at, bytes }) => `${name} ${timeText(at)} ${sizeText(bytes)}`);
  },

  async 'backup verify'(backups, [name = 'latest']) {
    const { name: verified, bytes, ...amount } = await backups.verify(name);
    return [`${verified} is complete: ${amountText(amount)}, ${sizeText(bytes)}`];
  },
};

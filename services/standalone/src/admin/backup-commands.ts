import { isoTime } from '@svcforms/primitives';
import { amountText } from '../dump/lines.ts';
import type { Command } from './admin-command.ts';
import { UsageError } from './usage-error.ts';

const sizeText = (bytes: number): string => `${bytes} bytes`;
const timeText = (at: number): string => isoTime(at);

/** The commands for backups. docs/operations.md#backups */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup create',
    usage: [
      'backup create                    stores a dump in SVC_BACKUP_DIR or SVC_BACKUP_S3_BUCKET, and deletes expired ones',
    ],
    async run({ store, bus, backups, now }) {
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
  },
  {
    name: 'backup list',
    usage: ['backup list                      lists them, the newest first'],
    async read(backups) {
      const all = await backups.list();
      return all.map(({ name, at, bytes }) => `${name} ${timeText(at)} ${sizeText(bytes)}`);
    },
  },
  {
    name: 'backup verify',
    usage: ['backup verify [NAME|latest]      reads a whole backup and checks it'],
    operands: 1,
    async read(backups, [name = 'latest']) {
      const { name: verified, bytes, ...amount } = await backups.verify(name);
      return [`${verified} is complete: ${amountText(amount)}, ${sizeText(bytes)}`];
    },
  },
  {
    name: 'backup restore',
    usage: [
      'backup restore NAME|latest [--erasures FILE]   verifies a backup and restores it, as restore does',
    ],
    operands: 1,
    options: ['erasures'],
    startsFresh: true,
    async run({ store, bus, backups, secretBox }, options, [name]) {
      if (!name) throw new UsageError('backup restore requires the name of a backup, or latest');
      const target = backups();
      const deps = { store, bus: await bus(), secretBox: secretBox(), erasuresFile: options['erasures'] };
      const restored = await target.restore(name, deps);
      return [`${restored.name}: ${amountText(restored)} restored; you can start the product`];
    },
  },
];

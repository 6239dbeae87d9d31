import { isId } from '@svcforms/contracts';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import { DAY_MS } from '@svcforms/primitives';
import { republishEvents } from '@svcforms/records';
import { COLLECTIONS } from '../dump/collections.ts';
import { dumpErasures } from '../dump/dump.ts';
import { dumpTo, restoreFrom } from '../dump/files.ts';
import { amountText } from '../dump/lines.ts';
import { accountCommands } from './account-commands.ts';
import { transferCommands } from './account-transfer-commands.ts';
import { required, type Command } from './admin-command.ts';
import { backupCommands } from './backup-commands.ts';
import { timeOf } from './option-values.ts';
import { resealSecrets } from './reseal.ts';
import { traceSubmission } from './trace-submission.ts';
import { UsageError } from './usage-error.ts';
import { userCommands } from './user-commands.ts';

/** One day less than the retention of deliveries. */
const REPUBLISH_AT_MOST_MS = 29 * DAY_MS;

/**
 * The admin commands, in the order of the help.
 * docs/reference/authentication.md#admin-command
 */
export const commands: readonly Command[] = [
  ...accountCommands,
  ...userCommands,
  {
    name: 'submission trace',
    usage: [
      'submission trace ID              what happened to a submission: its events, deliveries, attempts and emails',
    ],
    operands: 1,
    async run({ store }, _options, [id]) {
      if (!id || !isId('sub', id)) {
        throw new UsageError('submission trace requires the id of a submission: sub_ and 26 characters');
      }
      return traceSubmission(store, id);
    },
  },
  ...transferCommands,
  {
    name: 'secrets reseal',
    usage: [
      'secrets reseal [--lost-key ID,…]   encrypts all secrets with the first key; --lost-key: permanently drops secrets whose key is lost;',
      'features that need them fail until you set new ones',
    ],
    options: ['lost-key'],
    async run({ store, secretBox, announceChanges, audit, now }, options) {
      const dropped = new Map<string, number>();
      const onDropped = (accountId: string, count: number) =>
        dropped.set(accountId, (dropped.get(accountId) ?? 0) + count);
      try {
        const lostKeys = options['lost-key']?.split(',');
        const { documents, remedies } = await resealSecrets(
          { store, secretBox: secretBox(), now },
          { lostKeys },
          onDropped,
        );
        return [
          `${documents} resealed with the first key; remove the others from the list 7 days after it became ` +
            'the first, when the receipts and the links in emails that they sealed have expired',
          ...(remedies.length === 0 ? [] : ['these have no secret, because its key is lost:']),
          ...remedies.map((remedy) => `  ${remedy}`),
        ];
      } finally {
        await announceChanges();
        const accounts = store.collection<AccountRecord>(ACCOUNTS);
        for (const [accountId, count] of dropped) {
          const name = (await accounts.findOne({ _id: accountId }))?.name ?? '';
          // They could be decrypted again if the key is found, so the audit log says that they are
          // gone.
          const changes = { undecryptableSecrets: { from: count, to: 0 } };
          await audit({ accountId, action: 'account.updated', target: { id: accountId, name }, changes });
        }
      }
    },
  },
  {
    name: 'indexes ensure',
    usage: ['indexes ensure                   creates the indexes of an upgrade in advance'],
    async run({ store }) {
      for (const spec of COLLECTIONS) store.collection(spec);
      await store.ensureIndexes();
      return [`the indexes of ${COLLECTIONS.length} collections exist`];
    },
  },
  {
    name: 'events republish',
    usage: [
      'events republish --since TIME    republishes events that NATS lost; no webhook receives them twice',
    ],
    options: ['since'],
    async run({ store, now }, options) {
      const since = timeOf(required(options, 'since'), 'since');
      if (since < now() - REPUBLISH_AT_MOST_MS) {
        throw new UsageError(
          '--since must be at most 29 days ago: older deliveries have expired and would be sent again',
        );
      }
      if (since > now()) throw new UsageError('--since must be in the past: no events are newer than now');
      const count = await republishEvents(store, since);
      return [`the events of ${count} submissions and tasks will be republished once the product runs`];
    },
  },
  {
    name: 'dump',
    usage: [
      'dump FILE       writes all data to a new file (- is standard output); the product may be running',
    ],
    operands: 1,
    writesTo: 0,
    async run({ store, bus, io, now }, _options, [file]) {
      if (!file) throw new UsageError('dump requires a file, or - for standard output');
      const amount = await dumpTo(file, { store, bus: await bus(), stdout: io.stdout, now });
      return [`${amountText(amount)} dumped; back up the encryption key separately`];
    },
  },
  {
    name: 'restore',
    usage: [
      'restore FILE [--erasures FILE]   restores a dump (- is standard input) into an empty store, before the product first starts',
      'on it; leaves out what a later dump or export lists as erased',
    ],
    operands: 1,
    options: ['erasures'],
    startsFresh: true,
    async run({ store, bus, io, secretBox }, options, [file]) {
      if (!file) throw new UsageError('restore requires a file, or - for standard input');
      const erasuresFile = options['erasures'];
      const amount = await restoreFrom(file, {
        store,
        bus: await bus(),
        stdin: io.stdin,
        secretBox: secretBox(),
        erasuresFile,
      });
      return [`${amountText(amount)} restored; you can start the product`];
    },
  },
  ...backupCommands,
  {
    name: 'erasures export',
    usage: ['erasures export FILE             writes the ids of erased data, for restore'],
    operands: 1,
    writesTo: 0,
    async run({ store, bus, io, now }, _options, [file]) {
      if (!file) throw new UsageError('erasures export requires a file, or - for standard output');
      const { documents } = await dumpTo(
        file,
        { store, bus: await bus(), stdout: io.stdout, now },
        dumpErasures,
      );
      return [`${documents} tombstones exported for "restore --erasures"`];
    },
  },
];

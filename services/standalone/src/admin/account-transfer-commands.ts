import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileLines, writeLines } from '../dump/files.ts';
import { amountText } from '../dump/lines.ts';
import { exportAccount } from '../transfer/export-account.ts';
import { importAccount } from '../transfer/import-account.ts';
import { noAccount, type AdminDeps, type Command, type Options } from './admin-command.ts';
import { warnOfSeveralAccounts } from './several-accounts.ts';
import { UsageError } from './usage-error.ts';

const MIN_PASSPHRASE_LENGTH = 12;

/** The commands that move an account to another installation. docs/operations.md#move-an-account */
export const transferCommands: readonly Command[] = [
  {
    name: 'account export',
    usage: [
      'account export ACCOUNT FILE [--passphrase-stdin]   writes one account to a new file (- is standard output)',
    ],
    operands: 2,
    options: ['passphrase-stdin'],
    writesTo: 1,
    async run(deps, options, [accountId, file]) {
      if (!accountId || !file) {
        throw new UsageError('account export requires an account and a file, or - for standard output');
      }
      const { store, bus, secretBox, io, audit, now } = deps;
      const account = await store
        .collection<AccountRecord>(ACCOUNTS)
        .findOne({ _id: accountId, erasedAt: null });
      if (!account) throw noAccount(accountId);
      const passphrase = await passphraseOf(deps, options, 'new passphrase');
      if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
        throw new UsageError(`the passphrase must have at least ${MIN_PASSPHRASE_LENGTH} characters`);
      }
      const exportDeps = { store, bus: await bus(), secretBox: secretBox(), passphrase, now };
      const amount = await writeLines(file, exportAccount(exportDeps, account), io.stdout);
      const target = { id: accountId, name: account.name };
      await audit({ accountId, action: 'account.exported', target });
      return [`${accountId} ${account.name}: ${amountText(amount)} exported`];
    },
  },
  {
    name: 'account import',
    usage: [
      'account import FILE [--continue] [--passphrase-stdin]   adds that account to another installation (- is standard input);',
      '--continue: continues its deliveries, tasks and emails here instead of in the source installation',
    ],
    operands: 1,
    options: ['continue', 'passphrase-stdin'],
    async run(deps, options, [file]) {
      if (!file) throw new UsageError('account import requires a file, or - for standard input');
      const { store, secretBox, io, announceChanges, audit, now } = deps;
      const continues = options['continue'] !== undefined;
      const passphrase = await passphraseOf(deps, options, 'passphrase');
      const imported = await withFile(file, io.stdin, (path) =>
        importAccount(() => fileLines(path), { store, secretBox: secretBox(), passphrase, continues, now }),
      );
      await announceChanges();
      const { id, originalId, name, documents, inProgress } = imported;
      const target = { id, name };
      await audit({ accountId: id, action: 'account.imported', target });
      await warnOfSeveralAccounts(deps);
      const origin = id === originalId ? '' : ` (${originalId} in the export)`;
      const rest = continues ? 'continue here' : 'ended here, because the other installation continues them';
      return [
        `${id} ${name}${origin}: ${documents} documents imported`,
        ...(inProgress === 0
          ? []
          : [`deliveries, tasks and emails in progress: ${inProgress}; they ${rest}`]),
      ];
    },
  },
];

async function passphraseOf(
  { io }: Pick<AdminDeps, 'io'>,
  options: Options,
  kind: 'passphrase' | 'new passphrase',
): Promise<string> {
  const passphrase = await io.readPassword(
    options['passphrase-stdin'] === undefined ? 'terminal' : 'first line',
    kind,
  );
  if (passphrase) return passphrase;
  throw new UsageError(
    'a passphrase is required, because it encrypts the secrets of the file: enter it at a terminal, or pass it as the first line of standard input with --passphrase-stdin',
  );
}

/**
 * An import reads its file several times, so standard input becomes a temporary file that only its
 * owner can read.
 */
async function withFile<T>(file: string, stdin: Readable, use: (path: string) => Promise<T>): Promise<T> {
  if (file !== '-') return use(file);
  const folder = mkdtempSync(join(tmpdir(), 'svcforms-import-'));
  try {
    const path = join(folder, 'account.ndjson');
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

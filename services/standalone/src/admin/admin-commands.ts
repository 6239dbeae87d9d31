import { AppError, isBlank, isId, newId, PLANS, ROLES, SCOPES, UserIn } from '@svcforms/contracts';
import { isDuplicateKey, type DocumentStore } from '@svcforms/document-store';
import {
  ACCOUNTS,
  API_KEYS,
  disableTotp,
  newApiKey,
  passwordProblem,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type UserRecord,
} from '@svcforms/identity';
import { DAY_MS, isoTime } from '@svcforms/primitives';
import { republishEvents } from '@svcforms/records';
import { generateToken } from '@svcforms/signing';
import { COLLECTIONS } from '../dump/collections.ts';
import { dumpErasures } from '../dump/dump.ts';
import { dumpTo, restoreFrom } from '../dump/files.ts';
import { amountText } from '../dump/lines.ts';
import { transferCommands } from './account-transfer-commands.ts';
import { noAccount, required, type Command, type Options } from './admin-command.ts';
import { backupCommands } from './backup-commands.ts';
import { deleteAccount } from './delete-account.ts';
import { resealSecrets } from './reseal.ts';
import { setPassword } from './set-password.ts';
import { setSingleSignOn } from './set-single-sign-on.ts';
import { warnOfSeveralAccounts } from './several-accounts.ts';
import { traceSubmission } from './trace-submission.ts';
import { UsageError } from './usage-error.ts';

/** One day less than the retention of deliveries. */
const REPUBLISH_AT_MOST_MS = 29 * DAY_MS;

/**
 * The admin commands, by name. Only these change the plan of an account.
 * docs/reference/authentication.md#admin-command
 */
export const commands: Readonly<Record<string, Command>> = {
  ...backupCommands,
  ...transferCommands,

  async 'account create'(deps, options) {
    const { store, audit, now } = deps;
    const account: AccountRecord = {
      _id: newId('acc'),
      name: nameOf(options),
      plan: oneOf(PLANS, 'plan', options['plan'] ?? 'free'),
      createdAt: isoTime(now()),
    };
    await store.collection<AccountRecord>(ACCOUNTS).insertOne(account);
    const { _id: id, name } = account;
    await audit({ accountId: id, action: 'account.created', target: { id, name } });
    await warnOfSeveralAccounts(deps);
    return [accountLine(account)];
  },

  async 'account list'({ store }) {
    const accounts = await store
      .collection<AccountRecord>(ACCOUNTS)
      .find({ erasedAt: null }, { sort: ['-createdAt', '-_id'] });
    return accounts.map(accountLine);
  },

  async 'account set-plan'({ store, announceChanges, audit }, _options, [accountId, plan]) {
    if (!accountId || !plan) throw new UsageError('account set-plan requires an account and a plan');
    const before = await store
      .collection<AccountRecord>(ACCOUNTS)
      .findOneAndUpdate(
        { _id: accountId, erasedAt: null },
        { $set: { plan: oneOf(PLANS, 'plan', plan) } },
        { returning: 'before' },
      );
    if (!before) throw noAccount(accountId);
    await announceChanges();
    const updated = { ...before, plan: oneOf(PLANS, 'plan', plan) };
    await audit({
      accountId,
      action: 'account.plan_changed',
      target: { id: accountId, name: updated.name },
      changes: { plan: { from: before.plan, to: updated.plan } },
    });
    return [accountLine(updated)];
  },

  async 'account set-single-sign-on'(deps, _options, [accountId, value]) {
    if (!accountId || !value) {
      throw new UsageError('account set-single-sign-on requires an account, and required or optional');
    }
    const isRequired = oneOf(['required', 'optional'], 'the value', value) === 'required';
    const { name } = await setSingleSignOn(deps, accountId, isRequired);
    return isRequired
      ? [`${accountId} ${name} requires single sign-on; sessions opened with a password have ended`]
      : [
          `${accountId} ${name} accepts passwords again; "user set-password" sets one for users who have none`,
        ];
  },

  async 'account delete'({ store, bus, announceChanges, now }, options, [accountId]) {
    if (!accountId) throw new UsageError('account delete requires an account');
    if (options['yes'] !== accountId)
      throw new UsageError(
        `account delete deletes all data of ${accountId}; confirm with --yes ${accountId}`,
      );
    const account = await store
      .collection<AccountRecord>(ACCOUNTS)
      .findOne({ _id: accountId, erasedAt: null });
    if (!account) throw noAccount(accountId);
    await deleteAccount({ store, bus: await bus(), now }, accountId);
    await announceChanges();
    return [`${accountId} ${account.name} is deleted; a running product deletes the files of its emails`];
  },

  async 'user create'({ store, io, passwords, audit, now }, options) {
    if (options['password'] !== undefined) {
      throw passwordOnCommandLine();
    }
    const { data: email } = UserIn.shape.email.safeParse(required(options, 'email'));
    if (email === undefined) throw new UsageError('--email must be an email address');
    const name = nameOf(options);
    const given = await io.readPassword(options['password-stdin'] === undefined ? 'terminal' : 'stdin');
    const problem = given !== undefined && (await passwordProblem(given, [email, name]));
    if (problem) throw new UsageError(`the password ${problem}`);
    const password = given ?? generateToken('');
    const user: UserRecord = {
      _id: newId('usr'),
      accountId: await accountOf(store, options),
      email,
      name,
      role: oneOf(ROLES, 'role', options['role'] ?? 'reviewer'),
      passwordHash: await passwords.hash(password),
      // The operator has seen the generated one.
      ...(given === undefined && { mustChangePassword: true }),
      createdAt: isoTime(now()),
    };
    const users = store.collection<UserRecord>(USERS);
    await store.ensureIndexes();
    try {
      await users.insertOne(user);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new AppError('CONFLICT', `A user with the email ${user.email} already exists`);
    }
    await audit({
      accountId: user.accountId,
      action: 'user.created',
      target: { id: user._id, name: user.name },
      changes: { email: { from: null, to: user.email }, role: { from: null, to: user.role } },
    });
    const generated = given === undefined ? [`password ${password} (shown only now)`] : [];
    return [`${user._id} ${user.email} ${user.role} of ${user.accountId}`, ...generated];
  },

  async 'user set-password'({ io, ...deps }, options, [email]) {
    if (!email) throw new UsageError('user set-password requires the email of a user');
    if (options['password'] !== undefined) throw passwordOnCommandLine();
    const given = await io.readPassword(options['password-stdin'] === undefined ? 'terminal' : 'stdin');
    const { user, generated } = await setPassword(deps, email, given);
    return [
      `${user._id} ${user.email} has a new password; all sessions of the user have ended`,
      ...(generated === undefined ? [] : [`password ${generated} (shown only now)`]),
    ];
  },

  async 'user remove-totp'({ store, announceChanges, audit, now }, _options, [email]) {
    if (!email) throw new UsageError('user remove-totp requires the email of a user');
    const user = await store.collection<UserRecord>(USERS).findOne({ email: email.toLowerCase() });
    if (!user) throw new AppError('NOT_FOUND', `There is no user with the email ${email}`);
    if (!(await disableTotp(store, user, isoTime(now())))) {
      throw new AppError('CONFLICT', `${user.email} has no two-factor authentication`);
    }
    await announceChanges();
    const { _id: id, name, accountId } = user;
    await audit({ accountId, action: 'totp.disabled', target: { id, name } });
    return [`${id} ${user.email} logs in with the password alone`];
  },

  async 'key create'({ store, audit, now }, options) {
    const named = (options['scopes'] ?? '*').split(',');
    const scopes = [...new Set(named.map((scope) => oneOf(SCOPES, 'scopes', scope.trim())))];
    const { expires } = options;
    const expiresAt = expires === undefined ? null : timeOf(expires, 'expires');
    if (expiresAt !== null && expiresAt <= now()) throw new UsageError('--expires must be in the future');
    const { record, key } = newApiKey({
      accountId: await accountOf(store, options),
      name: nameOf(options),
      scopes,
      expiresAt: expiresAt === null ? null : isoTime(expiresAt),
      now: now(),
    });
    await store.collection<ApiKeyRecord>(API_KEYS).insertOne(record);
    await audit({
      accountId: record.accountId,
      action: 'key.created',
      target: { id: record._id, name: record.name },
      changes: { scopes: { from: null, to: scopes } },
    });
    return [`${record._id} of ${record.accountId}`, `key ${key} (shown only now)`];
  },

  async 'secrets reseal'({ store, secretBox, announceChanges, audit, now }, options) {
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

  async 'indexes ensure'({ store }) {
    for (const spec of COLLECTIONS) store.collection(spec);
    await store.ensureIndexes();
    return [`the indexes of ${COLLECTIONS.length} collections exist`];
  },

  async 'submission trace'({ store }, _options, [id]) {
    if (!id || !isId('sub', id)) {
      throw new UsageError('submission trace requires the id of a submission: sub_ and 26 characters');
    }
    return traceSubmission(store, id);
  },

  async 'events republish'({ store, now }, options) {
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

  async dump({ store, bus, io, now }, _options, [file]) {
    if (!file) throw new UsageError('dump requires a file, or - for standard output');
    const amount = await dumpTo(file, { store, bus: await bus(), stdout: io.stdout, now });
    return [`${amountText(amount)} dumped; back up the encryption key separately`];
  },

  async 'erasures export'({ store, bus, io, now }, _options, [file]) {
    if (!file) throw new UsageError('erasures export requires a file, or - for standard output');
    const { documents } = await dumpTo(
      file,
      { store, bus: await bus(), stdout: io.stdout, now },
      dumpErasures,
    );
    return [`${documents} tombstones exported for "restore --erasures"`];
  },

  async restore({ store, bus, io, secretBox }, options, [file]) {
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
};

/**
 * The value of `--name`, which the API must accept too. A line break would look like another object
 * in a list.
 */
function nameOf(options: Options): string {
  const name = required(options, 'name');
  if (name.length > 200 || /\p{Cc}/u.test(name))
    throw new UsageError(
      '--name must have at most 200 characters, without line breaks and other control characters',
    );
  if (isBlank(name)) throw new UsageError('--name must have a visible character');
  return name;
}

const accountLine = ({ _id, plan, name }: AccountRecord): string => `${_id} ${plan} ${name}`;

function oneOf<T extends string>(allowed: readonly T[], name: string, value: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`${name} must be one of: ${allowed.join(', ')}`);
  return found;
}

/**
 * Milliseconds since the epoch. `Date` alone takes "1" for the year 2001, reads times without a
 * zone as local ones, and takes February 30 for a day in March.
 */
function timeOf(text: string, option: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isTime ? Date.parse(text) : NaN;
  const day = text.slice(0, 10);
  if (Number.isNaN(time) || new Date(day).toISOString().slice(0, 10) !== day)
    throw new UsageError(`--${option} must be a time such as 2027-01-31T00:00:00Z`);
  return time;
}

const passwordOnCommandLine = () =>
  new UsageError(
    '--password is not supported, because other users of the machine can read command lines: use --password-stdin, or enter the password at the prompt',
  );

async function accountOf(store: DocumentStore, options: Options): Promise<string> {
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  if (options['account']) {
    const account = await accounts.findOne({ _id: options['account'], erasedAt: null });
    if (!account) throw noAccount(options['account']);
    return account._id;
  }
  const [only, another] = await accounts.find({ erasedAt: null }, { limit: 2 });
  if (!only || another)
    throw new UsageError(
      '--account is required, because there is not exactly one account; "account list" lists all accounts',
    );
  return only._id;
}

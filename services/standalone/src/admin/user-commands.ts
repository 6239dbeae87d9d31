import { AppError, newId, ROLES, SCOPES, UserIn } from '@svcforms/contracts';
import { isDuplicateKey, type DocumentStore } from '@svcforms/document-store';
import {
  ACCOUNTS,
  API_KEYS,
  deleteInvitationsOf,
  disableTotp,
  INVITATIONS,
  newApiKey,
  passwordProblem,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import { noAccount, required, type Command, type Options } from './admin-command.ts';
import { nameOf, oneOf, timeOf } from './option-values.ts';
import { setPassword } from './set-password.ts';
import { UsageError } from './usage-error.ts';

/** The commands for users and API keys. */
export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    usage: [
      'user create --email EMAIL --name NAME [--role owner|admin|reviewer] [--password-stdin] [--account ACCOUNT]',
      'asks for the password at a terminal; generates one without a terminal or input,',
      'which the user must change at the first login',
    ],
    options: ['email', 'name', 'role', 'password', 'password-stdin', 'account'],
    async run({ store, io, passwords, audit, now }, options) {
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
      await deleteInvitationsOf(store.collection<InvitationRecord>(INVITATIONS), user);
      await audit({
        accountId: user.accountId,
        action: 'user.created',
        target: { id: user._id, name: user.name },
        changes: { email: { from: null, to: user.email }, role: { from: null, to: user.role } },
      });
      const generated = given === undefined ? [`password ${password} (shown only now)`] : [];
      return [`${user._id} ${user.email} ${user.role} of ${user.accountId}`, ...generated];
    },
  },
  {
    name: 'user set-password',
    usage: [
      'user set-password EMAIL [--password-stdin]   for a forgotten password; ends all sessions of the user',
    ],
    operands: 1,
    options: ['password', 'password-stdin'],
    async run({ io, ...deps }, options, [email]) {
      if (!email) throw new UsageError('user set-password requires the email of a user');
      if (options['password'] !== undefined) throw passwordOnCommandLine();
      const given = await io.readPassword(options['password-stdin'] === undefined ? 'terminal' : 'stdin');
      const { user, generated } = await setPassword(deps, email, given);
      return [
        `${user._id} ${user.email} has a new password; all sessions of the user have ended`,
        ...(generated === undefined ? [] : [`password ${generated} (shown only now)`]),
      ];
    },
  },
  {
    name: 'user remove-totp',
    usage: [
      'user remove-totp EMAIL           turns off two-factor authentication of a user who lost the device',
    ],
    operands: 1,
    async run({ store, announceChanges, audit, now }, _options, [email]) {
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
  },
  {
    name: 'key create',
    usage: ['key create --name NAME [--scopes a,b] [--expires TIME] [--account ACCOUNT]'],
    options: ['name', 'scopes', 'expires', 'account'],
    async run({ store, audit, now }, options) {
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
  },
];

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

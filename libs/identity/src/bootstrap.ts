import { FIRST_ULID } from '@svcforms/contracts';
import { readBootstrapCredentials, SettingsError, type Settings } from '@svcforms/runtime';
import {
  isDuplicateKey,
  type Collection,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import { newApiKey } from './api-keys.ts';
import { passwordHasher, type PasswordHasher } from './password.ts';
import { passwordProblem } from './password-policy.ts';
import { ACCOUNTS, type AccountRecord } from './records/account.ts';
import { API_KEYS, FIRST_KEY_ID, type ApiKeyRecord } from './records/api-key.ts';
import { FIRST_USER_ID, USERS, type UserRecord } from './records/user.ts';

const ACCOUNT_ID = `acc_${FIRST_ULID}`;

export type BootstrapSettings = Pick<
  Settings,
  | 'SVC_BOOTSTRAP_EMAIL'
  | 'SVC_BOOTSTRAP_PASSWORD'
  | 'SVC_BOOTSTRAP_PASSWORD_FILE'
  | 'SVC_BOOTSTRAP_API_KEY'
  | 'SVC_BOOTSTRAP_API_KEY_FILE'
  | 'SVC_BOOTSTRAP_PLAN'
>;

/**
 * The result of a first start. `password` and `apiKey` are only set if they were generated: they
 * can't be read again.
 */
export interface FirstAccount {
  email: string;
  password?: string;
  apiKey?: string;
}

interface BootstrapDeps {
  store: DocumentStore;
  now?: Clock;
  passwords?: Pick<PasswordHasher, 'hash'>;
  /**
   * Whether a missing password or API key is generated. Otherwise the password must be configured,
   * and there is no API key unless it is, too. Default: yes.
   */
  mayGenerate?: boolean;
}

/**
 * Creates the first account of an empty store, with an owner and an all-scope API key.
 * docs/reference/authentication.md#first-start
 * @returns what was created; `null` if it exists already
 * @throws SettingsError for a configured password that is too easy to guess, or a missing one
 */
export async function bootstrap(
  deps: BootstrapDeps,
  settings: BootstrapSettings,
): Promise<FirstAccount | null> {
  const { store, now = Date.now, passwords = passwordHasher, mayGenerate = true } = deps;
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  if (await accounts.findOne({ bootstrappedAt: { $exists: true } })) return null;

  const createdAt = isoTime(now());
  const email = (settings.SVC_BOOTSTRAP_EMAIL ?? 'owner@svcforms.local').toLowerCase();
  const given = readBootstrapCredentials(settings);
  if (!mayGenerate && given.password === undefined) {
    throw new SettingsError(
      'SVC_BOOTSTRAP_PASSWORD or SVC_BOOTSTRAP_PASSWORD_FILE is required for the first start: only the standalone generates a password',
    );
  }
  const password = given.password ?? generateToken('');
  const problem = given.password !== undefined && (await passwordProblem(password, [email]));
  if (problem) throw new SettingsError(`${given.passwordFrom} ${problem}`);
  const firstKey =
    mayGenerate || given.apiKey !== undefined
      ? newApiKey({
          id: FIRST_KEY_ID,
          accountId: ACCOUNT_ID,
          name: 'First key',
          scopes: ['*'],
          key: given.apiKey,
          now: now(),
        })
      : null;
  await insertIfAbsent(accounts, {
    _id: ACCOUNT_ID,
    name: 'My account',
    plan: settings.SVC_BOOTSTRAP_PLAN,
    createdAt,
  });
  const isNewUser = await insertIfAbsent(store.collection<UserRecord>(USERS), {
    _id: FIRST_USER_ID,
    accountId: ACCOUNT_ID,
    email,
    name: 'Owner',
    role: 'owner',
    passwordHash: await passwords.hash(password),
    ...(given.password === undefined ? { mustChangePassword: true } : {}),
    createdAt,
  });
  const keys = store.collection<ApiKeyRecord>(API_KEYS);
  const isNewKey = firstKey !== null && (await insertIfAbsent(keys, firstKey.record));
  await accounts.updateOne({ _id: ACCOUNT_ID }, { $set: { bootstrappedAt: createdAt } });
  if (!isNewUser && !isNewKey) return null;
  return {
    email,
    ...(isNewUser && given.password === undefined ? { password } : {}),
    ...(isNewKey && given.apiKey === undefined ? { apiKey: firstKey.key } : {}),
  };
}

async function insertIfAbsent<T extends StoredDocument>(collection: Collection<T>, doc: T): Promise<boolean> {
  try {
    await collection.insertOne(doc);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Lists the owner and the generated credentials of the first account, which can't be read again.
 */
export function firstAccountLines({ email, password, apiKey }: FirstAccount): string {
  const lines = [
    `  Owner     ${email}`,
    ...(password === undefined ? [] : [`  Password  ${password}`]),
    ...(apiKey === undefined ? [] : [`  API key   ${apiKey}`]),
  ];
  return `${lines.join('\n')}\n`;
}

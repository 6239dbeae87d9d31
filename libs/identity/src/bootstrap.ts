import { SettingsError, type Settings } from '@svcforms/runtime';
import {
  isDuplicateKey,
  type Collection,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import { generateToken } from '@svcforms/signing';
import { newApiKey } from './api-keys.ts';
import { passwordHasher, type PasswordHasher } from './password.ts';
import { passwordProblem } from './password-policy.ts';
import {
  ACCOUNTS,
  API_KEYS,
  FIRST_KEY_ID,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type UserRecord,
} from './records.ts';

/** Fixed ids, so that concurrent first starts create one account, user and key. */
const FIRST = '00000000000000000000000001';
const [ACCOUNT_ID, USER_ID] = [`acc_${FIRST}`, `usr_${FIRST}`];

export type BootstrapSettings = Pick<
  Settings,
  'SVC_BOOTSTRAP_EMAIL' | 'SVC_BOOTSTRAP_PASSWORD' | 'SVC_BOOTSTRAP_API_KEY' | 'SVC_BOOTSTRAP_PLAN'
>;

/**
 * The result of a first start. `password` and `apiKey` are only set if they were generated: they
 * can't be read again.
 */
interface FirstAccount {
  email: string;
  password?: string;
  apiKey?: string;
}

/**
 * Creates the first account of an empty store, with an owner and an all-scope API key.
 * docs/reference/authentication.md#first-start
 * @returns what was created; `null` if it exists already
 * @throws SettingsError for a configured password that is too easy to guess
 */
export async function bootstrap(
  deps: { store: DocumentStore; now?: Clock; passwords?: Pick<PasswordHasher, 'hash'> },
  settings: BootstrapSettings,
): Promise<FirstAccount | null> {
  const { store, now = Date.now, passwords = passwordHasher } = deps;
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  if (await accounts.findOne({ bootstrappedAt: { $exists: true } })) return null;

  const createdAt = new Date(now()).toISOString();
  const email = (settings.SVC_BOOTSTRAP_EMAIL ?? 'owner@svcforms.local').toLowerCase();
  const password = settings.SVC_BOOTSTRAP_PASSWORD ?? generateToken('');
  const problem = settings.SVC_BOOTSTRAP_PASSWORD && (await passwordProblem(password, [email]));
  if (problem) throw new SettingsError(`SVC_BOOTSTRAP_PASSWORD ${problem}`);
  const { record: keyRecord, key } = newApiKey({
    id: FIRST_KEY_ID,
    accountId: ACCOUNT_ID,
    name: 'First key',
    scopes: ['*'],
    key: settings.SVC_BOOTSTRAP_API_KEY,
    now: now(),
  });
  await insertIfAbsent(accounts, {
    _id: ACCOUNT_ID,
    name: 'My account',
    plan: settings.SVC_BOOTSTRAP_PLAN,
    createdAt,
  });
  const isNewUser = await insertIfAbsent(store.collection<UserRecord>(USERS), {
    _id: USER_ID,
    accountId: ACCOUNT_ID,
    email,
    name: 'Owner',
    role: 'owner',
    passwordHash: await passwords.hash(password),
    createdAt,
  });
  const isNewKey = await insertIfAbsent(store.collection<ApiKeyRecord>(API_KEYS), keyRecord);
  await accounts.updateOne({ _id: ACCOUNT_ID }, { $set: { bootstrappedAt: createdAt } });
  if (!isNewUser && !isNewKey) return null;
  return {
    email,
    ...(isNewUser && !settings.SVC_BOOTSTRAP_PASSWORD ? { password } : {}),
    ...(isNewKey && !settings.SVC_BOOTSTRAP_API_KEY ? { apiKey: key } : {}),
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
 * Formats the console message of the first start. It only includes generated credentials, which
 * can't be read again.
 */
export function firstAccountNotice({ email, password, apiKey }: FirstAccount): string {
  const lines = [
    `Created the first account. Save these credentials: they are shown only once.`,
    `  Owner     ${email}`,
    ...(password === undefined ? [] : [`  Password  ${password}`]),
    ...(apiKey === undefined ? [] : [`  API key   ${apiKey}`]),
  ];
  return `${lines.join('\n')}\n`;
}

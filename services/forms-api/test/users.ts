import { newId, type Role } from '@svcforms/contracts';
import { USERS, type UserRecord } from '@svcforms/identity';
import { sessionCookie } from '@svcforms/test-kit';
import { PASSWORDS, type openFormsApi } from './fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

export const PASSWORD = 'correct horse battery';
let passwordHash: Promise<string> | undefined;

/** Stores a user with `PASSWORD`. */
export async function addUser(api: Api, role: Role, accountId = api.accountId): Promise<UserRecord> {
  const _id = newId('usr');
  const user: UserRecord = {
    _id,
    accountId,
    email: `${_id.toLowerCase()}@example.com`,
    name: 'Ada',
    role,
    passwordHash: await (passwordHash ??= PASSWORDS.hash(PASSWORD)),
    createdAt: new Date(api.clock.now).toISOString(),
  };
  await api.store.collection<UserRecord>(USERS).insertOne(user);
  return user;
}

/** Logs the user in and returns the headers of their browser. */
export async function cookieOf(
  api: Api,
  { email }: Pick<UserRecord, 'email'>,
  password = PASSWORD,
): Promise<{ cookie: string }> {
  const { headers } = await api.visitor.post('/api/auth/login', { body: { email, password }, expect: 200 });
  return { cookie: sessionCookie({ headers }) };
}

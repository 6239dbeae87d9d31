import { newId } from '@svcforms/contracts';
import { readOnlyStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { ACCOUNTS, type AccountRecord } from './records/account.ts';
import { USERS, type UserRecord } from './records/user.ts';
import { createSessions } from './sessions.ts';

const AT = '2026-03-14T09:26:53.589Z';
const NOW = Date.parse(AT);

describe('a session', () => {
  it('works while the store refuses writes, and reports that its use was not stored', async () => {
    const store = openTestStore();
    const account: AccountRecord = { _id: newId('acc'), name: 'Ada', plan: 'pro', createdAt: AT };
    await store.collection<AccountRecord>(ACCOUNTS).insertOne(account);
    const user: UserRecord = {
      _id: newId('usr'),
      accountId: account._id,
      email: 'ada@example.com',
      name: 'Ada',
      role: 'owner',
      passwordHash: 'none',
      createdAt: AT,
    };
    await store.collection<UserRecord>(USERS).insertOne(user);
    const { token } = await createSessions({ store, now: () => NOW }).open(user);

    const errors: unknown[] = [];
    const sessions = createSessions({
      store: readOnlyStore(store),
      now: () => NOW + 3_600_000,
      onError: (error) => errors.push(error),
    });
    expect(await sessions.authenticate(token)).toMatchObject({ id: user._id });
    expect(errors).toHaveLength(1);
  });
});

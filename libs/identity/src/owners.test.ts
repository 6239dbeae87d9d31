import { newId } from '@svcforms/contracts';
import { openTestStore } from '@svcforms/document-store/testing';
import type { Collection } from '@svcforms/document-store';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { createOwners } from './owners.ts';
import { ACCOUNTS, type AccountRecord } from './records/account.ts';
import { USERS, type UserRecord } from './records/user.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const NOW = Date.parse('2026-03-14T09:26:53.589Z');
const iso = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

let users: Collection<UserRecord>;
let accounts: Collection<AccountRecord>;
beforeAll(() => {
  const store = openTestStore();
  users = store.collection<UserRecord>(USERS);
  accounts = store.collection<AccountRecord>(ACCOUNTS);
});

async function ownersOf(accountId: string, marks: (string | undefined)[]): Promise<UserRecord[]> {
  const owners = marks.map((leaving): UserRecord => {
    const _id = newId('usr');
    return {
      _id,
      accountId,
      email: `${_id}@example.com`,
      name: 'Ada',
      role: 'owner',
      passwordHash: 'none',
      ...(leaving === undefined ? {} : { leaving }),
      createdAt: iso(0),
    };
  });
  await users.insertMany(owners);
  return owners;
}

const removeOwner = (owner: UserRecord) =>
  createOwners({ users, accounts, now: () => NOW })(owner, (marked) => users.deleteOne(marked));
const outcome = (owner: UserRecord) =>
  removeOwner(owner).then(
    (gone) => (gone ? 'gone' : 'was gone'),
    (error: { code: string }) => error.code,
  );

describe('removing an owner', () => {
  it('works while another owner remains', async () => {
    const account = newId('acc');
    const [ada, bob] = await ownersOf(account, [undefined, undefined]);
    if (!ada || !bob) throw new Error('no owners');
    expect(await outcome(ada)).toBe('gone');
    expect(await outcome(bob)).toBe('CONFLICT');
    expect(await users.find({ accountId: account })).toEqual([bob]);
  });

  it.each([2, 3, 5])('of %d concurrently keeps one owner and rejects one removal', async (count) => {
    const account = newId('acc');
    const owners = await ownersOf(
      account,
      Array.from({ length: count }, () => undefined),
    );
    const outcomes = await Promise.all(owners.map(outcome));
    expect(outcomes.toSorted()).toEqual(['CONFLICT', ...Array.from({ length: count - 1 }, () => 'gone')]);
    const left = await users.find({ accountId: account });
    expect(left).toEqual([expect.objectContaining({ role: 'owner' })]);
    expect(left[0]).not.toHaveProperty('leaving');
  });

  it('twice concurrently removes it once', async () => {
    const [ada] = await ownersOf(newId('acc'), [undefined, undefined]);
    if (!ada) throw new Error('no owner');
    expect((await Promise.all([outcome(ada), outcome(ada)])).toSorted()).toEqual(['gone', 'was gone']);
  });

  it("isn't blocked by the mark of a dead process", async () => {
    const [ada, bob] = await ownersOf(newId('acc'), [undefined, `${iso(-60_000)}|x`]);
    if (!ada || !bob) throw new Error('no owners');
    expect(await outcome(ada)).toBe('gone');
    expect(await outcome(bob)).toBe('CONFLICT');
    const [carl] = await ownersOf(newId('acc'), [`${iso(-60_000)}|y`, undefined]);
    if (carl) expect(await outcome(carl)).toBe('gone');
  });

  it('does nothing if the mark was removed in the meantime', async () => {
    const [ada, bob] = await ownersOf(newId('acc'), [undefined, undefined]);
    if (!ada || !bob) throw new Error('no owners');
    let asked = 0;
    const gone = createOwners({ users, accounts, now: () => NOW })(ada, async (marked) => {
      asked += 1;
      // Meanwhile, Bob's request finds this mark stale and deletes Bob.
      if (asked === 1) {
        await createOwners({ users, accounts, now: () => NOW + 60_000 })(bob, (other) =>
          users.deleteOne(other),
        );
      }
      return users.deleteOne(marked);
    });
    await expect(gone).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(asked).toBe(1);
    expect(await users.find({ accountId: ada.accountId })).toEqual([ada]);
  });

  it('requires another owner linked to the current provider when single sign-on is required', async () => {
    const accountId = newId('acc');
    await accounts.insertOne({
      _id: accountId,
      name: 'Acme',
      singleSignOnRequired: true,
      createdAt: iso(0),
    } as AccountRecord);
    const [ada, bob] = await ownersOf(accountId, [undefined, undefined]);
    if (!ada || !bob) throw new Error('no owners');
    await users.updateOne({ _id: ada._id }, { $set: { oidcSubject: 'https://id.example|ada' } });
    await users.updateOne({ _id: bob._id }, { $set: { oidcSubject: 'https://old.example|bob' } });
    const remove = createOwners({ users, accounts, issuer: 'https://id.example/', now: () => NOW });
    const removed = (owner: UserRecord) => remove(owner, (marked) => users.deleteOne(marked));
    await expect(removed(ada)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await removed(bob)).toBe(true);
  });
});

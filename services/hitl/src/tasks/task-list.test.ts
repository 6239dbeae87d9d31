import { newId, type TaskOut } from '@svcforms/contracts';
import { cacheStore } from '@svcforms/document-store';
import { watchFinds } from '@svcforms/document-store/testing';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { USERS, type UserRecord } from '@svcforms/identity';
import { openFixture } from '../../test/fixture.ts';

const TASKS_STORED = 20;
const REVIEWERS = 9;
/** The owner isn't the creator, and may vote too. */
const ELIGIBLE = REVIEWERS + 1;

it('a list of tasks whose policies name nobody reads the users of the account once while they stay the same', async () => {
  const fixture = await openFixture(openEmbeddedPair());
  const { startReplica, createTask, addUser, store, owner, key } = fixture;
  for (let n = 0; n < REVIEWERS; n++) await addUser('reviewer');
  for (let n = 0; n < TASKS_STORED; n++) await createTask({ policy: { approvals: 2 } });
  let usersRead = 0;
  const watched = watchFinds(store, USERS, async (filter, find) => {
    const found = await find();
    if ('accountId' in filter) usersRead += found.length;
    return found;
  });
  // Time stands still, so that only a change makes the cache read again.
  const replica = await startReplica({ store: cacheStore(watched, await fixture.anotherBus(), () => 0) });
  const eligible = async () => {
    const path = `/api/mcp/tasks?limit=${TASKS_STORED}`;
    const { data } = (await replica.client(key).get<TaskOut[]>(path, { expect: 200 })).body;
    expect(data).toHaveLength(TASKS_STORED);
    return [...new Set(data.map(({ progress }) => progress?.eligible))];
  };

  expect([await eligible(), await eligible()]).toEqual([[ELIGIBLE], [ELIGIBLE]]);
  expect(usersRead).toBe(ELIGIBLE);

  // Another process.
  const users = cacheStore(store, await fixture.anotherBus()).collection<UserRecord>(USERS);
  await users.insertOne({ ...owner, _id: newId('usr'), email: 'new@example.com' });
  expect(await eligible()).toEqual([ELIGIBLE + 1]);
  await users.deleteOne({ _id: owner._id });
  expect(await eligible()).toEqual([ELIGIBLE]);
  expect(usersRead).toBe(3 * ELIGIBLE + 1);
});

import { newId, type TaskHistoryOut, type TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { newTaskLink, type UserRecord } from '@svcforms/identity';
import type { Client } from '@svcforms/test-kit';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';

let fixture: HitlFixture;
let ada: { user: UserRecord; client: Client };
let bob: { user: UserRecord; client: Client };
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
  const reviewer = async () => {
    const user = await fixture.addUser('reviewer');
    return { user, client: await fixture.logIn(user) };
  };
  [ada, bob] = [await reviewer(), await reviewer()];
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const linkOf = ({ user }: { user: UserRecord }, task: Pick<TaskOut, 'id'>, expiresAt = inDays(7)) =>
  newTaskLink(fixture.secretBox, task.id, { userId: user._id, expiresAt });
/** Changes one character of the sealed text. */
const changed = (link: string) =>
  link.replace(
    /(\.)([^.])([^.]*\.[^.]*)$/,
    (_, dot: string, first: string, rest: string) => `${dot}${first === 'A' ? 'B' : 'A'}${rest}`,
  );
const ends = async ({ id }: Pick<TaskOut, 'id'>) => {
  const { body } = await fixture.client.get<TaskHistoryOut[]>(`/api/mcp/tasks/${id}/history`);
  return body.data.filter(({ event }) => event === 'voted' || event === 'decided');
};
const statusOf = async ({ id }: Pick<TaskOut, 'id'>) => (await fixture.tasks.findOne({ _id: id }))?.status;

it('a decision with the link names the email in the history', async () => {
  const task = await fixture.createTask();
  const mailLink = linkOf(ada, task);
  expect((await fixture.decide(task, 'approved', ada.client, { mailLink })).status).toBe(200);
  expect(await ends(task)).toMatchObject([
    { event: 'decided', by: ada.user._id, channel: 'mail', proof: 'mail_link' },
  ]);
  for (const again of [ada, bob])
    expect((await fixture.decide(task, 'rejected', again.client, { mailLink })).status).toBe(409);
  expect(await statusOf(task)).toBe('approved');
});

it('a decision without a link names the dashboard or the API', async () => {
  const [one, other] = [await fixture.createTask(), await fixture.createTask()];
  await fixture.decide(one, 'approved', ada.client);
  await fixture.decide(other, 'approved');
  expect(await ends(one)).toMatchObject([{ channel: 'dashboard', proof: 'session' }]);
  expect(await ends(other)).toMatchObject([{ channel: 'api', proof: 'api_key' }]);
});

describe('a link that', () => {
  const REFUSED: [string, (task: TaskOut) => string, () => Client, number][] = [
    ['was forwarded to another reviewer', (task) => linkOf(ada, task), () => bob.client, 422],
    ['is used with a key, even one that may decide', (task) => linkOf(ada, task), () => fixture.client, 422],
    ['is used without a login', (task) => linkOf(ada, task), () => fixture.host.client('nonsense'), 401],
    ['expired', (task) => linkOf(ada, task, inDays(-1)), () => ada.client, 422],
    ['is for another task', () => linkOf(ada, { id: newId('tsk') }), () => ada.client, 422],
    ['was changed', (task) => changed(linkOf(ada, task)), () => ada.client, 422],
    ['was made up', () => 'v1.0.nonsense', () => ada.client, 422],
  ];
  it.each(REFUSED)('%s reaches no outcome', async (_, link, clientOf, status) => {
    const policy = { users: [ada.user._id, bob.user._id], approvals: 2 };
    for (const more of [{}, { policy }]) {
      const task = await fixture.createTask(more);
      for (const outcome of ['approved', 'rejected']) {
        const response = await fixture.decide(task, outcome, clientOf(), { mailLink: link(task) });
        // With a policy, a key isn't a person, which is found first.
        expect([status, 403]).toContain(response.status);
      }
      expect([await statusOf(task), await ends(task)]).toEqual(['awaiting', []]);
    }
  });
});

it('a link works once, even if votes are still missing', async () => {
  const policy = { users: [ada.user._id, bob.user._id], approvals: 2 };
  const task = await fixture.createTask({ policy });
  const mailLink = linkOf(ada, task);
  await fixture.decide(task, 'approved', ada.client, { mailLink });
  expect(await ends(task)).toMatchObject([{ event: 'voted', channel: 'mail', proof: 'mail_link' }]);
  const replayed = await fixture.decide(task, 'rejected', ada.client, { mailLink });
  expect(replayed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/mailLink' }] } });
  expect(await statusOf(task)).toBe('awaiting');
  await fixture.decide(task, 'approved', bob.client, { mailLink: linkOf(bob, task) });
  expect(await statusOf(task)).toBe('approved');
});

it('of 20 parallel uses of a link, one decides', async () => {
  const task = await fixture.createTask();
  const mailLink = linkOf(ada, task);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => fixture.decide(task, 'approved', ada.client, { mailLink })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await ends(task)).toHaveLength(1);
});

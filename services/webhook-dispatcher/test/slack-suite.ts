import { newId, type FormField } from '@svcforms/contracts';
import type { UserRecord } from '@svcforms/identity';
import { DAY_MS, type Clock } from '@svcforms/primitives';
import {
  creationEventId,
  TASK_CREATION_EVENTS,
  taskEvent,
  valuesDigest,
  type TaskRecord,
} from '@svcforms/records';
import { pendingEvents } from '@svcforms/outbox';
import { createGuardedClient, parsePolicy, type GuardedClient } from '@svcforms/outbound';
import { readSlackAction } from '@svcforms/slack';
import {
  atEnd,
  poll,
  startMailServer,
  startSlack,
  tempFolder,
  type MailServer,
  type SlackServer,
  type SlackState,
} from '@svcforms/test-kit';
import { createMailer } from '../src/mail/mailer.ts';
import type { SuiteContext } from './fixture.ts';
import { secretBox } from './records.ts';

const CHANNEL = 'C0123456789';
const FROM = 'SvcForms <no-reply@forms.example>';

/** Messages about tasks in Slack, and the emails in their place. */
export function describeSlack(on: SuiteContext): void {
  let slack: SlackServer;
  let mail: MailServer;
  beforeEach(async () => {
    [slack, mail] = [await startSlack(), await startMailServer()];
  });
  // Ends calls that hang, so that the dispatchers don't wait for them.
  afterEach(() => slack.close());

  const start = ({ now = Date.now, ...deps }: { now?: Clock; client?: Pick<GuardedClient, 'post'> } = {}) => {
    const { apiUrl, signingSecret, botToken } = slack;
    return on.fixture.startDispatcher(
      { mailScheduleSeconds: [0.05, 0.05, 0.05], slack: { apiUrl, signingSecret, botToken } },
      { mailer: createMailer({ smtpUrl: mail.url, folder: tempFolder(), from: FROM }), now, ...deps },
    );
  };

  /**
   * A client that awaits the first function before it returns the result of the first call, and so
   * on.
   */
  function afterCalls(...work: (() => unknown)[]): Pick<GuardedClient, 'post'> {
    const client = createGuardedClient(parsePolicy({ allowedTargets: ['127.0.0.0/8'], allowHttp: true }));
    atEnd(() => client.close());
    return {
      async post(request) {
        const result = await client.post(request);
        await work[slack.calls.length - 1]?.();
        return result;
      },
    };
  }

  /**
   * Adds a form, three reviewers of whom one wants emails about tasks, and the user who created the
   * task.
   */
  async function setUp(fields: FormField[] = [{ name: 'amount', type: 'number', required: true }]) {
    const accountId = newId('acc');
    const createdAt = new Date().toISOString();
    const formId = newId('frm');
    await on.fixture.forms.insertOne({
      _id: formId,
      accountId,
      name: 'Refund',
      fields,
      settings: {},
      createdAt,
      updatedAt: createdAt,
      version: 1,
    });
    const addUser = async (values: Partial<UserRecord> = {}) => {
      const _id = newId('usr');
      const email = `${_id.toLowerCase()}@example.com`;
      const user = {
        _id,
        accountId,
        email,
        name: 'Ada',
        role: 'reviewer' as const,
        passwordHash: '',
        createdAt,
      };
      await on.fixture.users.insertOne({ ...user, ...values });
      return { ...user, ...values };
    };
    const reviewers = [await addUser({ taskEmails: true }), await addUser(), await addUser()];
    const creator = await addUser({ name: 'Creator' });
    const addTask = async (values: Partial<TaskRecord> = {}) => {
      const _id = newId('tsk');
      const at = new Date().toISOString();
      const task: TaskRecord = {
        _id,
        accountId,
        formId,
        title: 'Refund <120> €?',
        prefill: '{"amount":120}',
        decisionMode: 'approval',
        priority: 'normal',
        rank: 1,
        status: 'awaiting',
        createdBy: creator._id,
        creators: [creator._id],
        userId: creator._id,
        expiresAt: new Date(Date.now() + 3600_000).toISOString(),
        onExpiry: 'expire',
        metadata: '{}',
        history: [],
        createdAt: at,
        slack: { channel: CHANNEL },
        slackDue: at,
        slackMailAt: new Date(Date.now() + 30_000).toISOString(),
        ...values,
      };
      await on.fixture.tasks.insertOne(task);
      return task;
    };
    /** Publishes what users with emails about tasks get theirs for. */
    const announce = async (task: TaskRecord) => {
      const [created] = pendingEvents(TASK_CREATION_EVENTS, {
        of: task._id,
        timestamp: task.createdAt,
      }).pendingEvents;
      if (created) await on.pair.bus.publish(taskEvent(task, created));
    };
    return { reviewers, creator, addTask, announce };
  }

  const stored = async ({ _id }: TaskRecord) => {
    const task = await on.fixture.tasks.findOne({ _id });
    if (!task) throw new Error('no task');
    return task;
  };
  const upToDate = (task: TaskRecord) =>
    poll(
      async () => {
        const now = await stored(task);
        return now.slackDue === undefined && now.slack?.owner === undefined && now;
      },
      { what: 'the message in Slack to be up to date' },
    );
  const recipients = () => new Set(mail.mails.flatMap(({ to }) => to));

  it('replicas post one message for each task, with sealed buttons, and no email goes in its place', async () => {
    const { addTask } = await setUp();
    const task = await addTask({ action: '{"args":{"note":"<!channel> *hi*"},"tool":"refund"}' });
    await Promise.all([start(), start(), start()]);
    expect(await upToDate(task)).toMatchObject({ slack: { channel: CHANNEL, ts: slack.messages[0]?.ts } });
    expect((await stored(task)).slackMailAt).toBeUndefined();
    expect([slack.calls, slack.problems]).toEqual([['chat.postMessage'], []]);
    const [message] = slack.messages;
    if (!message) throw new Error('no message');
    expect(message.text).toBe('Decision requested: Refund &lt;120&gt; €?');
    const shown = JSON.stringify(message.blocks);
    for (const text of ['amount: 120', 'Action: refund', '<!channel> *hi*']) expect(shown).toContain(text);
    const { approved, rejected, open } = slack.buttonsOf(message);
    for (const [outcome, button] of Object.entries({ approved, rejected }))
      expect(readSlackAction(secretBox, button?.value ?? '')).toEqual({
        taskId: task._id,
        outcome,
        values: valuesDigest(task),
      });
    expect(open?.url).toBe(`https://forms.example/tasks/${task._id}`);
    // Text of users is never read as formatting or as a mention.
    const sections = message.blocks.filter(({ type }) => type === 'section' || type === 'header');
    expect(sections.map(({ text }) => text?.type)).toEqual(sections.map(() => 'plain_text'));
  });

  it('the message shows characters of an action that cannot be seen', async () => {
    const { addTask } = await setUp();
    const args = { to: 'ada\u202e@moc.elpmaxe', note: 'a\u200bb' };
    const task = await addTask({ action: JSON.stringify({ args, tool: 're\u00adfund' }) });
    await start();
    await upToDate(task);
    const sections = slack.messages[0]?.blocks.filter(({ type }) => type === 'section') ?? [];
    const shown = sections.map(({ text }) => text?.text).join('\n');
    for (const text of ['re\\u00adfund', '"ada\\u202e@moc.elpmaxe"', '"a\\u200bb"'])
      expect(shown).toContain(text);
    expect(shown).not.toMatch(/[\u00ad\u200b\u202e]/);
  });

  it('the message shows votes and the end, and loses its buttons then', async () => {
    const { addTask, reviewers } = await setUp();
    const [ada] = reviewers;
    const task = await addTask({ policy: { approvals: 2, users: [], groups: [] } });
    await start();
    await upToDate(task);
    const at = new Date().toISOString();
    const vote = { by: ada?._id ?? '', byName: 'Ada', outcome: 'approved' as const, at };
    const change = async (values: Partial<TaskRecord>) => {
      await on.fixture.tasks.updateOne({ _id: task._id }, { $set: { ...values, slackDue: at } });
      await upToDate(task);
      return JSON.stringify(slack.messages);
    };
    expect(await change({ votes: [vote], revision: 1 })).toContain('Approvals: 1 of 2 (Ada)');
    const history = [{ at, event: 'decided' as const, by: ada?._id ?? '', channel: 'slack' as const }];
    const ended = await change({
      status: 'approved',
      outcome: 'approved',
      decidedBy: ada?._id ?? '',
      history,
    });
    expect(ended).toContain('Approved by Ada in Slack');
    expect([slack.messages.length, ended.includes('"button"'), slack.problems]).toEqual([1, false, []]);
  });

  it('the message counts only approvals of people who may still vote', async () => {
    const { addTask, reviewers } = await setUp();
    const [left, grace] = reviewers;
    const at = new Date().toISOString();
    const votes = [left, grace].map((user, n) => ({
      by: user?._id ?? '',
      byName: ['Left', 'Grace'][n] ?? '',
      outcome: 'approved' as const,
      at,
    }));
    await on.fixture.users.deleteOne({ _id: left?._id ?? '' });
    const task = await addTask({ policy: { approvals: 2, users: [], groups: [] }, votes });
    await start();
    await upToDate(task);
    expect(JSON.stringify(slack.messages)).toContain('Approvals: 1 of 2 (Grace)');
  });

  /** Restricts the form of the task to some reviewers, with or without a channel of its own. */
  const restrict = ({ formId }: TaskRecord, slackChannel?: string) =>
    on.fixture.forms.updateOne(
      { _id: formId },
      {
        $set: {
          settings: { reviewers: { groups: ['grp_1'] }, ...(slackChannel && { tasks: { slackChannel } }) },
        },
      },
    );

  it.each([
    ['posts nothing to the channel of the account', undefined, 0],
    ['posts the task to the channel that the form names', CHANNEL, 1],
  ])('%s if the form was restricted while Slack was down', async (_, slackChannel, messages) => {
    const { addTask } = await setUp();
    slack.set({ status: 500 });
    const task = await addTask();
    await start();
    await poll(() => slack.calls.length > 0, { what: 'an attempt' });
    await restrict(task, slackChannel);
    slack.set('up');
    const { slackMailAt } = await upToDate(task);
    expect(slack.messages).toHaveLength(messages);
    // The reviewers get an email in place of a message.
    expect(slackMailAt === undefined).toBe(messages === 1);
  });

  it('the next update removes the content and the buttons if the form was restricted meanwhile', async () => {
    const { addTask } = await setUp();
    const task = await addTask();
    await start();
    await upToDate(task);
    expect(JSON.stringify(slack.messages)).toContain('amount: 120');
    await restrict(task);
    const change = { proposal: '{"amount":4000}', slackDue: new Date().toISOString() };
    await on.fixture.tasks.updateOne({ _id: task._id }, { $set: change });
    await upToDate(task);
    expect(slack.messages).toHaveLength(1);
    const link = `/tasks/${task._id}|Open the task>`;
    const shown = JSON.stringify(slack.messages.map(({ text, blocks }) => [text, blocks]));
    expect(shown).toContain(link);
    // The id may contain the digits by chance, as the time of a message may.
    const content = shown.replaceAll(link, '');
    for (const hidden of ['120', '4000', 'Refund', '"button"']) expect(content).not.toContain(hidden);
    expect(slack.problems).toEqual([]);
  });

  const LINK_ONLY: [string, Partial<TaskRecord>][] = [
    ['a required value is missing', { prefill: '{}' }],
    ['it is in form mode', { decisionMode: 'form' }],
    ['both outcomes need a comment', { requireComment: ['approved', 'rejected'] }],
    ['a description has more than fits', { description: 'x'.repeat(40_000) }],
    ['a title has more than fits', { title: 'x'.repeat(151) }],
  ];
  it.each(LINK_ONLY)('a task links to the dashboard instead of an approval if %s', async (_, values) => {
    const { addTask } = await setUp();
    const task = await addTask(values);
    await start();
    await upToDate(task);
    const [message] = slack.messages;
    const buttons = message ? Object.keys(slack.buttonsOf(message)) : [];
    expect(buttons).toContain('open');
    expect(buttons).not.toContain('approved');
    expect(slack.problems).toEqual([]);
  });

  it('shows the expiry in the time zone of the reader, and what "all" means', async () => {
    const { addTask } = await setUp();
    await addTask({
      expiresAt: '2027-03-14T09:30:00.000Z',
      policy: { approvals: 'all', users: [], groups: [] },
    });
    await start();
    await poll(() => slack.messages.length === 1, { what: 'the message' });
    const shown = JSON.stringify(slack.messages);
    expect(shown).toContain('Approvals: 0 of all reviewers');
    expect(shown).toContain(
      'Expires <!date^1805016600^{date_short_pretty} at {time}|Mar 14, 2027, 09:30 UTC>',
    );
  });

  it('says that a task is rejected automatically', async () => {
    const { addTask } = await setUp();
    await addTask({ onExpiry: 'reject', expiresAt: '2027-03-14T09:30:00.000Z' });
    await start();
    await poll(() => slack.messages.length === 1, { what: 'the message' });
    const shown = JSON.stringify(slack.messages);
    expect(shown).toContain('Rejected automatically <!date^1805016600^');
    expect(shown).not.toContain('Expires');
  });

  it('cuts a title before an emoji at the limit', async () => {
    const { addTask } = await setUp();
    await addTask({ title: `${'x'.repeat(148)}🎉 and more` });
    await start();
    await poll(() => slack.messages.length === 1, { what: 'the message' });
    const header = slack.messages[0]?.blocks.find(({ type }) => type === 'header')?.text?.text;
    expect(header).toBe(`${'x'.repeat(148)}…`);
  });

  it('shows a value with line breaks as one value', async () => {
    const { addTask } = await setUp([{ name: 'note', type: 'textarea' }]);
    const task = await addTask({ prefill: JSON.stringify({ note: 'ok\namount: 1' }) });
    await start();
    await upToDate(task);
    expect(JSON.stringify(slack.messages)).toContain(JSON.stringify('note: "ok\\namount: 1"').slice(1, -1));
  });

  const DOWN: [string, SlackState | 'closed'][] = [
    ['refuses connections', 'closed'],
    ['responds with 503', { status: 503 }],
    ['never responds', 'hang'],
    ['resets connections', 'reset'],
    ['says that the bot is not in the channel', { error: 'not_in_channel' }],
    ['limits the rate', { error: 'ratelimited' }],
  ];
  it.each(DOWN)(
    'if Slack %s, each reviewer gets one email within a minute, over replicas and a crash',
    async (_, state) => {
      const { reviewers, creator, addTask, announce } = await setUp();
      const readers = [...reviewers, creator];
      const clock = { ahead: 0 };
      if (state === 'closed') await slack.close();
      else slack.set(state);
      const task = await addTask();
      await announce(task);
      const now = () => Date.now() + clock.ahead;
      await Promise.all([start({ now }), start({ now }), start({ now })]);
      // The email that goes without Slack too.
      await mail.waitFor(1);
      // 45 seconds later.
      clock.ahead = 45_000;
      await poll(async () => (await stored(task)).slackMailAt === undefined, {
        what: 'the emails to be queued',
      });
      // As if a process had died after it queued them.
      await on.fixture.tasks.updateOne({ _id: task._id }, { $set: { slackMailAt: task.createdAt } });
      await mail.waitFor(readers.length);
      await poll(async () => (await stored(task)).slackMailAt === undefined);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(recipients()).toEqual(new Set(readers.map(({ email }) => email)));
      expect(mail.mails).toHaveLength(readers.length);
      expect(mail.mails.every(({ text }) => text.includes(`/tasks/${task._id}#link=`))).toBe(true);
      // Each says why its reader gets it: only one of them asked for it.
      const because = (reason: string) => mail.mails.filter(({ text }) => text.includes(reason));
      expect(because('your profile there asks').map(({ to }) => to)).toEqual([[reviewers[0]?.email]]);
      expect(because("it couldn't be posted to Slack")).toHaveLength(readers.length - 1);
    },
  );

  it('emails only the people whom the policy named, or the assignee', async () => {
    const { reviewers, addTask } = await setUp();
    const [, bob, grace] = reviewers;
    slack.set({ error: 'channel_not_found' });
    const [named, assigned] = [bob?._id ?? '', grace?._id ?? ''];
    await addTask({ policy: { approvals: 1, users: [named], groups: [] }, firstReviewers: [named] });
    await addTask({ assignee: assigned });
    await addTask({ status: 'approved', slackMailAt: new Date(0).toISOString() });
    await start();
    await mail.waitFor(2);
    await poll(async () => (await on.fixture.tasks.count({ slackMailAt: { $exists: true } })) === 0);
    expect(recipients()).toEqual(new Set([bob?.email, grace?.email]));
    expect(mail.mails).toHaveLength(2);
  });

  it('emails a task to its creator, who may decide it, but not if the creator never votes', async () => {
    const { reviewers, creator, addTask } = await setUp();
    slack.set({ error: 'not_in_channel' });
    const open = await addTask();
    const withPolicy = await addTask({ policy: { approvals: 1, users: [], groups: [] } });
    await start();
    await mail.waitFor(2 * reviewers.length + 1);
    await poll(async () => (await on.fixture.tasks.count({ slackMailAt: { $exists: true } })) === 0);
    const readersOf = ({ _id }: TaskRecord) =>
      new Set(mail.mails.filter(({ text }) => text.includes(_id)).flatMap(({ to }) => to));
    const emails = reviewers.map(({ email }) => email);
    expect(readersOf(open)).toEqual(new Set([...emails, creator.email]));
    expect(readersOf(withPolicy)).toEqual(new Set(emails));
  });

  it('a message that failed is posted once Slack works again, and updated after an outage', async () => {
    const { addTask } = await setUp();
    slack.set({ status: 500 });
    const task = await addTask();
    await start();
    await poll(() => slack.calls.length >= 2, { what: 'two attempts' });
    slack.set('up');
    await upToDate(task);
    slack.set({ status: 500 });
    const at = new Date().toISOString();
    await on.fixture.tasks.updateOne({ _id: task._id }, { $set: { status: 'cancelled', slackDue: at } });
    await poll(() => slack.calls.filter((call) => call === 'chat.update').length >= 1);
    slack.set('up');
    await upToDate(task);
    expect(slack.messages).toHaveLength(1);
    expect(JSON.stringify(slack.messages)).toContain('Cancelled');
  });

  it('another process continues after one died, but not while it lives', async () => {
    const { addTask } = await setUp();
    const lease = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const dead = await addTask({ slack: { channel: CHANNEL, owner: 'dead', leaseUntil: lease(-1) } });
    const alive = await addTask({ slack: { channel: CHANNEL, owner: 'alive', leaseUntil: lease(60) } });
    await start();
    await upToDate(dead);
    expect([slack.messages.length, (await stored(alive)).slack?.ts]).toEqual([1, undefined]);
  });

  it.each([
    ['refuses its result', { isStoring: false }],
    ['loses the response about its result', { isStoring: true }],
  ])('a message is posted once if the store %s for longer than the lease', async (_, interruption) => {
    const { addTask } = await setUp();
    const task = await addTask();
    const clock = { ahead: 0 };
    const dispatcher = await start({
      now: () => Date.now() + clock.ahead,
      client: afterCalls(() => dispatcher.faults.interruptStore(interruption)),
    });
    await poll(() => dispatcher.log.some(({ level }) => level === 'warn'), { what: 'the outage in the log' });
    clock.ahead = 60_000;
    dispatcher.faults.restoreStore();
    await upToDate(task);
    await dispatcher.stop();
    expect(slack.messages.map(({ ts }) => ts)).toEqual([(await stored(task)).slack?.ts]);
    expect(slack.calls).toEqual(['chat.postMessage']);
  });

  it('a message is posted once if Slack takes some seconds to respond', async () => {
    const { addTask } = await setUp();
    slack.set({ respondsAfterMs: 6_000 });
    const task = await addTask();
    await start();
    expect((await upToDate(task)).slack?.ts).toBe(slack.messages[0]?.ts);
    expect(slack.messages).toHaveLength(1);
  });

  it('a task that changes while it is posted is shown as it is then', async () => {
    const { addTask } = await setUp();
    const task = await addTask();
    slack.set({ status: 500 });
    await start({
      client: afterCalls(async () => {
        slack.set('up');
        const at = new Date().toISOString();
        await on.fixture.tasks.updateOne({ _id: task._id }, { $set: { status: 'expired', slackDue: at } });
      }),
    });
    // Nothing was posted, so there is nothing to update.
    await upToDate(task);
    expect(slack.messages).toEqual([]);
  });

  it('the message of an erased task is deleted', async () => {
    const { addTask } = await setUp();
    const task = await addTask();
    await start();
    const { slack: posted } = await upToDate(task);
    const at = new Date().toISOString();
    await on.fixture.tasks.updateOne(
      { _id: task._id },
      {
        $set: {
          erasedAt: at,
          accountId: '',
          slackDue: at,
          slack: { channel: CHANNEL, ts: posted?.ts ?? '' },
        },
      },
    );
    await poll(() => slack.messages.length === 0, { what: 'the message to be deleted' });
    await poll(async () => (await stored(task)).slack === undefined);
    expect(creationEventId(task)).toMatch(/^evt_/);
  });

  it('the message of a task that was erased while it was posted is deleted, even if Slack fails at first', async () => {
    const { addTask } = await setUp();
    const task = await addTask();
    await start({
      client: afterCalls(async () => {
        slack.set({ status: 500 });
        await on.fixture.tasks.updateOne(
          { _id: task._id },
          {
            $set: { erasedAt: task.createdAt, accountId: '', status: 'cancelled' },
            $unset: { slack: true, slackDue: true, slackMailAt: true },
          },
        );
      }),
    });
    await poll(() => slack.calls.includes('chat.delete'), { what: 'the first attempt' });
    expect(slack.messages).toHaveLength(1);
    slack.set('up');
    await poll(() => slack.messages.length === 0, { what: 'the message to be deleted' });
    await poll(async () => (await stored(task)).slack === undefined);
  });

  it('a message that another process posted too is deleted, even if Slack fails at first', async () => {
    const { addTask } = await setUp();
    const task = await addTask();
    const clock = { ahead: 0 };
    const now = () => Date.now() + clock.ahead;
    const first = await start({
      now,
      client: afterCalls(() => first.faults.interruptStore()),
    });
    await poll(() => first.log.some(({ level }) => level === 'warn'), { what: 'the outage in the log' });
    clock.ahead = 60_000;
    await start({ now });
    const { slack: posted } = await upToDate(task);
    expect(slack.messages).toHaveLength(2);
    slack.set({ status: 500 });
    first.faults.restoreStore();
    await poll(() => slack.calls.includes('chat.delete'), { what: 'the first attempt' });
    slack.set('up');
    await poll(() => slack.messages.length === 1, { what: 'the second message to be deleted' });
    expect(slack.messages[0]?.ts).toBe(posted?.ts);
  });

  it('a second message that Slack does not delete yet delays no other task, nor the end of the process', async () => {
    const { addTask } = await setUp();
    const clock = { ahead: 0 };
    const task = await addTask();
    const leaseUntil = new Date(Date.now() + DAY_MS).toISOString();
    const takenOver = { 'slack.owner': 'other', 'slack.leaseUntil': leaseUntil };
    let isRefused = false;
    const dispatcher = await start({
      now: () => Date.now() + clock.ahead,
      client: afterCalls(
        async () => {
          slack.set({ status: 429, retryAfter: DAY_MS / 1000 });
          await on.fixture.tasks.updateOne({ _id: task._id }, { $set: takenOver });
        },
        () => void (isRefused = true),
      ),
    });
    await poll(() => isRefused, { what: 'the first attempt' });
    expect(slack.calls).toEqual(['chat.postMessage', 'chat.delete']);
    slack.set('up');
    clock.ahead = 5 * 60_000;
    const { slack: posted } = await upToDate(await addTask());
    expect(slack.messages).toHaveLength(2);
    await dispatcher.stop();
    expect(slack.messages.map(({ ts }) => ts)).toEqual([posted?.ts]);
  });

  const ERASED = { accountId: '', status: 'cancelled', erasedAt: new Date().toISOString() } as const;
  /** Adds tasks whose messages are in the channel and due. */
  async function addPosted(count: number, values: Partial<TaskRecord>): Promise<TaskRecord[]> {
    const { addTask } = await setUp();
    return Promise.all(
      Array.from({ length: count }, (_, nth) => {
        const posted = { channel: CHANNEL, ts: `1.${nth}` };
        slack.messages.push({ ...posted, text: 'Refund', blocks: [] });
        return addTask({ ...values, slack: { ...posted, ...values.slack } });
      }),
    );
  }

  const attempted = (task: TaskRecord) =>
    poll(async () => slack.calls.length > 0 && (await stored(task)).slack?.owner === undefined, {
      what: 'an attempt and its result',
    });

  it('a rate limit pauses the calls for all tasks, and is no failed attempt', async () => {
    const clock = { at: Date.now() + 60_000 };
    const tasks = await addPosted(40, ERASED);
    slack.set({ status: 429, retryAfter: 60 });
    await start({ now: () => clock.at });
    const isIdle = async () => (await on.fixture.tasks.count({ 'slack.owner': { $exists: true } })) === 0;
    await poll(async () => slack.calls.length > 0 && (await isIdle()), { what: 'the pause' });
    expect(await on.fixture.tasks.count({ 'slack.failures': { $gt: 0 } })).toBe(0);
    slack.set('up');
    clock.at += 60_000;
    await poll(() => slack.messages.length === 0, { what: 'the messages to be deleted' });
    // Only the calls that were under way were limited too.
    expect(slack.calls.length - tasks.length).toBeLessThanOrEqual(8);
  });

  it('a pause of a day holds for its task, and for other tasks for five minutes', async () => {
    const { addTask } = await setUp();
    const clock = { ahead: 0 };
    slack.set({ status: 503, retryAfter: DAY_MS / 1000 });
    const first = await addTask();
    await start({ now: () => Date.now() + clock.ahead });
    await attempted(first);
    slack.set('up');
    clock.ahead = 5 * 60_000;
    const { slack: posted } = await upToDate(await addTask());
    expect(slack.messages.map(({ ts }) => ts)).toEqual([posted?.ts]);
    clock.ahead = DAY_MS;
    await upToDate(first);
    expect(slack.messages).toHaveLength(2);
  });

  it('a rate limit never makes a task give up its message', async () => {
    const { addTask } = await setUp();
    const clock = { ahead: 0 };
    slack.set({ error: 'ratelimited' });
    const task = await addTask({ slack: { channel: CHANNEL, failures: 10 } });
    await start({ now: () => Date.now() + clock.ahead });
    await attempted(task);
    slack.set('up');
    clock.ahead = 60_000;
    await upToDate(task);
    expect(slack.messages).toHaveLength(1);
  });

  it.each([
    ['the update at the end of a task', { status: 'cancelled' }, 'chat.update', 1],
    ['the deletion of the message of an erased task', ERASED, 'chat.delete', 0],
  ] as const)('%s is repeated until Slack works again', async (_, values, method, messages) => {
    const clock = { ahead: 0 };
    const [task] = await addPosted(1, { ...values, slack: { channel: CHANNEL, failures: 10 } });
    if (!task) throw new Error('no task');
    slack.set({ status: 503 });
    await start({ now: () => Date.now() + clock.ahead });
    await attempted(task);
    slack.set('up');
    clock.ahead = 3_600_000;
    await upToDate(task);
    expect([slack.messages.length, slack.calls]).toEqual([messages, [method, method]]);
  });
}

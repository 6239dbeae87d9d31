import { newId } from '@svcforms/contracts';
import { cacheStore, type DocumentStore } from '@svcforms/document-store';
import { readTaskLink, USERS, type UserRecord } from '@svcforms/identity';
import { DAY_MS, HOUR_MS, type Clock } from '@svcforms/primitives';
import {
  countMails,
  MAIL_COUNTERS,
  newSubmission,
  submissionOfTask,
  taskEvent,
  TASKS,
  type FormRecord,
  type MailCounterRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import {
  createGate,
  poll,
  startMailServer,
  tempFolder,
  type MailServer,
  type ReceivedMail,
} from '@svcforms/test-kit';
import { MAILS, newMail } from '../src/mail/mail-record.ts';
import { createMailer } from '../src/mail/mailer.ts';
import { repeatingBus } from './faults.ts';
import type { SuiteContext } from './fixture.ts';
import { formRecord, secretBox, taskRecord } from './records.ts';

const FROM = 'SvcForms <no-reply@forms.example>';

/** Emails, through a mail server that isn't always available. */
export function describeMails(on: SuiteContext): void {
  async function addForm(emails: string[], values: Partial<FormRecord> = {}): Promise<FormRecord> {
    const form = formRecord({
      name: 'Contact\r\nBcc: eve@example.com',
      fields: [{ name: 'email', type: 'email', label: 'E-mail <address>' }],
      settings: { notifications: { emails } },
      ...values,
    });
    await on.fixture.forms.insertOne(form);
    return form;
  }

  /** Stores a submission and publishes its events. */
  async function submit(
    { accountId, _id: formId }: FormRecord,
    submittedVia: 'web' | 'inbound' = 'web',
    data: Record<string, unknown> = {
      email: 'ada@example.com',
      note: '<script>alert("1 & 2")</script>\r\nsecond line',
    },
  ): Promise<void> {
    const submission = newSubmission({
      accountId,
      formId,
      data: JSON.stringify(data),
      metadata: { submittedVia },
      requestId: 'req-1',
      now: Date.now(),
    });
    await insert(submission);
  }

  async function insert(submission: SubmissionRecord): Promise<void> {
    const { _id: submissionId, accountId, formId } = submission;
    await on.fixture.submissions.insertOne(submission);
    for (const event of submission.pendingEvents ?? [])
      await on.pair.bus.publish({ ...event, accountId, formId, submissionId, body: null });
  }

  const taskOf = ({ accountId, _id: formId, createdAt }: FormRecord, values: Partial<TaskRecord> = {}) =>
    taskRecord({ accountId, formId, expiresAt: createdAt, createdAt, ...values });

  /** The same for a decided task whose form emits events of submissions. */
  const submitTask = (form: FormRecord): Promise<void> =>
    insert(
      submissionOfTask({
        ...taskOf(form),
        status: 'approved',
        submissionId: newId('sub'),
        settledAt: form.createdAt,
        emitsSubmission: true,
      }),
    );

  const start = (server: Pick<MailServer, 'url'>, config = {}, now: Clock = Date.now) =>
    on.fixture.startDispatcher(
      { mailScheduleSeconds: [0.05, 0.05, 0.05, 0.05, 0.05, 0.05], ...config },
      { mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM }), now },
    );

  describe('the notices of a task', () => {
    it('become one email for each person, even after a crash, and none once the task has ended', async () => {
      const server = await startMailServer();
      const form = await addForm([], { name: 'Refund' });
      const { accountId, createdAt } = form;
      const users = on.pair.store.collection<UserRecord>(USERS);
      const tasks = on.pair.store.collection<TaskRecord>(TASKS);
      const addPerson = async (name: string) => {
        const _id = newId('usr');
        const email = `${_id.toLowerCase()}@example.com`;
        await users.insertOne({
          _id,
          accountId,
          email,
          name,
          role: 'reviewer',
          passwordHash: '',
          createdAt,
        });
        return { id: _id, email };
      };
      const [ada, grace] = [await addPerson('Ada'), await addPerson('Grace')];
      const kinds = [
        'reminder',
        'escalation',
        'nobody_to_escalate',
        'delegation',
        'blocked',
        'approve_again',
      ] as const;
      const addTask = async (values: Partial<TaskRecord>) => {
        const notices = kinds.map((kind) => ({ kind, at: createdAt, to: [ada.id, grace.id, newId('usr')] }));
        const task = taskOf(form, {
          title: 'Refund 120 €?',
          userId: ada.id,
          notices,
          noticesAt: createdAt,
          ...values,
        });
        await tasks.insertOne(task);
        return task;
      };
      const delegated = { at: createdAt, event: 'delegated', by: grace.id, to: ada.id } as const;
      const task = await addTask({ history: [{ ...delegated, comment: 'Away until Monday' }] });
      await addTask({ title: 'Too late', status: 'approved' });
      const policy = { approvals: 2, users: [ada.id, grace.id], groups: [] };
      const vote = { by: ada.id, outcome: 'approved', at: createdAt } as const;
      await addTask({ title: 'Voted', policy, votes: [vote] });
      const away = { from: ada.id, to: grace.id };
      await addTask({ title: 'Delegated', policy, delegations: [away] });
      const back = { from: grace.id, to: ada.id };
      await addTask({ title: 'Came back', policy, delegations: [away, back] });
      await start(server);
      await start(server);
      await server.waitFor(39);
      // As if a process had died before it removed the notices.
      await tasks.updateOne({ _id: task._id }, { $set: { notices: task.notices, noticesAt: newId('evt') } });
      await poll(async () => (await tasks.count({ noticesAt: { $exists: true } })) === 0);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      const sent = server.mails.map(({ to, subject }) => `${to.join()}: ${subject}`);
      const others = ['Nobody to escalate to', 'Too few reviewers', 'Approve again'];
      const all = ['Reminder', 'Escalated to you', 'Delegated to you', ...others];
      const mailsOf = ({ email }: { email: string }, subjects: string[], title: string) =>
        subjects.map((subject) => `${email}: ${subject}: ${title}`);
      expect(sent.toSorted()).toEqual(
        [
          ...[ada, grace].flatMap((each) => mailsOf(each, all, 'Refund 120 €?')),
          // Only those who still have a vote, except owners and those who must approve again.
          ...mailsOf(ada, others, 'Voted'),
          ...mailsOf(grace, all, 'Voted'),
          ...mailsOf(ada, others, 'Delegated'),
          ...mailsOf(grace, all, 'Delegated'),
          ...mailsOf(ada, all, 'Came back'),
          ...mailsOf(grace, others, 'Came back'),
        ].toSorted(),
      );
      const ofFirst = server.mails.filter(({ subject }) => subject.includes('Refund'));
      for (const { text } of ofFirst) expect(text).toContain(`/tasks/${task._id}`);
      const handed = ofFirst.filter(({ text }) =>
        text?.includes('Delegated by: Grace\nComment: Away until Monday'),
      );
      expect(handed.map(({ to, subject }) => `${to.join()}: ${subject}`)).toEqual(
        mailsOf(ada, ['Delegated to you'], 'Refund 120 €?'),
      );
    });
  });

  it('about a task goes only to users who still have the address and may decide', async () => {
    const server = await startMailServer();
    const form = await addForm([]);
    const { accountId, _id: formId, createdAt } = form;
    const users = on.pair.store.collection<UserRecord>(USERS);
    const task = taskOf(form);
    await on.pair.store.collection<TaskRecord>(TASKS).insertOne(task);
    const email = (name: string) => `${name}-${formId}@example.com`.toLowerCase();
    const queue = async (name: string, values: Partial<UserRecord> | null, namesUser = true) => {
      const userId = newId('usr');
      const login = { passwordHash: '', role: 'reviewer', createdAt } as const;
      if (values)
        await users.insertOne({ _id: userId, accountId, email: email(name), name, ...login, ...values });
      const subject = { kind: 'task', formId, taskId: task._id, ...(namesUser && { userId }) } as const;
      await on.fixture.mails.insertOne(
        newMail({ accountId, to: email(name), subject }, { key: name, now: Date.now() }),
      );
    };
    await queue('ada', {});
    await queue('grace', {}, false);
    await queue('deleted', null);
    await queue('deleted-long-ago', null, false);
    await queue('moved', { email: email('her-new-address') });
    await queue('newer-role', { role: 'guest' as UserRecord['role'] });
    await queue('stranger', { accountId: newId('acc') });
    await start(server);
    await poll(
      async () => (await on.fixture.mails.count({ 'subject.taskId': task._id, status: 'pending' })) === 0,
    );
    expect(server.mails.map(({ to }) => to.join()).toSorted()).toEqual([email('ada'), email('grace')]);
  });

  it('goes to no owner who was deleted, and to no address that the form no longer names', async () => {
    const server = await startMailServer();
    const form = await addForm(['kept@example.com', 'removed@example.com']);
    const { accountId, _id: formId } = form;
    const at = new Date().toISOString();
    const submission = newSubmission({
      accountId,
      formId,
      data: '{}',
      metadata: { submittedVia: 'web' },
      requestId: 'req-1',
      now: Date.now(),
    });
    await on.fixture.submissions.insertOne(submission);
    const subjects = [
      { kind: 'quota', day: at.slice(0, 10) },
      {
        kind: 'webhook',
        formId,
        webhookId: newId('whk'),
        notice: { kind: 'webhook_failing', at, url: 'https://x.example', lastStatus: 500, failingSince: at },
      },
      { kind: 'submission', formId, submissionId: submission._id },
    ] as const;
    for (const subject of subjects) {
      const mail = newMail(
        { accountId, to: 'removed@example.com', subject },
        { key: accountId, now: Date.now() },
      );
      await on.fixture.mails.insertOne({ ...mail, _id: `${mail._id}${subject.kind}` });
    }
    await on.fixture.forms.updateOne(
      { _id: formId },
      { $set: { settings: { notifications: { emails: ['kept@example.com'] } } } },
    );
    await start(server);
    await poll(async () => (await on.fixture.mails.count({ accountId })) === 0);
    expect(server.mails).toEqual([]);
  });

  describe('a user who wants emails about new tasks', () => {
    it('gets one for each unassigned or own task, with a link to the task and none that decides it', async () => {
      const server = await startMailServer();
      const form = await addForm([]);
      const addUser = async (email: string, taskEmails: boolean, accountId = form.accountId) => {
        const user: UserRecord = {
          _id: newId('usr'),
          accountId,
          email: `${newId('usr')}-${email}`.toLowerCase(),
          name: email,
          role: 'reviewer',
          passwordHash: '',
          taskEmails,
          createdAt: form.createdAt,
        };
        await on.pair.store.collection<UserRecord>(USERS).insertOne(user);
        return user;
      };
      const [ada, bob] = [await addUser('ada@example.com', true), await addUser('bob@example.com', true)];
      await addUser('silent@example.com', false);
      await addUser('stranger@example.com', true, newId('acc'));
      await start(server);
      await start(server);
      const ask = async (values: Partial<TaskRecord>) => {
        const task = taskOf(form, { userId: ada._id, ...values });
        await on.pair.store.collection<TaskRecord>(TASKS).insertOne(task);
        const pending = { id: newId('evt'), type: 'hitl.task.created', timestamp: form.createdAt } as const;
        // Published twice, as after a crash.
        await on.pair.bus.publish(taskEvent(task, pending));
        await on.pair.bus.publish(taskEvent(task, pending));
        return task;
      };
      const open = await ask({ title: 'Refund <b>120</b>?' });
      await ask({ title: 'Too late', status: 'approved' });
      const assigned = await ask({ title: 'For Bob', assignee: bob._id });
      const mails = await server.waitFor(3);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(mails.map(({ to, subject }) => `${to.join()}: ${subject}`).toSorted()).toEqual(
        [
          `${ada.email}: New task: Refund <b>120</b>?`,
          `${bob.email}: New task: Refund <b>120</b>?`,
          `${bob.email}: New task: For Bob`,
        ].toSorted(),
      );
      const ofOpen = mails.find(({ subject }) => subject.includes('Refund'));
      expect(ofOpen?.text).toMatch(new RegExp(`https?://\\S+/tasks/${open._id}#link=\\S+ before`));
      expect(ofOpen?.html).toContain('Refund &lt;b&gt;120');
      expect(ofOpen?.html).toMatch(
        new RegExp(`<a href="\\S+/tasks/${open._id}#link=\\S+">https?://\\S+/tasks/${open._id}</a>`),
      );
      expect(ofOpen?.text).toMatch(/^Expires: \w{3} \d+, \d{4}, \d\d:\d\d UTC$/m);
      expect(mails.map(({ text }) => text).join()).not.toMatch(/\/decision|approve/);
      expect(mails.some(({ text }) => text?.includes(assigned._id))).toBe(true);
      // Each link is of the user whom the email is for, and ends with the task at the latest.
      for (const { to, text = '' } of mails) {
        const [, taskId = '', token = ''] = /\/tasks\/(\w+)#link=(\S+)/.exec(text) ?? [];
        const link = readTaskLink(secretBox, taskId, token);
        const user = [ada, bob].find(({ _id }) => _id === link?.userId);
        const task = [open, assigned].find(({ _id }) => _id === taskId);
        expect(to).toContain(user?.email);
        expect((link?.expiresAt ?? '') <= (task?.expiresAt ?? '')).toBe(true);
      }
    });
  });

  describe('a user whose login changed', () => {
    it('gets one email at each address, even if it was queued before a crash', async () => {
      const server = await startMailServer();
      const at = new Date().toISOString();
      const email = `${newId('usr')}@example.com`.toLowerCase();
      const user: UserRecord = {
        _id: newId('usr'),
        accountId: newId('acc'),
        email: `new-${email}`,
        name: 'Ada',
        role: 'reviewer',
        passwordHash: '',
        notices: [
          { kind: 'email_changed', at, to: [email, `new-${email}`] },
          { kind: 'password_changed', at, to: [email] },
        ],
        noticesAt: `${at}|1`,
        createdAt: at,
      };
      const users = on.pair.store.collection<UserRecord>(USERS);
      await users.insertOne(user);
      await start(server);
      await start(server);
      const isDone = async () => (await users.count({ _id: user._id, noticesAt: { $exists: true } })) === 0;
      await poll(isDone);
      // As after a crash between queueing the emails and removing the notices.
      await users.updateOne({ _id: user._id }, { $set: { notices: user.notices, noticesAt: `${at}|2` } });
      await poll(isDone);
      await server.waitFor(3);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      const mails = await server.waitFor(3);
      expect(mails.map(({ to, subject }) => `${to.join()}: ${subject}`).toSorted()).toEqual(
        [
          `${email}: The email address of your SvcForms login was changed`,
          `new-${email}: The email address of your SvcForms login was changed`,
          `${email}: Your SvcForms password was changed`,
        ].toSorted(),
      );
    });
  });

  describe('an address for notifications', () => {
    const isVerification = ({ subject }: ReceivedMail) => subject.startsWith('Confirm this address');
    const UNSUBSCRIBE = { $set: { status: 'unsubscribed' } } as const;
    const addUser = async ({ accountId, createdAt }: FormRecord, email: string): Promise<UserRecord> => {
      const login = { role: 'reviewer', passwordHash: '', createdAt } as const;
      const user: UserRecord = { _id: newId('usr'), accountId, email, name: 'Ada', ...login };
      await on.fixture.users.insertOne(user);
      return user;
    };
    const untilNoneIsPending = () =>
      poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);

    it('gets nothing but one verification email until it is verified', async () => {
      const server = await startMailServer();
      const form = await addForm(['New@Example.com'], { verifiesRecipients: true });
      await start(server);
      await start(server);
      await submit(form);
      await submit(form);
      const [mail] = await server.waitFor(1);
      await untilNoneIsPending();
      expect(server.mails.map(({ to, subject }) => [to.join(), subject])).toEqual([
        ['new@example.com', 'Confirm this address for notifications'],
      ]);
      expect(mail?.raw).not.toContain('Contact');
      const [, secret = ''] = /verify\?token=nad_\w+\.([\w-]+)/.exec(mail?.text ?? '') ?? [];
      const [address] = await on.fixture.addresses.find({});
      expect(address).toMatchObject({
        email: 'new@example.com',
        status: 'pending',
        links: [{ hash: hashToken(secret) }],
      });
      await on.fixture.addresses.updateMany({}, { $set: { status: 'verified' } });
      await submit(form);
      const [, notification] = await server.waitFor(2);
      expect(notification?.to).toEqual(['New@example.com']);
      expect(notification?.headerNames).toContain('list-unsubscribe-post');
    });

    it('of a user of the account counts as verified until the user is deleted, and then gets one verification email', async () => {
      const server = await startMailServer();
      const email = `${newId('usr')}@example.com`.toLowerCase();
      const form = await addForm([email.toUpperCase().replace('EXAMPLE.COM', 'example.com')], {
        verifiesRecipients: true,
      });
      const user = await addUser(form, email);
      await start(server);
      await submit(form);
      await server.waitFor(1, (mail) => !isVerification(mail));
      await on.fixture.users.deleteOne({ _id: user._id });
      await submit(form);
      await submit(form);
      await server.waitFor(1, isVerification);
      await submit(form);
      const other = await addForm(['later@example.com']);
      await submit(other);
      await server.waitFor(1, ({ to }) => to.includes('later@example.com'));
      await untilNoneIsPending();
      expect(server.mails.map(({ to }) => to.join())).toEqual([
        expect.any(String),
        email,
        'later@example.com',
      ]);
    });

    it('gets no verification email above the limit of its account', async () => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com'], { verifiesRecipients: true });
      const { accountId } = form;
      const counters = on.pair.store.collection<MailCounterRecord>(MAIL_COUNTERS);
      await countMails(counters, { accountId, kind: 'verifications', amount: 50, now: Date.now() });
      await start(server);
      await submit(form);
      const other = await addForm(['later@example.com']);
      await submit(other);
      await server.waitFor(1, ({ to }) => to.includes('later@example.com'));
      const address = await on.fixture.addresses.findOne({ email: 'one@example.com' });
      expect(address).toMatchObject({ status: 'pending' });
      expect(address?.requestedAt).toBeUndefined();
    });

    it('that a form has named since before verification gets emails until it unsubscribes', async () => {
      const server = await startMailServer();
      const form = await addForm(['old@example.com']);
      await start(server);
      await submit(form);
      const [mail] = await server.waitFor(1);
      expect(isVerification(mail!)).toBe(false);
      const [address] = await on.fixture.addresses.find({});
      expect(mail?.text).toContain(`unsubscribe?token=${address?._id}.${address?.unsubscribeKey}`);
      await on.fixture.addresses.updateMany({}, { $set: { status: 'unsubscribed' } });
      await submit(form);
      const other = await addForm(['later@example.com']);
      await submit(other);
      await server.waitFor(1, ({ to }) => to.includes('later@example.com'));
      expect(server.mails).toHaveLength(2);
    });

    it.each([
      ['unsubscribes', () => on.fixture.addresses.updateMany({}, UNSUBSCRIBE)],
      ['no longer belongs to a user', () => on.fixture.users.deleteMany({})],
    ])('that %s while an email is queued does not get it', async (_, end) => {
      const gone = await startMailServer();
      const port = Number(new URL(gone.url).port);
      await gone.close();
      const email = `${newId('usr')}@example.com`.toLowerCase();
      const form = await addForm([email], { verifiesRecipients: true });
      await addUser(form, email);
      await start(gone, { mailScheduleSeconds: [0.3, 0.3, 0.3, 0.3, 0.3] });
      await submit(form);
      await poll(async () => (await on.fixture.mails.count({ attempts: 1 })) === 1);
      await end();
      const back = await startMailServer({ port });
      await poll(async () => (await on.fixture.mails.count({})) === 0);
      expect(back.mails).toEqual([]);
    });
  });

  describe('many submissions', () => {
    const subjects = (server: MailServer) => server.mails.map(({ subject }) => subject);
    const isDigest = ({ subject }: ReceivedMail) => subject.includes('more submission');
    /** The store of a process, with `around` in place of these calls. */
    function storeWith(
      isMeant: (collection: string, method: unknown, argument: unknown) => boolean,
      around: (call: () => Promise<unknown>) => Promise<unknown>,
    ): DocumentStore {
      const { store, bus } = on.pair;
      const collection: DocumentStore['collection'] = (spec) =>
        new Proxy(store.collection(spec), {
          get(target, name) {
            const member: unknown = Reflect.get(target, name);
            if (typeof member !== 'function') return member;
            return (...args: unknown[]) => {
              const call = () => Reflect.apply(member, target, args) as Promise<unknown>;
              return isMeant(spec.name, name, args[0]) ? around(call) : call();
            };
          },
        });
      return cacheStore({ ...store, collection }, bus);
    }
    /** An insert of emails that a digest counts. */
    const isInsertOfDigested = (collection: string, method: unknown, docs: unknown) =>
      collection === MAILS.name &&
      method === 'insertMany' &&
      (docs as object[]).some((doc) => 'digest' in doc);
    const untilDecided = (form: FormRecord, count: number) =>
      poll(
        async () =>
          (await on.fixture.mails.count({
            'subject.formId': form._id,
            'subject.kind': 'submission',
            status: { $in: ['sent', 'digested'] },
          })) === count,
        { what: `${count} mails` },
      );

    it('in an hour lead to separate emails first and then to one digest, across two processes', async () => {
      const server = await startMailServer();
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const limits = { mailLimits: { dailyQuota: 0, digestAfter: 3 } };
      const form = await addForm(['one@example.com']);
      const quiet = await addForm(['one@example.com']);
      const startedAt = Date.now();
      await start(server, limits, now);
      const second = await start(server, limits, now);
      for (let n = 0; n < 8; n++) await submit(form);
      await submit(quiet);
      await untilDecided(form, 8);
      await untilDecided(quiet, 1);
      expect(server.mails).toHaveLength(4);
      // An email that is due in an hour survives a restart.
      await second.stop();
      ahead = HOUR_MS + 60_000;
      const [digest] = await server.waitFor(1, isDigest);
      const [, date = ''] = /^Date: (.*)$/m.exec(digest?.raw ?? '') ?? [];
      expect(Date.parse(date)).toBeGreaterThan(startedAt + HOUR_MS);
      expect(digest?.subject).toBe('5 more submissions: Contact Bcc: eve@example.com');
      expect(digest?.text).toContain(`/forms/${form._id}/submissions`);
      expect(digest?.text).not.toContain('ada@example.com');
      expect(digest?.headerNames).toContain('list-unsubscribe');
      await submit(form);
      await untilDecided(form, 9);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(subjects(server).filter((subject) => subject.startsWith('New submission'))).toHaveLength(5);
      expect(server.mails.filter(isDigest)).toHaveLength(1);
    });

    it.each([
      ['by a process that paused', false],
      ['by a process that died before it knew that', true],
    ])('that are stored after their digest was sent, %s, are counted in the next one', async (_, dies) => {
      const server = await startMailServer();
      const gate = createGate();
      const form = await addForm(['one@example.com']);
      let ahead = 0;
      let batches = 0;
      const { log } = await on.fixture.startDispatcher(
        { mailLimits: { dailyQuota: 0, digestAfter: 1 } },
        {
          mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM }),
          now: () => Date.now() + ahead,
          store: storeWith(isInsertOfDigested, async (insert) => {
            batches += 1;
            if (batches === 2) await gate.passed;
            const result = await insert();
            if (batches === 2 && dies) throw new Error('as if the process had died');
            return result;
          }),
        },
      );
      for (let n = 0; n < 2; n++) await submit(form);
      await untilDecided(form, 2);
      await submit(form);
      await poll(() => batches === 2, { what: 'the third submission' });
      ahead = HOUR_MS + 60_000;
      await server.waitFor(1, isDigest);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      gate.open();
      await untilDecided(form, 3);
      await poll(async () => (await on.fixture.mails.count({ 'subject.kind': 'digest' })) === 2, {
        what: 'the next digest',
      });
      ahead += HOUR_MS + 60_000;
      const digests = await server.waitFor(2, isDigest);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(digests.map(({ subject }) => Number.parseInt(subject, 10))).toEqual([1, 1]);
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(0);
    });

    it('whose events are delivered again after their digest was sent are counted once', async () => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com']);
      let ahead = 0;
      const handled: (() => unknown)[] = [];
      await on.fixture.startDispatcher(
        { mailLimits: { dailyQuota: 0, digestAfter: 1 } },
        {
          mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM }),
          now: () => Date.now() + ahead,
          bus: {
            ...on.pair.bus,
            consume: (durable, options, handler) =>
              on.pair.bus.consume(durable, options, (batch) => {
                handled.push(() => handler(batch.map((message) => ({ ...message, isNew: false }))));
                return handler(batch);
              }),
          },
        },
      );
      for (let n = 0; n < 3; n++) await submit(form);
      await untilDecided(form, 3);
      ahead = HOUR_MS + 60_000;
      await server.waitFor(1, isDigest);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      for (const handleAgain of handled) await handleAgain();
      expect(await on.fixture.mails.count({ 'subject.kind': 'digest' })).toBe(1);
    });

    it('of tasks, which get no email, count for no limit', async () => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com']);
      await start(server, { mailLimits: { dailyQuota: 2, digestAfter: 2 } });
      for (let n = 0; n < 5; n++) await submitTask(form);
      await submit(form);
      await submitTask(form);
      await submit(form);
      await untilDecided(form, 2);
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(subjects(server)).toEqual(Array(2).fill('New submission: Contact Bcc: eve@example.com'));
    });

    it('after the clock was ahead by a day and is corrected lead to separate emails again', async () => {
      const server = await startMailServer();
      let ahead = 24 * HOUR_MS;
      const limits = { mailLimits: { dailyQuota: 0, digestAfter: 2 } };
      const form = await addForm(['one@example.com']);
      await start(server, limits, () => Date.now() + ahead);
      for (let n = 0; n < 2; n++) await submit(form);
      await untilDecided(form, 2);
      ahead = 0;
      for (let n = 0; n < 3; n++) await submit(form);
      await untilDecided(form, 5);
      const [digest] = await on.fixture.mails.find({ 'subject.formId': form._id, 'subject.kind': 'digest' });
      expect(Date.parse(digest?.dueAt ?? '')).toBeLessThan(Date.now() + 2 * HOUR_MS);
      expect(subjects(server)).toHaveLength(4);
    });

    it.each([
      ['delivered', 0, { asNew: false }],
      ['published', 10 * 60_000, { asNew: true }],
    ] as const)('whose events are %s again count once for each limit', async (_, ageMs, repeated) => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com']);
      await on.fixture.startDispatcher(
        { mailLimits: { dailyQuota: 4, digestAfter: 4 } },
        {
          mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM }),
          bus: repeatingBus(on.pair.bus, repeated),
          now: () => Date.now() + ageMs,
        },
      );
      for (let n = 0; n < 4; n++) await submit(form);
      await untilDecided(form, 4);
      expect(await on.fixture.mails.count({ 'subject.kind': 'digest' })).toBe(0);
      await submit(form);
      await untilDecided(form, 5);
      expect(await on.fixture.mails.count({ 'subject.kind': 'digest' })).toBe(1);
    });

    it('above the daily quota lead to a digest soon after the midnight at which they are counted', async () => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com']);
      // A minute before midnight.
      let ahead = DAY_MS - 60_000 - (Date.now() % DAY_MS);
      let counts = 0;
      await on.fixture.startDispatcher(
        { mailLimits: { dailyQuota: 1, digestAfter: 0 } },
        {
          mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM }),
          now: () => Date.now() + ahead,
          store: storeWith(
            (collection) => collection === MAIL_COUNTERS.name,
            async (count) => {
              const counted = await count();
              counts += 1;
              if (counts === 2) ahead += 120_000;
              return counted;
            },
          ),
        },
      );
      for (let n = 0; n < 2; n++) {
        await submit(form);
        await untilDecided(form, n + 1);
      }
      await server.waitFor(1, isDigest);
    });

    it('above the daily quota lead to a digest the next day and one email to the owner today', async () => {
      const server = await startMailServer();
      let ahead = 0;
      const now = () => Date.now() + ahead;
      const limits = { mailLimits: { dailyQuota: 4, digestAfter: 0 } };
      const form = await addForm(['one@example.com', 'two@example.com']);
      const owner = `${newId('usr')}@example.com`.toLowerCase();
      await on.pair.store.collection<UserRecord>(USERS).insertOne({
        _id: newId('usr'),
        accountId: form.accountId,
        email: owner,
        name: 'Owner',
        role: 'owner',
        passwordHash: '',
        createdAt: form.createdAt,
      });
      const { log } = await start(server, limits, now);
      await start(server, limits, now);
      for (let n = 0; n < 5; n++) await submit(form);
      await untilDecided(form, 10);
      await server.waitFor(1, ({ to }) => to.includes(owner));
      expect(subjects(server).filter((subject) => subject.startsWith('New submission'))).toHaveLength(4);
      expect(server.mails.filter(({ to }) => to.includes(owner))).toHaveLength(1);
      // Each account has its own quota.
      const other = await addForm(['three@example.com']);
      await submit(other);
      await server.waitFor(1, ({ to }) => to.includes('three@example.com'));
      ahead = 24 * HOUR_MS + 60_000;
      const digests = await server.waitFor(2, isDigest);
      const counts = digests.map(({ subject }) => Number.parseInt(subject, 10));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6);
      // The mail server receives an email before the store has the result.
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(log.every(({ level }) => level !== 'error')).toBe(true);
    });
  });

  describe('a form with email notifications', () => {
    it('sends each address one email per submission from any source, as text and escaped HTML', async () => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com', 'two@example.com']);
      const silent = await addForm([]);
      await start(server);
      await start(server);
      await submit(form, 'web');
      await submit(form, 'inbound');
      await submit(silent, 'inbound');
      const mails = await server.waitFor(4);
      await poll(async () => (await on.fixture.mails.count({ status: 'sent' })) === 4);
      expect(mails).toHaveLength(4);
      expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(4);
      // The emails of two submissions arrive in any order.
      const sourceOf = (text: string): string => /^Source: (.*)$/m.exec(text)?.[1] ?? '';
      expect(mails.map(({ to, text }) => `${to.join()}: ${sourceOf(text)}`).toSorted()).toEqual([
        'one@example.com: Inbound endpoint',
        'one@example.com: Visitor',
        'two@example.com: Inbound endpoint',
        'two@example.com: Visitor',
      ]);
      const mail = mails.find(({ text }) => sourceOf(text) === 'Visitor');
      expect(mail).toMatchObject({
        from: 'no-reply@forms.example',
        subject: 'New submission: Contact Bcc: eve@example.com',
      });
      expect(mail!.headerNames).not.toContain('bcc');
      expect(mail!.text).toContain('E-mail <address>: ada@example.com');
      expect(mail!.text).toMatch(/^Received: \w{3} \d+, \d{4}, \d\d:\d\d UTC\nSource: Visitor$/m);
      expect(mail!.text).toContain('note: \n  <script>alert("1 & 2")</script>\n  second line');
      expect(mail!.html).toContain('E-mail &lt;address&gt;</th><td dir="auto">ada@example.com');
      expect(mail!.html).toContain(
        '&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;<br>second line',
      );
      expect(mail!.html).not.toContain('<script');
    });

    it('shows values as the dashboard does: labels of options, Yes and No', async () => {
      const server = await startMailServer();
      const options = [{ value: 's', label: 'Small' }, { value: 'm', label: 'Medium' }, { value: 'l' }];
      const form = await addForm(['one@example.com'], {
        fields: [
          { name: 'size', type: 'select', label: 'Size', options },
          { name: 'more', type: 'checkboxes', label: ' ', options },
          { name: 'gift', type: 'checkbox', label: 'Gift' },
          { name: 'note', type: 'text', label: 'Note' },
          { name: 'terms', type: 'consent', label: 'I accept' },
        ],
      });
      await start(server);
      const terms = { accepted: true, text: 'I accept' };
      await submit(form, 'inbound', { size: 'm', more: ['s', 'l', 'xl'], gift: false, note: 's', terms });
      const mail = await poll(() => server.mails[0]);
      expect(mail.text).toContain(
        'Size: Medium\nmore: Small, l, xl\nGift: No\nNote: s\nterms: Accepted: I accept\nReceived: ',
      );
    });

    it('sends one email for a repeated event', async () => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com']);
      await on.fixture.startDispatcher(
        {},
        {
          mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM }),
          bus: repeatingBus(on.pair.bus),
        },
      );
      for (let n = 0; n < 3; n++) await submit(form);
      await poll(async () => (await on.fixture.mails.count({ status: 'sent' })) === 3);
      expect(await on.fixture.mails.count({})).toBe(3);
      expect(server.mails).toHaveLength(3);
    });

    it('retries an email across a restart and sends it once', async () => {
      const gone = await startMailServer();
      const port = Number(new URL(gone.url).port);
      await gone.close();
      const form = await addForm(['one@example.com']);
      const first = await start(gone, { mailScheduleSeconds: [0.1, 2, 0.1] });
      await submit(form);
      await poll(async () => (await on.fixture.mails.count({ attempts: 2 })) === 1);
      await first.stop();
      const back = await startMailServer({ port });
      await start(back);
      await back.waitFor(1);
      await poll(async () => (await on.fixture.mails.count({ status: 'sent' })) === 1);
      expect(back.mails).toHaveLength(1);
      expect(first.log.filter(({ fields }) => fields['event'] === 'mail.waiting')).toHaveLength(2);
    });

    it.each([
      ['refuses its result', { isStoring: false }],
      ['loses the response about its result', { isStoring: true }],
    ])('sends an email once if the store %s for longer than the lease', async (_, interruption) => {
      const server = await startMailServer();
      const form = await addForm(['one@example.com']);
      const mailer = createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM });
      const clock = { ahead: 0 };
      const { faults, log } = await on.fixture.startDispatcher(
        { mailScheduleSeconds: [0.05, 0.05] },
        {
          now: () => Date.now() + clock.ahead,
          mailer: {
            ...mailer,
            async send(mail) {
              const response = await mailer.send(mail);
              if (server.mails.length === 1) faults.interruptStore(interruption);
              return response;
            },
          },
        },
      );
      await submit(form);
      await poll(() => log.some(({ level }) => level === 'warn'), { what: 'the outage in the log' });
      clock.ahead = 300_000;
      faults.restoreStore();
      await poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
      expect(await on.fixture.mails.find({})).toMatchObject([{ status: 'sent', attempts: 1 }]);
      expect(server.mails).toHaveLength(1);
    });

    it('gives up an address that the server refuses permanently, writes to the others, and counts what became of each', async () => {
      const server = await startMailServer();
      server.refuse(550, 'nobody@example.com');
      server.refuse(451, 'busy@example.com');
      const form = await addForm(['nobody@example.com', 'busy@example.com', 'one@example.com']);
      const { log, metrics } = await start(server);
      await submit(form);
      await poll(async () => (await on.fixture.mails.count({ status: { $ne: 'pending' } })) === 3);
      const ends = await on.fixture.mails.find({}, { sort: ['to'] });
      expect(ends.map(({ to, status, attempts }) => [to, status, attempts])).toEqual([
        ['busy@example.com', 'failed', 7],
        ['nobody@example.com', 'failed', 1],
        ['one@example.com', 'sent', 1],
      ]);
      expect(log.filter(({ fields }) => fields['event'] === 'mail.failed')).toHaveLength(2);
      expect(server.mails).toHaveLength(1);
      const metric = metrics?.find(({ name }) => name === 'svc_email_outcomes_total');
      const samples = await metric?.read();
      expect(samples?.map(({ labels, value }) => [labels?.['outcome'], value])).toEqual([
        ['sent', 1],
        ['retry', 6],
        ['refused', 1],
        ['failed', 1],
        ['dropped', 0],
      ]);
    });

    it('reports how long an email has been due while others take all connections', async () => {
      const server = await startMailServer();
      const mailer = createMailer({ smtpUrl: server.url, folder: tempFolder(), from: FROM });
      const gate = createGate();
      const form = await addForm([1, 2, 3, 4, 5].map((n) => `person-${n}@example.com`));
      let passed = 0;
      const { metrics } = await on.fixture.startDispatcher(
        {},
        {
          now: () => Date.now() + passed,
          mailer: { ...mailer, send: (mail) => gate.passed.then(() => mailer.send(mail)) },
        },
      );
      const metric = metrics?.find(({ name }) => name === 'svc_emails_oldest_due_seconds');
      const seconds = async () => (await metric?.read())?.[0]?.value;
      expect(await seconds()).toBe(0);
      await submit(form);
      await poll(async () => (await on.fixture.mails.count({ attempts: 1 })) === 4);
      passed = 100_000;
      await poll(async () => ((await seconds()) ?? 0) >= 100, { what: 'the age of the fifth email' });
      gate.open();
      await server.waitFor(5);
      await poll(async () => (await seconds()) === 0, { what: 'no email that is due' });
    });

    it('sends an email when the server accepts the sender again', async () => {
      const server = await startMailServer();
      server.refuse(530, 'no-reply@forms.example');
      const form = await addForm(['one@example.com']);
      await start(server);
      await submit(form);
      await poll(async () => (await on.fixture.mails.count({ attempts: 2 })) === 1);
      server.accept('no-reply@forms.example');
      await server.waitFor(1);
      await poll(async () => (await on.fixture.mails.count({ status: 'sent' })) === 1);
    });

    it('sends no queued email after it was deleted', async () => {
      const gone = await startMailServer();
      const port = Number(new URL(gone.url).port);
      await gone.close();
      const form = await addForm(['one@example.com']);
      const { log } = await start(gone, { mailScheduleSeconds: [0.3, 0.3, 0.3] });
      await submit(form);
      await poll(async () => (await on.fixture.mails.count({ attempts: 1 })) === 1);
      await on.fixture.forms.deleteOne({ _id: form._id });
      const back = await startMailServer({ port });
      await poll(() => log.some(({ fields }) => fields['event'] === 'mail.dropped'));
      expect(await on.fixture.mails.count({})).toBe(0);
      expect(back.mails).toEqual([]);
    });
  });
}

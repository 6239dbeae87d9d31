import { newId } from '@svcforms/contracts';
import {
  ACCOUNTS,
  INVITATIONS,
  isLinkOpen,
  PASSWORD_RESETS,
  readLink,
  USERS,
  type AccountRecord,
  type InvitationRecord,
  type PasswordResetRecord,
  type UserRecord,
} from '@svcforms/identity';
import { HOUR_MS } from '@svcforms/primitives';
import { newSubmission } from '@svcforms/records';
import { createGate, poll, startMailServer, tempFolder, type MailServer } from '@svcforms/test-kit';
import { createMailer } from '../src/mail/mailer.ts';
import type { SuiteContext } from './fixture.ts';

/** Emails with a link that logs somebody in: password resets and invitations. */
export function describeLoginMails(on: SuiteContext): void {
  const users = () => on.pair.store.collection<UserRecord>(USERS);
  const invitations = () => on.pair.store.collection<InvitationRecord>(INVITATIONS);
  const resets = () => on.pair.store.collection<PasswordResetRecord>(PASSWORD_RESETS);
  const start = (server: MailServer) =>
    on.fixture.startDispatcher(
      { mailScheduleSeconds: [0.05] },
      {
        mailer: createMailer({ smtpUrl: server.url, folder: tempFolder(), from: 'no-reply@forms.example' }),
        now: Date.now,
      },
    );
  const untilNoneIsPending = () =>
    poll(async () => (await on.fixture.mails.count({ status: 'pending' })) === 0);
  const linkIn = (text = '') => readLink(/#(\S+)/.exec(text)?.[1] ?? '');

  async function addUser(): Promise<UserRecord> {
    const _id = newId('usr');
    const user: UserRecord = {
      _id,
      accountId: newId('acc'),
      email: `${_id}@example.com`.toLowerCase(),
      name: 'Ada',
      role: 'reviewer',
      passwordHash: '',
      createdAt: new Date().toISOString(),
    };
    await users().insertOne(user);
    return user;
  }

  const addAccount = (_id: string, values: Partial<AccountRecord> = {}) =>
    on.pair.store.collection<AccountRecord>(ACCOUNTS).insertOne({
      _id,
      name: 'Engines\r\nBcc: eve@example.com',
      plan: 'free',
      createdAt: new Date().toISOString(),
      ...values,
    });

  async function addInvitation(
    values: Partial<InvitationRecord> = {},
    account: Partial<AccountRecord> = {},
  ): Promise<InvitationRecord> {
    const accountId = newId('acc');
    const at = new Date().toISOString();
    await addAccount(accountId, account);
    const _id = newId('inv');
    const invitation: InvitationRecord = {
      _id,
      accountId,
      email: `${_id}@example.com`.toLowerCase(),
      role: 'reviewer',
      invitedBy: newId('usr'),
      links: [],
      createdAt: at,
      sentAt: at,
      mailOwedAt: at,
      expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
      expireAt: new Date(Date.now() + HOUR_MS).toISOString(),
      ...values,
    };
    await invitations().insertOne(invitation);
    return invitation;
  }

  describe('a requested password reset', () => {
    it('leads to one email with a link if the address is that of a user, and to none otherwise', async () => {
      const server = await startMailServer();
      const user = await addUser();
      const requestedAt = new Date().toISOString();
      const expireAt = new Date(Date.now() + HOUR_MS).toISOString();
      for (const email of [user.email, 'nobody@example.com']) {
        await resets().insertOne({ _id: `${email}-${requestedAt}`, email, requestedAt, expireAt });
      }
      await start(server);
      await start(server);
      const [mail] = await server.waitFor(1);
      await poll(async () => (await resets().count({})) === 0);
      await untilNoneIsPending();
      expect(server.mails.map(({ to, subject }) => [to.join(), subject])).toEqual([
        [user.email, 'Reset your SvcForms password'],
      ]);
      expect(mail?.text).toMatch(
        /^Set a new password on this page: https?:\/\/\S+\/reset-password#usr_\S+$/m,
      );
      const link = linkIn(mail?.text);
      const stored = await users().findOne({ _id: user._id });
      expect(link?.ownerId).toBe(user._id);
      expect(isLinkOpen(stored?.resets, link?.hash ?? '', requestedAt)).toBe(true);
      expect(isLinkOpen(stored?.resets, link?.hash ?? '', expireAt)).toBe(false);
      expect(JSON.stringify(await on.fixture.mails.find({}))).not.toContain(
        /#usr_\w+\.(\S+)/.exec(mail?.text ?? '')?.[1],
      );
    });

    it('is sent before others of its account, and these take turns with those of another', async () => {
      const server = await startMailServer();
      const mailer = createMailer({
        smtpUrl: server.url,
        folder: tempFolder(),
        from: 'no-reply@forms.example',
      });
      const gate = createGate();
      const begun: string[] = [];
      const user = await addUser();
      const at = new Date().toISOString();
      const addForm = async (accountId: string, addresses: number) => {
        const _id = newId('frm');
        const emails = Array.from({ length: addresses }, (_, n) => `${n}-${_id}@example.com`.toLowerCase());
        const settings = { notifications: { emails } };
        const dates = { createdAt: at, updatedAt: at };
        await on.fixture.forms.insertOne({
          _id,
          accountId,
          name: 'Contact',
          fields: [],
          settings,
          ...dates,
          version: 1,
        });
        const values = { accountId, formId: _id, data: '{}', metadata: { submittedVia: 'web' as const } };
        const submission = newSubmission({ ...values, requestId: 'req-1', now: Date.now() });
        await on.fixture.submissions.insertOne(submission);
        for (const event of submission.pendingEvents ?? [])
          await on.pair.bus.publish({
            ...event,
            accountId,
            formId: _id,
            submissionId: submission._id,
            body: null,
          });
        return emails;
      };
      await on.fixture.startDispatcher(
        {},
        {
          mailer: {
            ...mailer,
            async send(mail) {
              begun.push(mail.to);
              await gate.passed;
              return mailer.send(mail);
            },
          },
        },
      );
      const many = await addForm(user.accountId, 12);
      await poll(() => begun.length === 4, { what: 'emails that take long' });
      const others = await addForm(newId('acc'), 1);
      const expireAt = new Date(Date.now() + HOUR_MS).toISOString();
      await resets().insertOne({ _id: `${user.email}-${at}`, email: user.email, requestedAt: at, expireAt });
      const all = [...many, ...others, user.email];
      await poll(async () => (await on.fixture.mails.count({})) === all.length, { what: 'all to be queued' });
      gate.open();
      await server.waitFor(all.length);
      expect(begun.toSorted()).toEqual(all.toSorted());
      expect(begun.slice(4, 8)).toEqual(expect.arrayContaining([user.email, ...others]));
    });

    it('leads to no email in an account that requires single sign-on', async () => {
      const server = await startMailServer();
      const { _id, accountId, email } = await addUser();
      await addAccount(accountId, { singleSignOnRequired: true });
      const requestedAt = new Date().toISOString();
      const expireAt = new Date(Date.now() + HOUR_MS).toISOString();
      await resets().insertOne({ _id: email, email, requestedAt, expireAt });
      await start(server);
      await poll(async () => (await resets().count({ _id: email })) === 0);
      await untilNoneIsPending();
      expect(server.mails).toEqual([]);
      expect((await users().findOne({ _id }))?.resets).toBeUndefined();
    });

    it('leads to no email once it has expired', async () => {
      const server = await startMailServer();
      const { email } = await addUser();
      const expired = new Date(Date.now() - 1).toISOString();
      await resets().insertOne({ _id: email, email, requestedAt: expired, expireAt: expired });
      await start(server);
      await poll(async () => (await resets().count({ _id: email })) === 0);
      await untilNoneIsPending();
      expect(server.mails).toEqual([]);
    });
  });

  describe('an invitation', () => {
    it('asks for a login with single sign-on where the account requires it', async () => {
      const server = await startMailServer();
      await addInvitation({}, { singleSignOnRequired: true });
      await start(server);
      const [mail] = await server.waitFor(1);
      await untilNoneIsPending();
      expect(mail?.text).toMatch(/^Log in with single sign-on on this page: \S+\/invitation#inv_\S+$/m);
    });

    it('leads to one email with a link', async () => {
      const server = await startMailServer();
      const invitation = await addInvitation();
      await start(server);
      await start(server);
      const [mail] = await server.waitFor(1);
      await poll(async () => (await invitations().count({ mailOwedAt: { $exists: true } })) === 0);
      await untilNoneIsPending();
      expect(server.mails).toHaveLength(1);
      expect(mail?.to).toEqual([invitation.email]);
      expect(mail?.subject).toBe('Invitation to Engines Bcc: eve@example.com on SvcForms');
      const link = linkIn(mail?.text);
      const stored = await invitations().findOne({ _id: invitation._id });
      expect(isLinkOpen(stored?.links, link?.hash ?? '', invitation.createdAt)).toBe(true);
      expect(isLinkOpen(stored?.links, link?.hash ?? '', invitation.expiresAt)).toBe(false);
    });

    it('leads to no email once it has expired', async () => {
      const server = await startMailServer();
      const { _id } = await addInvitation({ expiresAt: new Date(Date.now() - 1).toISOString() });
      await start(server);
      await poll(async () => (await invitations().count({ _id, mailOwedAt: null })) === 1);
      await untilNoneIsPending();
      expect(server.mails).toEqual([]);
    });
  });
}

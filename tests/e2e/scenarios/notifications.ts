import type { NotificationAddressOut, UserOut } from '@svcforms/contracts';
import { createForm, openInbound, sendInbound, type Client, type ReceivedMail } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { openAccount, type Product } from '../stack.ts';

/**
 * Returns the path of a link in the text of an email; links start with the origin of the product.
 */
function linkIn({ text }: ReceivedMail, page: string): string {
  const [, path] =
    new RegExp(`https?://[^/\\s]+(/api/notifications/${page}\\?token=[\\w.-]+)`).exec(text) ?? [];
  if (path === undefined) throw new Error(`no link to ${page} in ${text}`);
  return path;
}

const isVerification = ({ subject }: ReceivedMail) => subject.startsWith('Confirm this address');

export function notificationScenarios(product: () => Product): void {
  const addressOf = async (client: Client, email: string) =>
    (
      await client.get<NotificationAddressOut[]>('/api/notification-addresses?limit=100', { expect: 200 })
    ).body.data.find((address) => address.email === email);
  const mailsTo = (email: string) => product().mailServer.mails.filter(({ to }) => to.includes(email));
  const waitForMail = async (email: string, fits: (mail: ReceivedMail) => boolean) => {
    const [mail] = await product().mailServer.waitFor(1, (each) => each.to.includes(email) && fits(each));
    if (!mail) throw new Error('no mail');
    return mail;
  };
  const verify = async (email: string) => {
    const link = linkIn(await waitForMail(email, isVerification), 'verify');
    expect((await product().visitor.post(link)).status).toBe(200);
  };

  describe('a user', () => {
    it('is notified of a new address, a new password and failed logins', async () => {
      const { visitor, mailServer } = product();
      const { client } = await openAccount(product());
      const password = 'correct horse battery';
      const email = `${randomUUID()}@example.com`;
      const created = await client.post<UserOut>('/api/users', {
        body: { email, name: 'Ada', role: 'reviewer', password },
        expect: 201,
      });
      for (let n = 0; n < 5; n++)
        await visitor.post('/api/auth/login', { body: { email, password: `wrong ${n}` }, expect: 401 });
      const body = { email: `new-${email}`, password: 'battery staple horse' };
      await client.patch(`/api/users/${created.body.data.id}`, { body, expect: 200 });
      const isOurs = ({ to }: { to: string[] }) => to[0]?.endsWith(email) ?? false;
      const mails = await mailServer.waitFor(4, isOurs);
      expect(mails.map(({ to, subject }) => `${to.join()}: ${subject}`).toSorted()).toEqual(
        [
          `${email}: Failed logins to your SvcForms account`,
          `${email}: The email address of your SvcForms login was changed`,
          `new-${email}: The email address of your SvcForms login was changed`,
          `${email}: Your SvcForms password was changed`,
        ].toSorted(),
      );
    });
  });

  describe('a form with notification addresses', () => {
    it('notifies each of them once per submission, from the web and inbound', async () => {
      const { client, visitor, mailServer } = product();
      const emails = [`one-${randomUUID()}@team.example`, `two-${randomUUID()}@team.example`];
      const form = await createForm(client, {
        name: 'Told\n<b>of</b>',
        settings: { notifications: { emails } },
      });
      for (const email of emails) await verify(email);
      const inbound = await openInbound(client, form.id);
      const hostile = '<img src=x onerror=alert(1)>\r\nBcc: eve@example.com';
      await sendInbound(client, inbound, { email: 'ada@example.com', message: hostile });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'bob@example.com', message: 'Hello' } },
        expect: 201,
      });
      const isOurs = (mail: ReceivedMail) => emails.includes(mail.to[0] ?? '') && !isVerification(mail);
      const mails = await mailServer.waitFor(4, isOurs);
      expect(mails.map(({ to }) => to.join()).toSorted()).toEqual([...emails, ...emails].toSorted());
      for (const mail of mails) {
        expect(mail.subject).toBe('New submission: Told <b>of</b>');
        expect(mail.headerNames).not.toContain('bcc');
        expect(mail.html).not.toMatch(/<img|<b>/);
      }
      expect(mails.filter(({ text }) => text.includes('bob@example.com'))).toHaveLength(2);
      expect(mails.filter(({ text }) => text.includes('<img src=x onerror=alert(1)>'))).toHaveLength(2);
    });

    it('sends no email to addresses that have not agreed or have unsubscribed', async () => {
      const { client, visitor } = product();
      const email = `stranger-${randomUUID()}@team.example`;
      const form = await createForm(client, {
        name: 'Buy now at https://spam.example',
        settings: {
          notifications: { emails: [email.toUpperCase().replace('TEAM.EXAMPLE', 'team.example')] },
        },
      });
      const submit = (message: string) =>
        visitor.post(`/api/forms/${form.id}/submissions`, {
          body: { data: { email: 'bob@example.com', message } },
          expect: 201,
        });
      const isVerificationOfIt = (mail: ReceivedMail) =>
        mail.to.some((to) => to.toLowerCase() === email) && isVerification(mail);
      const [verification] = await product().mailServer.waitFor(1, isVerificationOfIt);
      expect(verification?.raw).not.toContain('spam.example');
      expect((await addressOf(client, email))?.status).toBe('pending');
      await submit('sent before verification');

      const link = linkIn(verification!, 'verify');
      // Mail scanners open links with GET, which must not verify the address.
      const page = await visitor.get(link);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<form method="post">');
      expect((await addressOf(client, email))?.status).toBe('pending');
      expect((await visitor.post(`${link}x`)).status).toBe(404);
      expect((await visitor.post(link)).status).toBe(200);
      expect((await visitor.post(link)).status).toBe(404);
      expect(await addressOf(client, email)).toMatchObject({
        status: 'verified',
        verifiedAt: expect.stringMatching(/Z$/),
      });

      await submit('sent once verified');
      const isAbout = (message: string) => (mail: ReceivedMail) =>
        mail.to.some((to) => to.toLowerCase() === email) && mail.text.includes(message);
      const [mail] = await product().mailServer.waitFor(1, isAbout('sent once verified'));
      expect(mail?.headerNames).toContain('list-unsubscribe');
      const unfolded = mail?.raw.replaceAll(/\r?\n[ \t]+/g, ' ') ?? '';
      expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
      const unsubscribing = linkIn(mail!, 'unsubscribe');
      expect(unfolded).toMatch(/^List-Unsubscribe: <https?:\/\/\S+>\r?$/m);
      expect(unfolded).toContain(`${unsubscribing}>`);

      expect((await visitor.get(unsubscribing)).text).toContain('<form method="post">');
      expect((await addressOf(client, email))?.status).toBe('verified');
      const oneClick = {
        rawBody: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      expect((await visitor.post(unsubscribing, oneClick)).status).toBe(200);
      expect((await addressOf(client, email))?.status).toBe('unsubscribed');
      await submit('sent once unsubscribed');

      // Saving the form again sends no email to an address that has unsubscribed.
      await client.put(`/api/forms/${form.id}`, { body: { ...form, name: 'Saved again' }, expect: 200 });
      const { id = '' } = (await addressOf(client, email)) ?? {};
      const again = await client.post(`/api/notification-addresses/${id}/verification`);
      expect([again.status, again.body.code]).toEqual([429, 'RATE_LIMITED']);

      // A later email to another address proves that earlier ones would have arrived.
      const other = `other-${randomUUID()}@team.example`;
      const later = await createForm(client, { settings: { notifications: { emails: [other] } } });
      await verify(other);
      await visitor.post(`/api/forms/${later.id}/submissions`, {
        body: { data: { email: 'bob@example.com', message: 'the last one' } },
        expect: 201,
      });
      await waitForMail(other, ({ text }) => text.includes('the last one'));
      const toStranger = product().mailServer.mails.filter(({ to }) =>
        to.some((each) => each.toLowerCase() === email),
      );
      expect(toStranger.map(({ subject }) => subject)).toEqual([
        'Confirm this address for notifications',
        'New submission: Buy now at https://spam.example',
      ]);
      expect(mailsTo(other)).toHaveLength(2);
    });
  });
}

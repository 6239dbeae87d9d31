import { startMailServer, tempFolder } from '@svcforms/test-kit';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMailer, type OutgoingMail } from './mailer.ts';

const FROM = 'SvcForms <no-reply@forms.example>';
const MAIL: OutgoingMail = {
  id: 'mail_1',
  about: ['frm_1', 'sub_1'],
  to: 'ada@example.com',
  subject: 'Žluťoučký kůň 🐎',
  text: 'Hello Ada\n',
  html: '<p>Hello Ada</p>',
  date: '2026-03-14T09:26:53.589Z',
};

describe('a mailer', () => {
  it('without a server writes files for its owner alone, the same mail into the same file.', async () => {
    const folder = join(tempFolder(), 'mail');
    const mailer = createMailer({ folder, from: FROM });
    const path = await mailer.send(MAIL);
    expect(await mailer.send(MAIL)).toBe(path);
    expect(readdirSync(folder)).toEqual(['2026-03-14T09-26-53.589Z-frm_1-sub_1-mail_1.eml']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('From: SvcForms <no-reply@forms.example>\r\n');
    expect(text).toContain('To: ada@example.com\r\n');
    expect(text).toContain('Message-ID: <mail_1@svcforms>\r\n');
    expect(text).toContain('Hello Ada');
  });

  it.each([
    ['no-reply@forms.example', 'no-reply@forms.example'],
    ['Forms, Ltd. <no-reply@forms.example>', '"Forms, Ltd." <no-reply@forms.example>'],
    ['"Forms, Ltd." <no-reply@forms.example>', '"Forms, Ltd." <no-reply@forms.example>'],
  ])('is the one sender that it was told: %s', async (from, header) => {
    const path = await createMailer({ folder: tempFolder(), from }).send(MAIL);
    expect(readFileSync(path, 'utf8')).toContain(`From: ${header}\r\n`);
  });

  it('says why a file can not be written, so that it is tried again.', async () => {
    const folder = join(tempFolder(), 'taken');
    writeFileSync(folder, '');
    await expect(createMailer({ folder, from: FROM }).send(MAIL)).rejects.toMatchObject({
      code: 'MAIL_NOT_SENT',
      isFinal: false,
      message: expect.stringContaining('can not be written'),
    });
  });

  it('sends to a server, which offers a certificate of its own making.', async () => {
    const server = await startMailServer();
    const mailer = createMailer({ smtpUrl: server.url, folder: '', from: FROM });
    await mailer.send(MAIL);
    mailer.close();
    expect(server.mails).toMatchObject([
      {
        from: 'no-reply@forms.example',
        to: ['ada@example.com'],
        subject: MAIL.subject,
        text: expect.stringContaining(MAIL.text),
        html: expect.stringContaining(MAIL.html),
        messageId: '<mail_1@svcforms>',
      },
    ]);
  });

  it('gives no password to a server whose certificate nobody vouches for.', async () => {
    const server = await startMailServer();
    const smtpUrl = server.url.replace('smtp://', 'smtp://user:password@');
    const mailer = createMailer({ smtpUrl, folder: '', from: FROM });
    await expect(mailer.send(MAIL)).rejects.toMatchObject({
      isFinal: false,
      message: expect.stringMatching(/certificate/i),
    });
    mailer.close();
    expect(server.mails).toEqual([]);
  });

  it.each([
    ['in the subject', { subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody' }],
    ['in the subject, by other line ends', { subject: 'Hi\u2028Bcc: eve@example.com\u0085\u000bX: y' }],
    ['in the address', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['as a second address', { to: 'ada@example.com, eve@example.com' }],
  ])('lets nothing become a header or a recipient %s.', async (_, values) => {
    const server = await startMailServer();
    const mailer = createMailer({ smtpUrl: server.url, folder: '', from: FROM });
    await mailer.send({ ...MAIL, ...values }).catch(() => {});
    mailer.close();
    for (const { to, headerNames } of server.mails) {
      expect(to).not.toContain('eve@example.com');
      expect(headerNames).not.toContain('bcc');
      expect(headerNames).not.toContain('x');
    }
  });
});

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
  it('writes files that only the owner can read when it has no server, and the same email to the same file', async () => {
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

  it('keeps the newest 32 MiB of its files, and erases those that are left', async () => {
    const folder = tempFolder();
    const mailer = createMailer({ folder, from: FROM });
    const text = 'x'.repeat(1024 ** 2);
    const ids = Array.from({ length: 40 }, (_, n) => `mail_${String(n).padStart(2, '0')}`);
    for (const [n, id] of ids.entries()) {
      const date = new Date(Date.parse(MAIL.date) + n * 1_000).toISOString();
      await mailer.send({ ...MAIL, id, date, text, about: [`sub_${n}`] });
    }
    const files = readdirSync(folder).toSorted();
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(33 * 1024 ** 2);
    expect(bytes).toBeGreaterThan(29 * 1024 ** 2);
    const kept = files.map((name) => /mail_\d+/.exec(name)?.[0]);
    expect(kept).toEqual(ids.slice(-files.length));
    await mailer.erase(['sub_39']);
    expect(readdirSync(folder).toSorted()).toEqual(files.slice(0, -1));
  });

  it.each([
    ['no-reply@forms.example', 'no-reply@forms.example'],
    ['Forms, Ltd. <no-reply@forms.example>', '"Forms, Ltd." <no-reply@forms.example>'],
    ['"Forms, Ltd." <no-reply@forms.example>', '"Forms, Ltd." <no-reply@forms.example>'],
  ])('parses the sender %s', async (from, header) => {
    const path = await createMailer({ folder: tempFolder(), from }).send(MAIL);
    expect(readFileSync(path, 'utf8')).toContain(`From: ${header}\r\n`);
  });

  it("reports why it can't write a file, as a retryable error", async () => {
    const folder = join(tempFolder(), 'taken');
    writeFileSync(folder, '');
    await expect(createMailer({ folder, from: FROM }).send(MAIL)).rejects.toMatchObject({
      code: 'MAIL_NOT_SENT',
      isFinal: false,
      message: expect.stringContaining("can't write"),
    });
  });

  it('sends to a server with a self-signed certificate', async () => {
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

  it('waits for a server that examines a message before it accepts it', async () => {
    const server = await startMailServer();
    server.delayResponses(11_000);
    const mailer = createMailer({ smtpUrl: server.url, folder: '', from: FROM });
    await expect(mailer.send(MAIL)).resolves.toMatch(/^250 /);
    mailer.close();
    expect(server.mails).toHaveLength(1);
  });

  it('sends no password to a server with a self-signed certificate', async () => {
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
    ['the recipient', 550, MAIL.to, '5.1.1 No such user', true],
    ['the recipient', 550, MAIL.to, 'No such user', true],
    ['the recipient for now', 451, MAIL.to, '4.2.1 Try again later', false],
    ['to relay', 554, MAIL.to, '5.7.1 Relay access denied', false],
    ['a client without a login', 530, MAIL.to, 'Authentication required', false],
    ['a sender over its limit', 550, MAIL.to, '5.4.5 Daily user sending limit exceeded', false],
    ['the sender', 553, 'no-reply@forms.example', '5.1.8 Sender address rejected', false],
    ['the sender in response to the recipient', 550, MAIL.to, '5.1.8 Sender address rejected', false],
    ['to relay without saying so in its code', 550, MAIL.to, 'relay not permitted', false],
    ['a sender without a login', 530, 'no-reply@forms.example', '5.7.0 Authentication required', false],
  ])('reports whether a server refuses %s permanently: %i', async (_, code, address, text, isFinal) => {
    const server = await startMailServer();
    server.refuse(code, address, text);
    const mailer = createMailer({ smtpUrl: server.url, folder: '', from: FROM });
    await expect(mailer.send(MAIL)).rejects.toMatchObject({
      isFinal,
      message: expect.stringContaining(`${code} ${text}`),
    });
    mailer.close();
  });

  it.each([
    [550, '5.4.5 Daily user sending limit exceeded', false],
    [552, '5.3.4 Message too big', true],
  ])('reports whether a server refuses the message permanently: %i %s', async (code, text, isFinal) => {
    const server = await startMailServer();
    server.refuseMessages(code, text);
    const mailer = createMailer({ smtpUrl: server.url, folder: '', from: FROM });
    await expect(mailer.send(MAIL)).rejects.toMatchObject({
      isFinal,
      message: expect.stringContaining(`${code} ${text}`),
    });
    mailer.close();
  });

  it.each([
    ['in the subject', { subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody' }],
    ['in the subject, by other line ends', { subject: 'Hi\u2028Bcc: eve@example.com\u0085\u000bX: y' }],
    ['in the address', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['as a second address', { to: 'ada@example.com, eve@example.com' }],
  ])('adds no header or recipient from text %s', async (_, values) => {
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

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { limitMailFiles } from './mail-files.ts';
import { cut, oneLine } from './mail-text.ts';

/** An email as it is sent. */
export interface OutgoingMail {
  /** An email that is sent again keeps its id, and so its `Message-ID`. */
  id: string;
  /** The ids of its subject. They are part of the file name, so that an erasure finds the file. */
  about: readonly string[];
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The URL for one-click unsubscribing (RFC 8058). */
  unsubscribeUrl?: string;
  /** ISO 8601. */
  date: string;
}

export interface Mailer {
  /** Resolves with the server's response or the path of the file. @throws MailError */
  send(mail: OutgoingMail): Promise<string>;
  /**
   * Removes the files of emails with one of these ids, or about one. Emails that a server has
   * accepted stay there.
   */
  erase(ids: readonly string[]): Promise<void>;
  close(): void;
}

/**
 * An email couldn't be sent. `isFinal`: the server refuses its address or the email permanently.
 */
class MailError extends Error {
  override readonly name = 'MailError';
  readonly code = 'MAIL_NOT_SENT';
  constructor(
    message: string,
    readonly isFinal: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface MailerOptions {
  /**
   * `smtp://` or `smtps://`. Without it, emails become `.eml` files in `folder`, of which the
   * newest 32 MiB stay.
   */
  smtpUrl?: string | undefined;
  folder: string;
  /** The sender: an address with or without a name. */
  from: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Servers that scan or forward a message before they accept it respond late: Exchange up to 30 s
 * later. After a timeout, the message would be sent again, although the server delivers it.
 */
const RESPONSE_TIMEOUT_MS = 45_000;
const MAX_SUBJECT_CHARS = 200;

/** Sends emails by SMTP, or writes them to files if no server is set. */
export function createMailer({ smtpUrl, folder, from }: MailerOptions): Mailer {
  const sender = addressIn(from);
  const messageOf = ({ id, to, subject, text, html, date, unsubscribeUrl }: OutgoingMail) => ({
    // As objects, so that their text can't add a second address.
    from: sender,
    to: { name: '', address: to },
    subject: cut(oneLine(subject), MAX_SUBJECT_CHARS),
    text,
    html,
    date: new Date(date),
    messageId: `<${id}@svcforms>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // Even with a server: emails may have been written to files before it was set.
  async function erase(ids: readonly string[]): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const wanted = new Set(ids);
    // Each id is a whole part of a name: it contains neither of these separators.
    const found = names.filter((name) => name.split(/[-.]/).some((part) => wanted.has(part)));
    await Promise.all(found.map((name) => rm(join(folder, name), { force: true })));
  }

  if (smtpUrl === undefined) {
    const limitFiles = limitMailFiles(folder);
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    return {
      async send(mail) {
        const { message } = await composer.sendMail(messageOf(mail));
        const path = join(
          folder,
          `${[mail.date.replaceAll(':', '-'), ...mail.about, mail.id].join('-')}.eml`,
        );
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 });
          await rename(`${path}.part`, path);
          await limitFiles((message as Buffer).length);
        } catch (cause) {
          throw new MailError(`can't write ${path}: ${(cause as Error).message}`, false, { cause });
        }
        return path;
      },
      erase,
      close: () => composer.close(),
    };
  }

  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    ...trustOf(smtpUrl),
  });
  return {
    async send(mail) {
      try {
        return (await transport.sendMail(messageOf(mail))).response;
      } catch (error) {
        throw new MailError((error as Error).message, isRefusal(error as SmtpError), { cause: error });
      }
    },
    erase,
    close: () => transport.close(),
  };
}

interface SmtpError {
  code?: string;
  /** The command that the server refused. */
  command?: string;
  /** What the server responded. */
  response?: string;
}

/**
 * A missing login (530), a bad address of the sender (RFC 3463: 5.1.7, 5.1.8), or a rule of the
 * server (5.7.x), such as one about relaying. Many servers refuse these only in their response to
 * the recipient.
 */
const REFUSES_SENDER = /^530|^5\d\d[ -]5\.(7\.|1\.[78]\b)|\brelay/i;

/**
 * A congested mail system (RFC 3463: 5.4.5). Providers, such as Gmail, respond with it when the
 * sender has reached its daily limit.
 */
const OVER_LIMIT = /^5\d\d[ -]5\.4\.5\b/;

/**
 * Whether the server refused the recipient or the message permanently. The sender, the login and
 * the permission to relay are settings, so after their refusal, the email can be sent when they are
 * corrected. A limit ends by itself.
 */
function isRefusal({ code, command, response = '' }: SmtpError): boolean {
  if (!response.startsWith('5') || OVER_LIMIT.test(response)) return false;
  return code === 'EMESSAGE' || (command === 'RCPT TO' && !REFUSES_SENDER.test(response));
}

/**
 * Accepts a self-signed certificate from a relay without a login: `smtp://` alone promises no
 * encryption, so a connection with such a certificate is no worse. A server that gets a password
 * must have a valid certificate.
 */
function trustOf(smtpUrl: string): { tls?: { rejectUnauthorized: boolean } } {
  const { protocol, username, searchParams } = new URL(smtpUrl);
  const isOpen = protocol === 'smtp:' && username === '' && searchParams.get('requireTLS') !== 'true';
  return isOpen && !searchParams.has('tls.rejectUnauthorized') ? { tls: { rejectUnauthorized: false } } : {};
}

/**
 * Parses `Name <name@host>`, with or without quotation marks around the name, or an address alone.
 */
function addressIn(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^(.*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() };
}

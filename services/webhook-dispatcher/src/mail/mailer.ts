import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

/** A message as it leaves the house. */
export interface OutgoingMail {
  /** Names the message for good: the same mail that is sent again has the same `Message-ID`. */
  id: string;
  /** Ids of what it tells of: a file is found by them when that is erased. */
  about: readonly string[];
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where the recipient ends such mails with one click (RFC 8058). */
  unsubscribeUrl?: string;
  /** ISO 8601. */
  date: string;
}

export interface Mailer {
  /** Resolves with where it went: the server's answer, or the path of a file. @throws MailError */
  send(mail: OutgoingMail): Promise<string>;
  /** Removes the files of mails that have, or tell of, one of these ids. What a server has taken can't be taken back. */
  erase(ids: readonly string[]): Promise<void>;
  close(): void;
}

/** A mail could not be sent. `isFinal`: the server will never take it for this address. */
export class MailError extends Error {
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
  /** `smtp://` or `smtps://`. Absent: mails become `.eml` files in `folder`. */
  smtpUrl?: string | undefined;
  folder: string;
  /** The sender: an address, with a name or without. */
  from: string;
}

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 10_000;

/** Sends mails by SMTP, or writes them to files where there is no server. */
export function createMailer({ smtpUrl, folder, from }: MailerOptions): Mailer {
  const sender = addressIn(from);
  const messageOf = ({ id, to, subject, text, html, date, unsubscribeUrl }: OutgoingMail) => ({
    // As objects, so that nothing in them is taken for a second address.
    from: sender,
    to: { name: '', address: to },
    subject: oneLine(subject),
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

  // Also where there is a server now: there may have been none before.
  async function erase(ids: readonly string[]): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const found = names.filter((name) => ids.some((id) => name.includes(id)));
    await Promise.all(found.map((name) => rm(join(folder, name), { force: true })));
  }

  if (smtpUrl === undefined) {
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
        } catch (cause) {
          throw new MailError(`${path} can not be written: ${(cause as Error).message}`, false, { cause });
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
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    ...trustOf(smtpUrl),
  });
  return {
    async send(mail) {
      try {
        return (await transport.sendMail(messageOf(mail))).response;
      } catch (error) {
        const { code, responseCode, message } = error as {
          code?: string;
          responseCode?: number;
          message: string;
        };
        // The address or the message itself was refused; a login that is refused can be mended.
        const isFinal =
          (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
        throw new MailError(message, isFinal, { cause: error });
      }
    },
    erase,
    close: () => transport.close(),
  };
}

/**
 * A relay without a login may have a certificate of its own making: `smtp://` alone promises no encryption at all, so what it
 * offers is taken as it is. Whoever gives a password to a server wants to know which.
 */
function trustOf(smtpUrl: string): { tls?: { rejectUnauthorized: boolean } } {
  const { protocol, username, searchParams } = new URL(smtpUrl);
  const isOpen = protocol === 'smtp:' && username === '' && searchParams.get('requireTLS') !== 'true';
  return isOpen && !searchParams.has('tls.rejectUnauthorized') ? { tls: { rejectUnauthorized: false } } : {};
}

/** `Name <name@host>`, the name in quotation marks or without, or the address alone. */
function addressIn(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^(.*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() };
}

/** What a header may hold: a name that a user gave must not begin another one. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

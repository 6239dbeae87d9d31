import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { SMTPServerSession } from 'smtp-server';
import { atEnd } from './at-end.ts';
import { testCertificate } from './certificate.ts';
import { freePort } from './free-port.ts';
import { poll } from './poll.ts';

export interface ReceivedMail {
  /** The envelope addresses. */
  from: string;
  to: string[];
  /** The raw message. */
  raw: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** The header names in lower case, in order. */
  headerNames: string[];
}

export interface MailServer {
  /** `smtp://…` with a host name of this machine. */
  url: string;
  /** All messages so far. */
  mails: readonly ReceivedMail[];
  /** Resolves with the matching messages once there are `count` of them. */
  waitFor(count: number, fits?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail[]>;
  /** Rejects this sender or recipient with this code and text from now on. */
  refuse(code: number, address: string, text?: string): void;
  /** Rejects all messages with this code and text after it has received them. */
  refuseMessages(code: number, text: string): void;
  /** Responds this long after it has received a message. */
  delayResponses(ms: number): void;
  /** Ends `refuse`. */
  accept(address: string): void;
  close(): Promise<void>;
}

/** Starts a real SMTP server that records messages, on a free port unless `port` is set. */
export async function startMailServer(
  options: { port?: number; host?: string; publicHost?: string } = {},
): Promise<MailServer> {
  // Only here: loading these takes 0.1 s of CPU, and most test files receive no mail.
  const [{ default: PostalMime }, { SMTPServer }] = await Promise.all([
    import('postal-mime'),
    import('smtp-server'),
  ]);
  const { host = '127.0.0.1', publicHost = host, port = await freePort() } = options;
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, Error>();
  let refusal: Error | undefined;
  let delayMs = 0;
  async function keep(stream: Readable, { envelope }: SMTPServerSession): Promise<void> {
    const raw = await buffer(stream);
    if (refusal) throw refusal;
    const mail = await PostalMime.parse(raw);
    mails.push({
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      raw: raw.toString(),
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? '',
      messageId: mail.messageId ?? '',
      headerNames: mail.headers.map(({ key: name }) => name),
    });
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  }

  const { key, cert } = await testCertificate([publicHost]);
  const server = new SMTPServer({
    authOptional: true,
    key,
    cert,
    onMailFrom: ({ address }, _session, done) => done(refusals.get(address)),
    onRcptTo: ({ address }, _session, done) => done(refusals.get(address)),
    onData(stream, session, done) {
      // oxlint-disable-next-line promise/no-callback-in-promise -- the API of the server
      void keep(stream, session).then(() => done(), done);
    },
  });
  server.on('error', () => {
    // Connection errors, for example when the product disconnects; tests check the messages.
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const close = () => {
    unregister();
    return new Promise<void>((resolve) => server.close(resolve));
  };
  const unregister = atEnd(close);
  return {
    url: `smtp://${publicHost}:${(server.server.address() as AddressInfo).port}`,
    mails,
    waitFor: (count, fits = () => true) =>
      poll(
        () => {
          const found = mails.filter(fits);
          return found.length >= count && found;
        },
        { what: `mail ${count}` },
      ),
    refuse(responseCode, address, text = 'refused by the test') {
      refusals.set(address, Object.assign(new Error(text), { responseCode }));
    },
    refuseMessages(responseCode, text) {
      refusal = Object.assign(new Error(text), { responseCode });
    },
    delayResponses: (ms) => void (delayMs = ms),
    accept: (address) => void refusals.delete(address),
    close,
  };
}

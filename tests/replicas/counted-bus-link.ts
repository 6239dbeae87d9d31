import { openRecordedLink, type RecordedLinkOptions } from './recorded-link.ts';

/** A message between a client and a NATS server. */
export interface BusMessageSent {
  from: 'client' | 'server';
  subject: string;
}

/** The commands that have a payload, by their first word. The last word is its length. */
const WITH_PAYLOAD = ['PUB', 'HPUB', 'MSG', 'HMSG'];
const LINE_END = '\r\n';

/** Opens a TCP proxy on loopback to a NATS server. It records the messages that pass through it. */
export async function openCountedBusLink(
  target: RecordedLinkOptions['target'],
): Promise<{ port: number; messages: readonly BusMessageSent[] }> {
  const messages: BusMessageSent[] = [];
  const port = await openRecordedLink({
    target,
    messageLength(buffer) {
      const words = firstLine(buffer);
      if (!words) return null;
      const payload = hasPayload(words) ? Number(words.at(-1)) + LINE_END.length : 0;
      const length = words.join(' ').length + LINE_END.length + payload;
      return buffer.length < length ? null : length;
    },
    onMessage(message, from) {
      const words = firstLine(message) ?? [];
      if (hasPayload(words)) messages.push({ from, subject: words[1] ?? '' });
    },
  });
  return { port, messages };
}

/** The words of the first line, one character for each byte. */
function firstLine(buffer: Buffer): string[] | null {
  const end = buffer.indexOf(LINE_END);
  return end < 0 ? null : buffer.toString('latin1', 0, end).split(' ');
}

function hasPayload([command = '']: readonly string[]): boolean {
  return WITH_PAYLOAD.includes(command);
}

import { openRecordedLink, type RecordedLinkOptions } from './recorded-link.ts';

/** A command that a driver sent to a MongoDB server. */
export interface SentCommand {
  name: string;
  /** The collection; empty for commands without one. */
  collection: string;
}

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const BSON_STRING = 2;
/** Commands of the driver itself. */
const MAINTENANCE = ['hello', 'ismaster', 'isMaster', 'ping', 'endSessions'];

/**
 * Opens a TCP proxy on loopback to a MongoDB server. It records the commands that pass through it.
 */
export async function openCountedLink(
  target: RecordedLinkOptions['target'],
): Promise<{ port: number; commands: readonly SentCommand[] }> {
  const commands: SentCommand[] = [];
  const port = await openRecordedLink({
    target,
    messageLength(buffer) {
      if (buffer.length < HEADER_BYTES) return null;
      const length = buffer.readInt32LE(0);
      return buffer.length < length ? null : length;
    },
    onMessage(message, from) {
      const command = from === 'client' ? commandIn(message) : null;
      if (command && !MAINTENANCE.includes(command.name)) commands.push(command);
    },
  });
  return { port, commands };
}

/** The first element of the message's document: the command's name and, usually, its collection. */
function commandIn(message: Buffer): SentCommand | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  // After the header: flags, the kind of the section, and the size of the document.
  const element = message.subarray(HEADER_BYTES + 4 + 1 + 4);
  const nameEnd = element.indexOf(0, 1);
  const name = element.toString('utf8', 1, nameEnd);
  if (element[0] !== BSON_STRING) return { name, collection: '' };
  const value = element.subarray(nameEnd + 1 + 4);
  return { name, collection: value.toString('utf8', 0, value.indexOf(0)) };
}

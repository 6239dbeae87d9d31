import type { LoggedMessage } from './read.ts';

/** The newest messages of the log, in memory and without a gap: most readers need only these. */
export interface RecentMessages {
  remember: (message: LoggedMessage) => void;
  forget: () => void;
  /** `null` if memory doesn't hold all of these messages. */
  read: (afterSeq: number, limit: number) => LoggedMessage[] | null;
}

/** Limits in messages and in characters. */
const MAX_MESSAGES = 1_000;
const MAX_LENGTH = 4 * 1024 ** 2;

export function createRecentMessages(): RecentMessages {
  let messages: LoggedMessage[] = [];
  let length = 0;
  let newest = 0;

  function forget(): void {
    messages = [];
    length = 0;
  }

  return {
    forget,
    remember(message) {
      if (message.seq <= newest) return;
      if (message.seq > newest + 1) forget();
      newest = message.seq;
      messages.push(message);
      length += lengthOf(message);
      if (messages.length <= MAX_MESSAGES && length <= MAX_LENGTH) return;
      messages = messages.slice(messages.length / 2);
      length = messages.reduce((sum, each) => sum + lengthOf(each), 0);
    },
    read(afterSeq, limit) {
      const first = messages[0]?.seq;
      if (first === undefined || afterSeq + 1 < first) return null;
      return messages.slice(afterSeq + 1 - first, afterSeq + 1 - first + limit);
    },
  };
}

/** Counts 500 characters for the metadata. */
function lengthOf({ event }: LoggedMessage): number {
  return 500 + (event.body?.length ?? 0);
}

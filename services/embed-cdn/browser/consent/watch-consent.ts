import type { Popup } from '../core/trigger.ts';
import type { VisitorRecord } from '../rules/visitor-record.ts';
import type { Answer } from './judge.ts';

/** Where the site keeps its own answer. */
export type ConsentSource = NonNullable<Popup['trackingConsent']>;

/** What the chunk offers that is loaded for forms that name a source. */
export interface ConsentReader {
  readConsent: (source: ConsentSource) => Answer;
}

/** spec: popup-forms, Consent rules 4 */
const READ_EVERY_MS = 1000;

export interface ConsentWatch {
  /** Resolves when answers can be read. */
  ready: () => Promise<void>;
  /** Reads the answer now, and says whether counting is on. */
  mayCount: () => boolean;
  /** Goes on reading for as long as the popup is live. */
  follow: () => void;
}

/**
 * A no at the start, or a first answer that is no, only stops counting; a yes turned into a no is a withdrawal, which is
 * final. Without a named source nothing is loaded and nothing read.
 */
export function watchConsent(
  source: ConsentSource | undefined,
  given: {
    record: VisitorRecord;
    isLive: () => boolean;
    onWithdrawn: () => void;
    load: () => Promise<ConsentReader>;
  },
): ConsentWatch {
  const { record, isLive, onWithdrawn, load } = given;
  if (!source || !(source.cookie || source.storageKey || source.windowPath || source.consentMode)) {
    return { ready: async () => {}, mayCount: () => true, follow() {} };
  }
  let reader: ConsentReader | undefined;
  let isFinal = record.isWithdrawn();
  let saidYes = false;
  let timer: number | undefined;

  const mayCount = () => {
    if (isFinal) return false;
    const answer = reader?.readConsent(source);
    saidYes = saidYes || answer === true;
    isFinal = saidYes && answer === false;
    if (isFinal) {
      record.withdraw();
      onWithdrawn();
    }
    return answer !== false;
  };
  const follow = () => {
    clearTimeout(timer);
    if (isFinal || !isLive()) return;
    timer = setTimeout(() => {
      mayCount();
      follow();
    }, READ_EVERY_MS);
  };
  return {
    async ready() {
      // What can't be read leaves counting on.
      reader = reader ?? (await load().catch(() => undefined));
    },
    mayCount,
    follow,
  };
}

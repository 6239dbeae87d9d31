import type { Popup } from './trigger.ts';

/** Where the site keeps its own answer. */
export type ConsentSource = NonNullable<Popup['trackingConsent']>;

/** What a watch is given of the form that it is for. */
export interface ConsentGiven {
  formId: string;
  isLive: () => boolean;
  onWithdrawn: () => void;
}

export interface ConsentWatch {
  /** Reads the answer now, and says whether counting is on. */
  mayCount: () => boolean;
  /** Goes on reading for as long as the popup is live. */
  follow: () => void;
}

/** What the chunk offers that is loaded for forms that name a source. */
export interface ConsentChunk {
  watchConsent: (source: ConsentSource, given: ConsentGiven) => ConsentWatch;
}

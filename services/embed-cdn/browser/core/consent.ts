import type { Popup } from './trigger.ts';

/** Where the site stores the visitor's consent. */
export type ConsentSource = NonNullable<Popup['trackingConsent']>;

/** What a consent watch needs to know about its form. */
export interface ConsentGiven {
  formId: string;
  isLive: () => boolean;
  onWithdrawn: () => void;
}

export interface ConsentWatch {
  /** Reads the consent state now and returns whether counting is allowed. */
  mayCount: () => boolean;
  /** Keeps reading while the popup is live. */
  follow: () => void;
}

/** The exports of the chunk that is loaded for forms with a consent source. */
export interface ConsentChunk {
  watchConsent: (source: ConsentSource, given: ConsentGiven) => ConsentWatch;
}
